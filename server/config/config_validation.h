// What IncrementalAlterConfigs, AlterConfigs and CreateTopics check before a config is written to the metadata log.
// Follows kafka.server.ControllerConfigurationValidator, ConfigurationControlManager, LogConfig.validate,
// GroupConfig.validate, ClientMetricsConfigs.validate and DynamicBrokerConfig.validate. Messages are Kafka's.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/config/broker_config.h"
#include "server/config/config_value.h"

namespace dohle::config {

/// Why a change is refused: the wire's error code (40 INVALID_CONFIG or 42 INVALID_REQUEST) and its message.
struct Refusal {
  static constexpr std::int16_t invalid_config = 40;
  static constexpr std::int16_t invalid_request = 42;
  std::int16_t error_code = invalid_config;
  std::string message;
};
using Verdict = std::optional<Refusal>;  // nullopt: fine

/// All configs that the topic would have (`configs`) against those that it has (`existing`, empty at creation).
Verdict validate_topic_configs(const BrokerConfig& broker, const ConfigMap& configs, const ConfigMap& existing);

/// All configs that the group would have.
Verdict validate_group_configs(const BrokerConfig& broker, const ConfigMap& configs);

/// All configs that the subscription `name` would have.
Verdict validate_client_metrics_configs(std::string_view name, const ConfigMap& configs);

/// All dynamic configs that this broker (`per_broker`) or the cluster's default would have.
Verdict validate_broker_configs(const BrokerConfig& broker, const ConfigMap& configs, bool per_broker);

/// The numbers are AlterConfigOp.OpType's.
enum class AlterOperation : std::int8_t { set = 0, remove = 1, append = 2, subtract = 3 };

struct AlterConfig {
  std::string name;
  AlterOperation operation = AlterOperation::set;
  /// Null only with `remove`.
  std::optional<std::string> value;
};

/// One key's new value (nullopt: back to the default), as a ConfigRecord says it.
using ConfigChange = std::pair<std::string, std::optional<std::string>>;

/// What IncrementalAlterConfigs makes of a resource that has `existing`: the changes that differ from what is there
/// (for brokers also those that don't, which makes them read their files again), or the refusal. It checks operations
/// only; ask validate_... with apply_changes() afterwards.
std::expected<std::vector<ConfigChange>, Refusal> plan_incremental_changes(Scope scope, const ConfigMap& existing,
                                                                           const std::vector<AlterConfig>& alters);

/// What AlterConfigs makes of it: `configs` replace everything, unnamed keys go back to their default.
std::vector<ConfigChange> plan_replacement(Scope scope, const ConfigMap& existing, const ConfigMap& configs);

ConfigMap apply_changes(ConfigMap existing, const std::vector<ConfigChange>& changes);

}  // namespace dohle::config
