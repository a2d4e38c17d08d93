// What AlterConfigs and IncrementalAlterConfigs share: which resources the broker judges by itself before the
// controller gets the rest, and how the two answers become one. Source: kafka.server.ConfigAdminManager,
// ControllerApis, org.apache.kafka.server.logger.RuntimeLoggerManager.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/config/broker_config.h"
#include "server/metadata/controller.h"

namespace dohle::api {

/// One resource of either request. Operations are the numbers of the wire, known or not; SET for AlterConfigs.
struct ConfigChange {
  struct Entry {
    std::string name;
    std::int8_t operation = 0;
    std::optional<std::string> value;
  };
  std::int8_t resource_type = 0;
  std::string resource_name;
  std::vector<Entry> entries;
};

/// What the broker judges by; all of one moment.
struct ConfigChangeView {
  std::int32_t node_id = -1;
  const config::BrokerConfig& broker;
  const metadata::ConfigurationsImage& configs;
};

enum class ChangeKind : std::uint8_t { incremental, legacy };

struct ConfigChangePlan {
  /// For each change that is decided here its outcome; nullopt for those that the controller decides.
  std::vector<std::optional<metadata::ApiError>> decided;
  /// The others, in their order.
  std::vector<metadata::ConfigAlteration> for_controller;
};

/// As the broker's listener judges: duplicates and null values of everything; brokers' and loggers' configs altogether.
ConfigChangePlan plan_on_broker(const ConfigChangeView& view, ChangeKind kind,
                                const std::vector<ConfigChange>& changes);

/// As the controller's listener judges; its answer leaves duplicates out. `answers` is filled with what is decided
/// here, in the order in which it goes out.
struct ControllerPlan {
  struct Answer {
    std::int8_t resource_type = 0;
    std::string resource_name;
    metadata::ApiError error;
  };
  std::vector<Answer> answers;
  std::vector<metadata::ConfigAlteration> for_controller;
};
ControllerPlan plan_on_controller(const ConfigChangeView& view, ChangeKind kind,
                                  const std::vector<ConfigChange>& changes);

}  // namespace dohle::api
