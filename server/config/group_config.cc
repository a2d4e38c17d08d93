#include "server/config/group_config.h"

#include <algorithm>
#include <limits>

#include "server/config/broker_config.h"

namespace dohle::config {
namespace {

template <typename Number>
struct Field {
  std::string_view name;
  Number GroupConfig::* field;
  // The broker's keys that bound it; an empty one is no bound.
  std::string_view min{};
  std::string_view max{};
};

constexpr Field<std::int32_t> int_fields[] = {
    {"consumer.session.timeout.ms", &GroupConfig::consumer_session_timeout_ms, "group.consumer.min.session.timeout.ms",
     "group.consumer.max.session.timeout.ms"},
    {"consumer.heartbeat.interval.ms", &GroupConfig::consumer_heartbeat_interval_ms,
     "group.consumer.min.heartbeat.interval.ms", "group.consumer.max.heartbeat.interval.ms"},
    {"consumer.assignment.interval.ms", &GroupConfig::consumer_assignment_interval_ms,
     "group.consumer.min.assignment.interval.ms", "group.consumer.max.assignment.interval.ms"},
    {"share.session.timeout.ms", &GroupConfig::share_session_timeout_ms, "group.share.min.session.timeout.ms",
     "group.share.max.session.timeout.ms"},
    {"share.heartbeat.interval.ms", &GroupConfig::share_heartbeat_interval_ms, "group.share.min.heartbeat.interval.ms",
     "group.share.max.heartbeat.interval.ms"},
    {"share.record.lock.duration.ms", &GroupConfig::share_record_lock_duration_ms,
     "group.share.min.record.lock.duration.ms", "group.share.max.record.lock.duration.ms"},
    {"share.delivery.count.limit", &GroupConfig::share_delivery_count_limit, "group.share.min.delivery.count.limit",
     "group.share.max.delivery.count.limit"},
    {"share.partition.max.record.locks", &GroupConfig::share_partition_max_record_locks,
     "group.share.min.partition.max.record.locks", "group.share.max.partition.max.record.locks"},
    {"share.assignment.interval.ms", &GroupConfig::share_assignment_interval_ms,
     "group.share.min.assignment.interval.ms", "group.share.max.assignment.interval.ms"},
    {"streams.session.timeout.ms", &GroupConfig::streams_session_timeout_ms, "group.streams.min.session.timeout.ms",
     "group.streams.max.session.timeout.ms"},
    {"streams.heartbeat.interval.ms", &GroupConfig::streams_heartbeat_interval_ms,
     "group.streams.min.heartbeat.interval.ms", "group.streams.max.heartbeat.interval.ms"},
    {"streams.num.standby.replicas", &GroupConfig::streams_num_standby_replicas, "",
     "group.streams.max.standby.replicas"},
    {"streams.initial.rebalance.delay.ms", &GroupConfig::streams_initial_rebalance_delay_ms},
    {"streams.assignment.interval.ms", &GroupConfig::streams_assignment_interval_ms,
     "group.streams.min.assignment.interval.ms", "group.streams.max.assignment.interval.ms"},
    {"streams.task.offset.interval.ms", &GroupConfig::streams_task_offset_interval_ms,
     "group.streams.min.task.offset.interval.ms", ""},
    {"streams.num.warmup.replicas", &GroupConfig::streams_num_warmup_replicas, "", "group.streams.max.warmup.replicas"},
};

constexpr Field<bool> bool_fields[] = {
    {"consumer.assignor.offload.enable", &GroupConfig::consumer_assignor_offload_enable},
    {"share.renew.acknowledge.enable", &GroupConfig::share_renew_acknowledge_enable},
    {"share.assignor.offload.enable", &GroupConfig::share_assignor_offload_enable},
    {"streams.assignor.offload.enable", &GroupConfig::streams_assignor_offload_enable},
    {"errors.deadletterqueue.copy.record.enable", &GroupConfig::errors_deadletterqueue_copy_record_enable},
};

// The broker's list of assignors becomes the first one's name.
std::string default_text(const BrokerConfig& broker, const ConfigKey& key) {
  const Value* value = broker.values.find(key.broker_synonyms);
  if (value == nullptr) return "";
  if (key.name == "streams.assignor.name") {
    auto* assignors = std::get_if<StringList>(value);
    return assignors == nullptr || assignors->empty() ? "" : assignors->front();
  }
  return to_text(*value, key.type).value_or("");
}

ConfigMap defaults_of(const BrokerConfig& broker, bool internal_ones_too) {
  ConfigMap defaults;
  for (const ConfigKey& key : keys_of(Scope::group)) {
    if (key.broker_synonyms.empty()) continue;
    if (key.internal && !internal_ones_too && !broker.values.is_set(std::string(key.broker_synonyms))) continue;
    defaults[std::string(key.name)] = default_text(broker, key);
  }
  return defaults;
}

std::int32_t within_bounds(const BrokerConfig& broker, const Field<std::int32_t>& field, std::int32_t value) {
  if (!field.min.empty()) value = std::max(value, broker.values.get_int(field.min));
  if (!field.max.empty()) value = std::min(value, broker.values.get_int(field.max));
  return value;
}

}  // namespace

ConfigMap group_defaults(const BrokerConfig& broker) {
  return defaults_of(broker, false);
}

Parsed<GroupConfig> make_group_config(const BrokerConfig& broker, const ConfigMap& overrides) {
  ConfigMap texts = defaults_of(broker, true);
  for (const auto& [name, text] : overrides) texts[name] = text;
  auto parsed = ConfigValues::parse(Scope::group, std::move(texts));
  if (!parsed) return std::unexpected(parsed.error());
  const ConfigValues& values = *parsed;
  GroupConfig config;
  for (const auto& field : int_fields) {
    std::int32_t value = values.get_int(field.name);
    // The broker's own values are within its bounds already.
    config.*field.field = overrides.contains(field.name) ? within_bounds(broker, field, value) : value;
  }
  for (const auto& field : bool_fields) config.*field.field = values.get_bool(field.name);
  config.share_auto_offset_reset = values.get_string("share.auto.offset.reset");
  config.share_isolation_level_read_committed = values.get_string("share.isolation.level") == "read_committed";
  config.streams_rack_aware_assignment_tags = values.get_list("streams.rack.aware.assignment.tags");
  config.streams_acceptable_recovery_lag = values.get_long("streams.acceptable.recovery.lag");
  config.streams_assignor_name = values.get_string("streams.assignor.name");
  config.errors_deadletterqueue_topic_name = values.get_string("errors.deadletterqueue.topic.name");
  return config;
}

}  // namespace dohle::config
