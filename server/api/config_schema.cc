#include "server/api/config_schema.h"

#include <charconv>

#include "server/api/topic_name.h"
#include "server/config/config_entries.h"
#include "server/config/config_validation.h"

namespace dohle::api {

namespace {

using metadata::ApiError;
using protocol::ErrorCode;

ApiError invalid_request(std::string message) {
  return {ErrorCode::invalid_request, std::move(message)};
}

ApiError to_api_error(const config::Verdict& verdict) {
  if (!verdict) return {};
  return {verdict->error_code, verdict->message};
}

/// The controller checks a broker resource's name only: its keys were checked by the broker that was asked.
ApiError validate_broker_name(const std::string& name) {
  if (name.empty()) return {};
  std::int32_t id = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (error != std::errc() || end != name.data() + name.size()) {
    return invalid_request("Unable to parse broker name as a base 10 number.");
  }
  if (id < 0) return invalid_request("Invalid negative broker ID.");
  return {};
}

}  // namespace

std::optional<config::Scope> scope_of(metadata::ConfigResourceType type) {
  switch (type) {
    case metadata::ConfigResourceType::topic:
      return config::Scope::topic;
    case metadata::ConfigResourceType::broker:
      return config::Scope::broker;
    case metadata::ConfigResourceType::group:
      return config::Scope::group;
    case metadata::ConfigResourceType::client_metrics:
      return config::Scope::client_metrics;
    case metadata::ConfigResourceType::unknown:
    case metadata::ConfigResourceType::broker_logger:
      break;
  }
  return std::nullopt;
}

config::ConfigMap to_config_map(const metadata::ConfigMap& configs) {
  return {configs.begin(), configs.end()};
}

bool TableConfigSchema::is_list(metadata::ConfigResourceType type, const std::string& key) const {
  // KafkaConfigSchema knows the keys of topics and brokers only.
  const auto scope = scope_of(type);
  if (scope != config::Scope::topic && scope != config::Scope::broker) return false;
  const auto* row = *scope == config::Scope::broker ? config::find_broker_key(key) : config::find_key(*scope, key);
  return row != nullptr && row->type == config::ConfigType::list;
}

std::optional<std::string> TableConfigSchema::default_value(metadata::ConfigResourceType type,
                                                            const std::string& key) const {
  // KafkaConfigSchema.getDefault: the key's own default, whatever server.properties says.
  const auto scope = scope_of(type);
  const auto* row = scope ? config::find_key(*scope, key) : nullptr;
  if (row == nullptr || row->default_value.kind != config::DefaultValue::Kind::text) return std::nullopt;
  return std::string(row->default_value.text);
}

ApiError TableConfigSchema::validate(const metadata::ConfigResource& resource, const metadata::ConfigMap& configs,
                                     const metadata::ConfigMap& existing) const {
  const auto broker = broker_.current();
  switch (resource.type) {
    case metadata::ConfigResourceType::topic:
      if (resource.name.empty()) return invalid_request("Default topic resources are not allowed.");
      if (!is_valid_topic_name(resource.name))
        return {ErrorCode::invalid_topic_exception, metadata::invalid_topic_name(resource.name)};
      return to_api_error(config::validate_topic_configs(*broker, to_config_map(configs), to_config_map(existing)));
    case metadata::ConfigResourceType::broker:
      return validate_broker_name(resource.name);
    case metadata::ConfigResourceType::group:
      if (resource.name.empty()) return invalid_request("Default group resources are not allowed.");
      return to_api_error(config::validate_group_configs(*broker, to_config_map(configs)));
    case metadata::ConfigResourceType::client_metrics:
      return to_api_error(config::validate_client_metrics_configs(resource.name, to_config_map(configs)));
    case metadata::ConfigResourceType::broker_logger:
      return invalid_request("Unexpected resource type BROKER_LOGGER.");
    case metadata::ConfigResourceType::unknown:
      break;
  }
  return invalid_request("Unknown resource type " + std::to_string(static_cast<int>(resource.type)));
}

std::vector<metadata::EffectiveConfig> TableConfigSchema::effective_topic_configs(
    const metadata::ConfigMap& topic, const metadata::ConfigMap& cluster_default,
    const metadata::ConfigMap& broker) const {
  const auto dynamic =
      config::with_dynamic_configs(*broker_.current(), to_config_map(cluster_default), to_config_map(broker));
  auto entries = config::describe_topic(dynamic.config, to_config_map(topic));
  std::vector<metadata::EffectiveConfig> result;
  if (!entries) return result;
  for (auto& entry : *entries) {
    // As the topic says it, before it was parsed.
    if (const auto own = topic.find(entry.name); own != topic.end() && !entry.sensitive) entry.value = own->second;
    result.push_back({std::move(entry.name), std::move(entry.value), entry.read_only,
                      static_cast<std::int8_t>(entry.source), entry.sensitive});
  }
  return result;
}

}  // namespace dohle::api
