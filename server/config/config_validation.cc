#include "server/config/config_validation.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "server/config/dynamic_rules.h"
#include "server/config/effective_config.h"
#include "server/config/java_numbers.h"
#include "server/config/java_order.h"
#include "server/config/log_config.h"
#include "server/config/validators.h"

namespace dohle::config {
namespace {

using protocol::ErrorCode;

Refusal invalid_config(std::string message) {
  return {ErrorCode::invalid_config, std::move(message)};
}
Refusal invalid_request(std::string message) {
  return {ErrorCode::invalid_request, std::move(message)};
}

std::optional<std::string> first_unknown(Scope scope, const ConfigMap& configs) {
  for (const std::string& name : java_hash_order(configs)) {
    if (find_key(scope, name) == nullptr) return name;
  }
  return std::nullopt;
}

bool contains(const StringList& list, std::string_view element) {
  return std::find(list.begin(), list.end(), element) != list.end();
}

Verdict invalid_value(std::string_view name, std::int64_t value, const std::string& reason) {
  return invalid_config(invalid_value_message(name, std::to_string(value), reason));
}

// One limit of tiered topics for ms and one for bytes: what stays local must not outlive the whole.
Verdict check_local_retention(const ConfigValues& values, const std::string& unit) {
  std::string total_name = "retention." + unit;
  std::string local_name = "local.retention." + unit;
  std::int64_t total = values.get_long(total_name);
  std::int64_t local = values.get_long(local_name);
  bool unlimited = unit == "ms" ? total == -1 : total <= -1;
  if (unlimited || local == -2) return std::nullopt;
  if (local == -1) {
    return invalid_value(local_name, local,
                         "Value must not be -1 as " + total_name + " value is set as " + std::to_string(total) + ".");
  }
  if (local > total) {
    return invalid_value(local_name, local,
                         "Value must not be more than " + total_name + " property value: " + std::to_string(total));
  }
  return std::nullopt;
}

Verdict check_copy_lag(const ConfigValues& values, const std::string& unit) {
  std::string lag_name = "remote.copy.lag." + unit;
  std::int64_t local = values.get_long("local.retention." + unit);
  std::int64_t effective = local == -2 ? values.get_long("retention." + unit) : local;
  std::int64_t lag = values.get_long(lag_name);
  if (lag <= 0 || effective < 0 || lag <= effective) return std::nullopt;
  return invalid_value(
      lag_name, lag,
      "Value must not exceed local.retention." + unit + " (effective value: " + std::to_string(effective) + ")");
}

Verdict check_copy_disabled(const ConfigValues& values) {
  if (!values.get_bool("remote.log.copy.disable")) return std::nullopt;
  for (const std::string_view unit : {"bytes", "ms"}) {
    const auto local = values.get_long(fmt::format("local.retention.{}", unit));
    if (local == -2 || local == values.get_long(fmt::format("retention.{}", unit))) continue;
    return invalid_config(
        fmt::format("When `remote.log.copy.disable` is set to true, the `local.retention.{0}` and `retention.{0}` must "
                    "be set to the identical value because there will be no more logs copied to the remote storage.",
                    unit));
  }
  return std::nullopt;
}

Verdict check_remote_storage(const BrokerConfig& broker, const ConfigValues& values) {
  if (!broker.values.get_bool("remote.log.storage.system.enable")) {
    return invalid_config(
        "Tiered Storage functionality is disabled in the broker. Topic cannot be configured with remote log storage.");
  }
  StringList policy = values.get_list("cleanup.policy");
  if (!policy.empty() && policy != StringList{"delete"}) {
    return invalid_config(
        "Remote log storage only supports topics with cleanup.policy=delete or cleanup.policy being an empty list.");
  }
  for (auto check : {check_local_retention(values, "bytes"), check_local_retention(values, "ms"),
                     check_copy_lag(values, "bytes"), check_copy_lag(values, "ms"), check_copy_disabled(values)}) {
    if (check) return check;
  }
  return std::nullopt;
}

Verdict check_remote_storage_off(const ConfigValues& values, const ConfigMap& existing) {
  auto before = existing.find("remote.storage.enable");
  bool was_enabled = before != existing.end() && before->second == "true";
  if (!was_enabled || values.get_bool("remote.log.delete.on.disable")) return std::nullopt;
  return invalid_config(
      "It is invalid to disable remote storage without deleting remote data. If you want to keep the remote data and "
      "turn to read only, please set `remote.storage.enable=true,remote.log.copy.disable=true`. If you want to disable "
      "remote storage and delete all remote data, please set "
      "`remote.storage.enable=false,remote.log.delete.on.disable=true`.");
}

struct Bounds {
  const char* key;
  const char* min;  // broker keys; nullptr: no bound
  const char* max;
};

// In the order of GroupConfig.validateValues.
constexpr Bounds group_bounds[] = {
    {"consumer.heartbeat.interval.ms", "group.consumer.min.heartbeat.interval.ms",
     "group.consumer.max.heartbeat.interval.ms"},
    {"consumer.session.timeout.ms", "group.consumer.min.session.timeout.ms", "group.consumer.max.session.timeout.ms"},
    {"consumer.assignment.interval.ms", "group.consumer.min.assignment.interval.ms",
     "group.consumer.max.assignment.interval.ms"},
    {"share.heartbeat.interval.ms", "group.share.min.heartbeat.interval.ms", "group.share.max.heartbeat.interval.ms"},
    {"share.session.timeout.ms", "group.share.min.session.timeout.ms", "group.share.max.session.timeout.ms"},
    {"share.record.lock.duration.ms", "group.share.min.record.lock.duration.ms",
     "group.share.max.record.lock.duration.ms"},
    {"share.delivery.count.limit", "group.share.min.delivery.count.limit", "group.share.max.delivery.count.limit"},
    {"share.partition.max.record.locks", "group.share.min.partition.max.record.locks",
     "group.share.max.partition.max.record.locks"},
    {"share.assignment.interval.ms", "group.share.min.assignment.interval.ms",
     "group.share.max.assignment.interval.ms"},
    {"streams.heartbeat.interval.ms", "group.streams.min.heartbeat.interval.ms",
     "group.streams.max.heartbeat.interval.ms"},
    {"streams.session.timeout.ms", "group.streams.min.session.timeout.ms", "group.streams.max.session.timeout.ms"},
    {"streams.num.standby.replicas", nullptr, "group.streams.max.standby.replicas"},
    {"streams.assignment.interval.ms", "group.streams.min.assignment.interval.ms",
     "group.streams.max.assignment.interval.ms"},
    {"streams.task.offset.interval.ms", "group.streams.min.task.offset.interval.ms", nullptr},
    {"streams.num.warmup.replicas", nullptr, "group.streams.max.warmup.replicas"},
};

Verdict check_bounds(const BrokerConfig& broker, const ConfigValues& values, const Bounds& bounds) {
  if (!values.is_set(bounds.key)) return std::nullopt;
  std::int64_t value = values.get_long(bounds.key);
  std::int64_t min = bounds.min == nullptr ? value : broker.values.get_long(bounds.min);
  std::int64_t max = bounds.max == nullptr ? value : broker.values.get_long(bounds.max);
  if (value >= min && value <= max) return std::nullopt;
  if (bounds.min == nullptr) {
    return invalid_config(std::string(bounds.key) + " must be less than or equal to " + std::to_string(max));
  }
  if (bounds.max == nullptr) {
    return invalid_config(std::string(bounds.key) + " must be greater than or equal to " + std::to_string(min));
  }
  return invalid_config(std::string(bounds.key) + " must be in the range " + std::to_string(min) + " to " +
                        std::to_string(max) + " inclusive.");
}

Verdict check_session_above_heartbeat(const BrokerConfig& broker, const ConfigValues& values, const std::string& kind) {
  std::string session_key = kind + ".session.timeout.ms";
  std::string heartbeat_key = kind + ".heartbeat.interval.ms";
  if (!values.is_set(session_key) && !values.is_set(heartbeat_key)) return std::nullopt;
  auto effective = [&](const std::string& key) {
    return values.is_set(key) ? values.get_long(key) : broker.values.get_long("group." + key);
  };
  if (effective(session_key) > effective(heartbeat_key)) return std::nullopt;
  return invalid_config(session_key + " must be greater than " + heartbeat_key);
}

// The parser drops duplicates of lists, so the text itself is looked at.
Verdict check_rack_aware_tags(const ConfigMap& configs) {
  constexpr std::string_view name = "streams.rack.aware.assignment.tags";
  auto found = configs.find(name);
  if (found == configs.end()) return std::nullopt;
  StringList tags = std::get<StringList>(*parse_type(name, found->second, ConfigType::list));
  std::sort(tags.begin(), tags.end());
  if (std::adjacent_find(tags.begin(), tags.end()) == tags.end()) return std::nullopt;
  return invalid_config(std::string(name) + " must not contain duplicate tag keys.");
}

Verdict check_streams_assignor(const BrokerConfig& broker, const ConfigValues& values) {
  if (!values.is_set("streams.assignor.name")) return std::nullopt;
  std::string assignor = values.get_string("streams.assignor.name");
  StringList registered = broker.values.get_list("group.streams.assignors");
  if (contains(registered, assignor)) return std::nullopt;
  return invalid_config(
      "streams.assignor.name '" + assignor +
      "' is not a registered task assignor. Registered assignors are: " + display_text(Value(registered)) + ".");
}

Verdict check_matches(const StringList& patterns) {
  constexpr std::string_view selectors[] = {"client_instance_id",    "client_id",
                                            "client_software_name",  "client_software_version",
                                            "client_source_address", "client_source_port"};
  for (const std::string& pattern : patterns) {
    Refusal refusal = invalid_config("Illegal client matching pattern: " + pattern);
    std::size_t sign = pattern.find('=');
    if (sign == std::string::npos) return refusal;
    std::string_view expression = std::string_view(pattern).substr(sign + 1);
    // Java's split drops empty parts at the end, and wants two parts then.
    while (expression.ends_with('=')) expression.remove_suffix(1);
    if (expression.empty() || expression.find('=') != std::string_view::npos) return refusal;
    std::string_view selector = java_trim(std::string_view(pattern).substr(0, sign));
    if (std::find(std::begin(selectors), std::end(selectors), selector) == std::end(selectors)) return refusal;
    re2::RE2 compiled(re2::StringPiece(java_trim(expression).data(), java_trim(expression).size()), re2::RE2::Quiet);
    if (!compiled.ok()) return refusal;
  }
  return std::nullopt;
}

Verdict names_refused(const std::string& message, const StringList& names) {
  if (names.empty()) return std::nullopt;
  return invalid_request(message + ": " + display_text(Value(java_hash_order(names))));
}

// DynamicBrokerConfig.validateConfigs.
Verdict check_dynamic_names(const ConfigMap& configs, bool per_broker) {
  StringList read_only;
  StringList without_prefix;
  StringList for_one_broker;
  for (const auto& [name, text] : configs) {
    const ConfigKey* key = find_key(Scope::broker, name);
    if (key != nullptr && key->update_mode == UpdateMode::read_only) read_only.push_back(name);
    if (needs_listener_prefix(name)) without_prefix.push_back(name);
    if (is_per_broker(name)) for_one_broker.push_back(name);
  }
  if (auto verdict = names_refused("Cannot update these configs dynamically", read_only)) return verdict;
  if (auto verdict =
          names_refused("These security configs can be dynamically updated only per-listener using the listener prefix",
                        without_prefix)) {
    return verdict;
  }
  ConfigMap base_configs;
  for (const auto& [name, text] : configs)
    base_configs[std::string(without_listener_prefix(name).value_or(name))] = text;
  auto check_type = [&](const ConfigKey& key) -> Verdict {
    auto found = base_configs.find(key.name);
    if (found == base_configs.end()) return std::nullopt;
    auto value = parse_value(key, found->second);
    return value ? std::nullopt : Verdict(invalid_request(value.error().message));
  };
  for (const ConfigKey& key : dynamic_only_broker_keys()) {
    if (auto verdict = check_type(key)) return verdict;
  }
  for (const ConfigKey& key : keys_of(Scope::broker)) {
    if (key.update_mode == UpdateMode::read_only) continue;
    if (auto verdict = check_type(key)) return verdict;
  }
  if (per_broker) return std::nullopt;
  return names_refused("Cannot update these configs at default cluster level, broker id must be specified",
                       for_one_broker);
}

StringList split_without_empty_end(const std::string& text) {
  StringList parts;
  std::size_t begin = 0;
  while (true) {
    std::size_t comma = text.find(',', begin);
    parts.push_back(text.substr(begin, comma - begin));
    if (comma == std::string::npos) break;
    begin = comma + 1;
  }
  if (text.empty()) return parts;
  while (!parts.empty() && parts.back().empty()) parts.pop_back();
  return parts;
}

std::string append_or_subtract(const ConfigKey& key, const ConfigMap& configs, const AlterConfig& alteration) {
  auto found = configs.find(key.name);
  std::string old = found != configs.end() ? found->second : std::string(key.default_value.text);
  StringList elements = old.empty() ? StringList() : split_without_empty_end(old);
  for (const std::string& element : split_without_empty_end(alteration.value)) {
    auto at = std::find(elements.begin(), elements.end(), element);
    if (alteration.operation == AlterOperation::append) {
      if (at == elements.end()) elements.push_back(element);
    } else if (at != elements.end()) {
      elements.erase(at);
    }
  }
  return to_text(Value(elements), ConfigType::list).value_or("");
}

}  // namespace

Verdict validate_topic_configs(const BrokerConfig& broker, const ConfigMap& configs, const ConfigMap& existing) {
  if (auto unknown = first_unknown(Scope::topic, configs)) {
    return invalid_config("Unknown topic config name: " + *unknown);
  }
  ConfigMap texts = topic_defaults(broker);
  for (const auto& [name, text] : configs) texts[name] = text;
  auto values = ConfigValues::parse(Scope::topic, std::move(texts));
  if (!values) return invalid_config(values.error().message);
  std::int64_t min_lag = values->get_long("min.compaction.lag.ms");
  std::int64_t max_lag = values->get_long("max.compaction.lag.ms");
  if (min_lag > max_lag) {
    return invalid_config("conflict topic config setting min.compaction.lag.ms (" + std::to_string(min_lag) +
                          ") > max.compaction.lag.ms (" + std::to_string(max_lag) + ")");
  }
  if (values->get_bool("remote.storage.enable")) return check_remote_storage(broker, *values);
  return check_remote_storage_off(*values, existing);
}

Verdict validate_group_configs(const BrokerConfig& broker, const ConfigMap& configs) {
  if (auto unknown = first_unknown(Scope::group, configs)) {
    return invalid_config("Unknown group config name: " + *unknown);
  }
  if (auto verdict = check_rack_aware_tags(configs)) return verdict;
  auto values = ConfigValues::parse(Scope::group, configs);
  if (!values) return invalid_config(values.error().message);
  for (const Bounds& bounds : group_bounds) {
    if (auto verdict = check_bounds(broker, *values, bounds)) return verdict;
  }
  if (auto verdict = check_streams_assignor(broker, *values)) return verdict;
  for (const char* kind : {"consumer", "share", "streams"}) {
    if (auto verdict = check_session_above_heartbeat(broker, *values, kind)) return verdict;
  }
  if (values->get_string("errors.deadletterqueue.topic.name").starts_with("__")) {
    return invalid_config("errors.deadletterqueue.topic.name: DLQ topic name must not start with '__'");
  }
  return std::nullopt;
}

Verdict validate_client_metrics_configs(std::string_view name, const ConfigMap& configs) {
  if (name.empty()) return invalid_request("Subscription name can't be empty");
  if (auto unknown = first_unknown(Scope::client_metrics, configs)) {
    return invalid_request("Unknown client metrics configuration: " + *unknown);
  }
  auto values = ConfigValues::parse(Scope::client_metrics, configs);
  if (!values) return invalid_config(values.error().message);
  std::int32_t interval_ms = values->get_int("interval.ms");
  if (interval_ms < 100 || interval_ms > 3'600'000) {
    return invalid_request("Invalid value " + std::to_string(interval_ms) +
                           " for interval.ms, interval must be between 100 and 3600000 (1 hour)");
  }
  return check_matches(values->get_list("match"));
}

Verdict validate_broker_configs(const BrokerConfig& broker, const ConfigMap& configs, bool per_broker) {
  if (auto verdict = check_dynamic_names(configs, per_broker)) return verdict;
  std::vector<std::string> warnings;
  const ConfigMap& defaults = per_broker ? broker.dynamic_default_configs : configs;
  const ConfigMap& own = per_broker ? configs : broker.dynamic_broker_configs;
  auto next = make_effective_config(broker.static_configs, defaults, own, OutOfBounds::refused, warnings);
  if (!next) return invalid_request(next.error().message);
  // Kafka puts the cause where a value belongs; clients see this text.
  if (auto reason = refused_by_component(broker, *next)) {
    return invalid_request(invalid_value_message("Invalid dynamic configuration",
                                                 "org.apache.kafka.common.config.ConfigException: " + *reason, ""));
  }
  return std::nullopt;
}

std::expected<ConfigMap, Refusal> apply_broker_alterations(const ConfigMap& existing, bool per_broker,
                                                           const std::vector<AlterConfig>& alterations) {
  ConfigMap configs;
  for (const auto& [name, text] : existing) {
    if (!dynamic_config_problem(name, text, per_broker)) configs[name] = text;
  }
  for (const AlterConfig& alteration : alterations) {
    if (alteration.operation == AlterOperation::set) {
      configs[alteration.name] = alteration.value;
    } else if (alteration.operation == AlterOperation::remove) {
      configs.erase(alteration.name);
    } else {
      const ConfigKey* key = find_key(Scope::broker, alteration.name);
      if (key == nullptr) return std::unexpected(invalid_config("Unknown config name: " + alteration.name));
      if (key->type != ConfigType::list) {
        const char* word = alteration.operation == AlterOperation::append ? "append" : "subtract";
        return std::unexpected(
            invalid_config(std::string("Config value ") + word + " is not allowed for config key: " + alteration.name));
      }
      configs[alteration.name] = append_or_subtract(*key, configs, alteration);
    }
  }
  return configs;
}

}  // namespace dohle::config
