// AlterConfigs, key 33, v0 to v2: what is not named goes. On a broker's listener the broker judges its
// own configs first and the controller gets the rest; on the controller's listener the controller judges alone.
// Source: kafka.server.KafkaApis.handleAlterConfigsRequest, ControllerApis.handleLegacyAlterConfigs.

#include "protocol/messages/alter_configs.h"
#include "server/api/async_handlers.h"
#include "server/api/config_changes.h"
#include "server/api/controller_home.h"
#include "server/api/services.h"

namespace dohle::api {

namespace {

using Results = std::vector<metadata::ConfigAlterationResult>;
using Response = protocol::AlterConfigsResponse;

std::vector<ConfigChange> changes_of(const protocol::AlterConfigsRequest& request) {
  std::vector<ConfigChange> changes;
  for (const auto& resource : request.resources) {
    auto& change = changes.emplace_back();
    change.resource_type = resource.resource_type;
    change.resource_name = resource.resource_name;
    for (const auto& entry : resource.configs) {
      change.entries.push_back({entry.name, 0, entry.value});
    }
  }
  return changes;
}

void add_answer(Response& response, std::int8_t type, const std::string& name, const metadata::ApiError& error) {
  auto& answer = response.responses.emplace_back();
  answer.resource_type = type;
  answer.resource_name = name;
  answer.error_code = static_cast<std::int16_t>(error.code);
  answer.error_message = error.message;
}

boost::asio::awaitable<metadata::ControllerResult<Results>> apply(
    Services& services, const std::vector<metadata::ConfigAlteration>& alterations, bool validate_only) {
  const auto operation = [&alterations](const metadata::Controller& controller, const metadata::MetadataImage& image) {
    return controller.legacy_alter_configs(image, alterations);
  };
  auto result = co_await services.controller.run<Results>(operation, validate_only);
  co_return result;
}

}  // namespace

boost::asio::awaitable<Response> alter_configs(Services& services, RequestContext& context,
                                               protocol::AlterConfigsRequest& request) {
  const auto changes = changes_of(request);
  const auto config = services.config.current();
  const auto image = services.image.current();
  const ConfigChangeView view{.node_id = services.node_id, .broker = *config, .configs = *image->configs};
  Response response;
  if (context.session.is_controller) {
    const auto plan = plan_on_controller(view, ChangeKind::legacy, changes);
    for (const auto& answer : plan.answers) {
      add_answer(response, answer.resource_type, answer.resource_name, answer.error);
    }
    const auto result = co_await apply(services, plan.for_controller, request.validate_only);
    for (std::size_t i = 0; i < plan.for_controller.size(); ++i) {
      const auto& resource = plan.for_controller[i].resource;
      add_answer(response, static_cast<std::int8_t>(resource.type), resource.name,
                 result.error.failed() ? result.error : result.response[i].error);
    }
    co_return response;
  }
  const auto plan = plan_on_broker(view, ChangeKind::legacy, changes);
  metadata::ControllerResult<Results> result;
  if (!plan.for_controller.empty()) result = co_await apply(services, plan.for_controller, request.validate_only);
  std::size_t next = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    metadata::ApiError error;
    if (plan.decided[i]) {
      error = *plan.decided[i];
    } else {
      error = result.error.failed() ? result.error : result.response[next].error;
      ++next;
    }
    add_answer(response, changes[i].resource_type, changes[i].resource_name, error);
  }
  co_return response;
}

}  // namespace dohle::api
