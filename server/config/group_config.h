// The configuration of one group, typed: the broker's defaults with the group's overrides laid over them, clamped to
// the broker's bounds. Follows org.apache.kafka.coordinator.group.GroupConfig.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/config/config_value.h"

namespace dohle::config {

struct BrokerConfig;

/// The initial values are Kafka's defaults.
struct GroupConfig {
  std::int32_t consumer_session_timeout_ms = 45'000;
  std::int32_t consumer_heartbeat_interval_ms = 5'000;
  std::int32_t consumer_assignment_interval_ms = 1'000;
  bool consumer_assignor_offload_enable = true;
  std::int32_t share_session_timeout_ms = 45'000;
  std::int32_t share_heartbeat_interval_ms = 5'000;
  std::int32_t share_record_lock_duration_ms = 30'000;
  std::int32_t share_delivery_count_limit = 5;
  std::int32_t share_partition_max_record_locks = 2'000;
  /// latest, earliest or by_duration:<ISO-8601 duration>.
  std::string share_auto_offset_reset = "latest";
  bool share_isolation_level_read_committed = false;
  bool share_renew_acknowledge_enable = true;
  std::int32_t share_assignment_interval_ms = 1'000;
  bool share_assignor_offload_enable = true;
  std::int32_t streams_session_timeout_ms = 45'000;
  std::int32_t streams_heartbeat_interval_ms = 5'000;
  std::int32_t streams_num_standby_replicas = 0;
  std::int32_t streams_initial_rebalance_delay_ms = 3'000;
  std::int32_t streams_assignment_interval_ms = 1'000;
  bool streams_assignor_offload_enable = true;
  std::int32_t streams_task_offset_interval_ms = 60'000;
  std::int32_t streams_num_warmup_replicas = 2;
  std::vector<std::string> streams_rack_aware_assignment_tags;
  std::int64_t streams_acceptable_recovery_lag = 10'000;
  std::string streams_assignor_name = "sticky";
  std::string errors_deadletterqueue_topic_name;
  bool errors_deadletterqueue_copy_record_enable = false;

  bool operator==(const GroupConfig&) const = default;
};

/// What the broker's own keys say for every group key that has a synonym; internal keys only where the broker's key
/// is set (AbstractKafkaConfig.extractGroupConfigMap).
ConfigMap group_defaults(const BrokerConfig& broker);

/// The defaults with `overrides` laid over them; values outside the broker's bounds are moved to the nearest bound
/// (GroupConfig.evaluate), so that a bound that was narrowed later does no harm.
Parsed<GroupConfig> make_group_config(const BrokerConfig& broker, const ConfigMap& overrides);

}  // namespace dohle::config
