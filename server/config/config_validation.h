// What IncrementalAlterConfigs, AlterConfigs and CreateTopics check before a config is written to the metadata log.
// Follows kafka.server.ControllerConfigurationValidator, ConfigAdminManager, LogConfig.validate,
// GroupConfig.validate, ClientMetricsConfigs.validate and DynamicBrokerConfig.validate. Messages are Kafka's.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/error_code.h"
#include "server/config/broker_config.h"
#include "server/config/config_value.h"

namespace dohle::config {

/// Why a change is refused: invalid_config or invalid_request, and the message.
struct Refusal {
  protocol::ErrorCode error_code = protocol::ErrorCode::invalid_config;
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
  /// Empty with `remove`.
  std::string value;
};

/// What the broker that gets an IncrementalAlterConfigs for itself or for the cluster's default makes of it, before
/// it asks validate_broker_configs(): the configs that there would be. `existing` are those in the metadata image; what
/// could not be used of them is left out (ConfigAdminManager.prepareIncrementalConfigs). For other resources the
/// controller applies the operations.
std::expected<ConfigMap, Refusal> apply_broker_alterations(const ConfigMap& existing, bool per_broker,
                                                           const std::vector<AlterConfig>& alterations);

}  // namespace dohle::config
