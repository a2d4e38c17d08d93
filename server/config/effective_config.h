// One configuration of the layers static, dynamic for the cluster, dynamic for the broker. Follows the constructor of
// KafkaConfig and DynamicBrokerConfig.validatedKafkaProps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/config/broker_config.h"

namespace dohle::config {

/// What happens to a dynamic assignment interval outside the broker's bounds: a change is refused, but what is in the
/// metadata log already is moved to the bound (GroupCoordinatorConfig.clampDynamicConfigs).
enum class OutOfBounds : std::uint8_t { refused, clamped };

/// Parses and checks the layers laid over each other. A dynamic key takes its static synonyms away, so that a dynamic
/// log.retention.ms wins over a static log.retention.hours and the other way round.
Parsed<BrokerConfig> make_effective_config(const ConfigMap& static_configs, const ConfigMap& dynamic_defaults,
                                           const ConfigMap& dynamic_broker, OutOfBounds out_of_bounds,
                                           std::vector<std::string>& warnings);

/// Why a dynamic config that is in the metadata log cannot be used; nullopt if it can.
std::optional<std::string> dynamic_config_problem(const std::string& name, const std::string& text, bool per_broker);

/// Whether a dynamic change of `name` must name a broker (DynamicBrokerConfig.perBrokerConfigs).
bool is_per_broker(std::string_view name);

/// Whether it is a security key that must carry a listener's prefix when it is changed dynamically.
bool needs_listener_prefix(std::string_view name);

}  // namespace dohle::config
