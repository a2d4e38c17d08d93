// What the group coordinator takes from the broker's configuration. Source: GroupCoordinatorConfig.
#pragma once

#include <cstdint>
#include <memory>

#include "server/config/broker_config.h"

namespace dohle::groups {

struct GroupSettings {
  std::int32_t offset_metadata_max_bytes = 4'096;
  std::int64_t offsets_retention_ms = std::int64_t{10'080} * 60'000;
  std::int64_t offsets_retention_check_interval_ms = 600'000;
  std::int32_t min_session_timeout_ms = 6'000;
  std::int32_t max_session_timeout_ms = 1'800'000;
  std::int32_t initial_rebalance_delay_ms = 3'000;
  std::int32_t max_size = 2'147'483'647;
  /// How long a new member's first JoinGroup may be parked; not configurable.
  std::int32_t new_member_join_timeout_ms = 5 * 60 * 1000;

  /// For what groups may override, and the consumer protocol. nullptr: Kafka's defaults.
  std::shared_ptr<const config::BrokerConfig> broker;

  static GroupSettings from(const config::BrokerConfig& config) {
    GroupSettings settings;
    settings.offset_metadata_max_bytes = config.offset_metadata_max_bytes;
    settings.offsets_retention_ms = std::int64_t{config.offsets_retention_minutes} * 60'000;
    settings.offsets_retention_check_interval_ms = config.offsets_retention_check_interval_ms;
    settings.min_session_timeout_ms = config.group_min_session_timeout_ms;
    settings.max_session_timeout_ms = config.group_max_session_timeout_ms;
    settings.initial_rebalance_delay_ms = config.group_initial_rebalance_delay_ms;
    settings.max_size = config.group_max_size;
    settings.broker = std::make_shared<const config::BrokerConfig>(config);
    return settings;
  }
};

}  // namespace dohle::groups
