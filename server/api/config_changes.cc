#include "server/api/config_changes.h"

#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "server/config/config_validation.h"

namespace dohle::api {

namespace {

using metadata::ApiError;
using metadata::ConfigResourceType;
using protocol::ErrorCode;

ApiError invalid_request(std::string message) {
  return {ErrorCode::invalid_request, std::move(message)};
}
ApiError invalid_config(std::string message) {
  return {ErrorCode::invalid_config, std::move(message)};
}

bool is_remove(std::int8_t operation) {
  return operation == static_cast<std::int8_t>(config::AlterOperation::remove);
}

bool is_known(std::int8_t operation) {
  return operation >= 0 && operation <= static_cast<std::int8_t>(config::AlterOperation::subtract);
}

/// Integer.parseInt, as far as ASCII goes.
std::optional<std::int32_t> parse_int(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

ApiError check_entries(const ConfigChange& change) {
  std::set<std::string_view> names;
  for (const auto& entry : change.entries) {
    if (!names.insert(entry.name).second) return invalid_request("Error due to duplicate config keys");
  }
  std::string nulls;
  for (const auto& entry : change.entries) {
    if (entry.value || is_remove(entry.operation)) continue;
    nulls += (nulls.empty() ? "" : ", ") + entry.name;
  }
  if (!nulls.empty()) return invalid_request("Null value not supported for : " + nulls);
  return {};
}

ApiError check_node_id(const ConfigChangeView& view, const std::string& name) {
  const auto id = parse_int(name);
  if (!id) return invalid_request("Node id must be an integer, but it is: " + name);
  if (*id == view.node_id) return {};
  return invalid_request("Unexpected broker id, expected " + std::to_string(view.node_id) + ", but received " + name);
}

// --- Brokers -------------------------------------------------------------------------------------------------------

std::expected<config::ConfigMap, config::Refusal> wanted_broker_configs(const ConfigChangeView& view, ChangeKind kind,
                                                                        const ConfigChange& change) {
  config::ConfigMap configs;
  if (kind == ChangeKind::legacy) {
    for (const auto& entry : change.entries) configs[entry.name] = entry.value.value_or("");
    return configs;
  }
  std::vector<config::AlterConfig> alterations;
  for (const auto& entry : change.entries) {
    if (!is_known(entry.operation)) {
      return std::unexpected(
          config::Refusal{ErrorCode::invalid_request, "Unknown operations type " + std::to_string(entry.operation)});
    }
    alterations.push_back({entry.name, static_cast<config::AlterOperation>(entry.operation), entry.value.value_or("")});
  }
  const auto& existing = view.configs.configs({ConfigResourceType::broker, change.resource_name});
  return config::apply_broker_alterations(existing, !change.resource_name.empty(), alterations);
}

ApiError check_broker(const ConfigChangeView& view, ChangeKind kind, const ConfigChange& change) {
  const bool per_broker = !change.resource_name.empty();
  if (per_broker) {
    if (auto error = check_node_id(view, change.resource_name); error.failed()) return error;
  }
  const auto configs = wanted_broker_configs(view, kind, change);
  if (!configs) return {configs.error().error_code, configs.error().message};
  const auto refusal = config::validate_broker_configs(view.broker, *configs, per_broker);
  return refusal ? ApiError{refusal->error_code, refusal->message} : ApiError{};
}

// --- Loggers -------------------------------------------------------------------------------------------------------

constexpr std::string_view root_logger = "root";  // there is no other

ApiError check_logger_entry(const ConfigChange::Entry& entry) {
  static const std::set<std::string_view> levels{"DEBUG", "ERROR", "FATAL", "INFO", "TRACE", "WARN"};
  const bool exists = entry.name == root_logger;
  ApiError missing = invalid_config("Logger " + entry.name + " does not exist!");
  switch (static_cast<config::AlterOperation>(entry.operation)) {
    case config::AlterOperation::set:
      if (!exists) return missing;
      if (levels.contains(entry.value.value_or(""))) return {};
      return invalid_config("Cannot set the log level of " + entry.name + " to " + entry.value.value_or("null") +
                            " as it is not a supported log level. Valid log levels are DEBUG, ERROR, FATAL, INFO, "
                            "TRACE, WARN");
    case config::AlterOperation::remove:
      if (!exists) return missing;
      return invalid_request("Removing the log level of the root logger is not allowed");
    case config::AlterOperation::append:
      return invalid_request("APPEND operation is not allowed for the BROKER_LOGGER resource");
    case config::AlterOperation::subtract:
      return invalid_request("SUBTRACT operation is not allowed for the BROKER_LOGGER resource");
  }
  return invalid_request("Unknown operation type " + std::to_string(entry.operation) +
                         " is not allowed for the BROKER_LOGGER resource");
}

/// Our lines have no level to be switched off below INFO: a good change is answered and has no effect.
ApiError check_loggers(const ConfigChangeView& view, const ConfigChange& change) {
  const auto id = parse_int(change.resource_name);
  if (!id) return invalid_request("Node id must be an integer, but it is: " + change.resource_name);
  if (*id != view.node_id) {
    return invalid_request("Unexpected node id. Expected " + std::to_string(view.node_id) + ", but received " +
                           std::to_string(*id));
  }
  for (const auto& entry : change.entries) {
    if (auto error = check_logger_entry(entry); error.failed()) return error;
  }
  return {};
}

// --- Both ----------------------------------------------------------------------------------------------------------

metadata::ConfigAlteration to_alteration(const ConfigChange& change) {
  metadata::ConfigAlteration alteration;
  alteration.resource = {static_cast<ConfigResourceType>(change.resource_type), change.resource_name};
  // Each key counts once, with what was said last: Kafka's controller gets a map.
  std::map<std::string_view, std::size_t> positions;
  for (const auto& entry : change.entries) {
    metadata::ConfigAlteration::Entry wanted{entry.name, static_cast<metadata::ConfigAlteration::Op>(entry.operation),
                                             entry.value};
    const auto [position, is_new] = positions.emplace(entry.name, alteration.entries.size());
    if (is_new) {
      alteration.entries.push_back(std::move(wanted));
    } else {
      alteration.entries[position->second] = std::move(wanted);
    }
  }
  return alteration;
}

std::optional<ApiError> decide_on_broker(const ConfigChangeView& view, ChangeKind kind, const ConfigChange& change) {
  if (auto error = check_entries(change); error.failed()) return error;
  switch (static_cast<ConfigResourceType>(change.resource_type)) {
    case ConfigResourceType::broker_logger:
      if (kind == ChangeKind::incremental) return check_loggers(view, change);
      break;
    case ConfigResourceType::broker:
      if (auto error = check_broker(view, kind, change); error.failed()) return error;
      return std::nullopt;
    case ConfigResourceType::topic:
    case ConfigResourceType::client_metrics:
    case ConfigResourceType::group:
      return std::nullopt;
    case ConfigResourceType::unknown:
      break;
  }
  return invalid_request("Unknown resource type " + std::to_string(change.resource_type));
}

bool is_known_type(std::int8_t type) {
  switch (static_cast<ConfigResourceType>(type)) {
    case ConfigResourceType::topic:
    case ConfigResourceType::broker:
    case ConfigResourceType::broker_logger:
    case ConfigResourceType::client_metrics:
    case ConfigResourceType::group:
      return true;
    case ConfigResourceType::unknown:
      break;
  }
  return false;
}

}  // namespace

ConfigChangePlan plan_on_broker(const ConfigChangeView& view, ChangeKind kind,
                                const std::vector<ConfigChange>& changes) {
  std::map<std::pair<std::int8_t, std::string_view>, int> counts;
  for (const auto& change : changes) ++counts[{change.resource_type, change.resource_name}];
  ConfigChangePlan plan;
  for (const auto& change : changes) {
    const bool is_unique = counts[{change.resource_type, change.resource_name}] == 1;
    auto decided = is_unique ? decide_on_broker(view, kind, change)
                             : std::optional(invalid_request("Each resource must appear at most once."));
    if (!decided) plan.for_controller.push_back(to_alteration(change));
    plan.decided.push_back(std::move(decided));
  }
  return plan;
}

ControllerPlan plan_on_controller(const ConfigChangeView& view, ChangeKind kind,
                                  const std::vector<ConfigChange>& changes) {
  std::map<std::pair<std::int8_t, std::string_view>, int> counts;
  for (const auto& change : changes) ++counts[{change.resource_type, change.resource_name}];
  ControllerPlan plan;
  std::set<std::pair<std::int8_t, std::string_view>> answered;
  for (const auto& change : changes) {
    const auto answer = [&](ApiError error) {
      plan.answers.push_back({change.resource_type, change.resource_name, std::move(error)});
    };
    const std::pair<std::int8_t, std::string_view> key{change.resource_type, change.resource_name};
    if (kind == ChangeKind::incremental &&
        static_cast<ConfigResourceType>(change.resource_type) == ConfigResourceType::broker_logger) {
      answer(check_loggers(view, change));
    } else if (!is_known_type(change.resource_type)) {
      answer({ErrorCode::unsupported_version, "Unknown resource type " + std::to_string(change.resource_type) + "."});
    } else if (counts[key] == 1) {
      plan.for_controller.push_back(to_alteration(change));
    } else if (answered.insert(key).second) {
      answer(invalid_request("Duplicate resource."));
    }
  }
  return plan;
}

}  // namespace dohle::api
