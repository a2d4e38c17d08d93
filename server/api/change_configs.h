// What AlterConfigs and IncrementalAlterConfigs do alike once their requests are read: the broker judges its own
// configs first and the controller gets the rest; on the controller's listener the controller judges alone. Source:
// kafka.server.KafkaApis.handleAlterConfigsRequest and handleIncrementalAlterConfigsRequest, ControllerApis.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <vector>

#include "server/api/config_changes.h"
#include "server/api/services.h"

namespace dohle::api {

/// The outcome of each resource, in the order of the answer.
boost::asio::awaitable<std::vector<ControllerPlan::Answer>> change_configs(Services& services, bool on_controller,
                                                                           ChangeKind kind,
                                                                           const std::vector<ConfigChange>& changes,
                                                                           bool validate_only);

/// The resources of either request.
template <typename Request>
std::vector<ConfigChange> config_changes_of(const Request& request) {
  std::vector<ConfigChange> changes;
  for (const auto& resource : request.resources) {
    auto& change = changes.emplace_back();
    change.resource_type = resource.resource_type;
    change.resource_name = resource.resource_name;
    for (const auto& entry : resource.configs) {
      auto& added = change.entries.emplace_back();
      added.name = entry.name;
      added.value = entry.value;
      if constexpr (requires { entry.config_operation; }) added.operation = entry.config_operation;
    }
  }
  return changes;
}

/// Either response.
template <typename Response>
Response config_answers(const std::vector<ControllerPlan::Answer>& outcomes) {
  Response response;
  for (const auto& outcome : outcomes) {
    auto& answer = response.responses.emplace_back();
    answer.resource_type = outcome.resource_type;
    answer.resource_name = outcome.resource_name;
    answer.error_code = static_cast<std::int16_t>(outcome.error.code);
    answer.error_message = outcome.error.message;
  }
  return response;
}

}  // namespace dohle::api
