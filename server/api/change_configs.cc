#include "server/api/change_configs.h"

#include "server/api/controller_home.h"

namespace dohle::api {

namespace {

using Results = std::vector<metadata::ConfigAlterationResult>;
using Outcomes = std::vector<ControllerPlan::Answer>;

bool has_known_operations(const std::vector<metadata::ConfigAlteration>& alterations) {
  for (const auto& alteration : alterations) {
    for (const auto& entry : alteration.entries) {
      if (static_cast<std::int8_t>(entry.op) < 0 || entry.op > metadata::ConfigAlteration::Op::subtract) return false;
    }
  }
  return true;
}

boost::asio::awaitable<metadata::ControllerResult<Results>> apply(
    Services& services, ChangeKind kind, const std::vector<metadata::ConfigAlteration>& alterations,
    bool validate_only) {
  // Kafka's controller trips over an operation that it does not know, and the request fails as a whole.
  if (!has_known_operations(alterations)) {
    metadata::ControllerResult<Results> failed;
    failed.error.code = protocol::ErrorCode::unknown_server_error;
    co_return failed;
  }
  const auto operation = [&alterations, kind](const metadata::Controller& controller,
                                              const metadata::MetadataImage& image) {
    return kind == ChangeKind::legacy ? controller.legacy_alter_configs(image, alterations)
                                      : controller.incremental_alter_configs(image, alterations);
  };
  auto result = co_await services.controller.run<Results>(operation, validate_only);
  co_return result;
}

const metadata::ApiError& error_of(const metadata::ControllerResult<Results>& result, std::size_t index) {
  return result.error.failed() ? result.error : result.response[index].error;
}

}  // namespace

boost::asio::awaitable<Outcomes> change_configs(Services& services, bool on_controller, ChangeKind kind,
                                                const std::vector<ConfigChange>& changes, bool validate_only) {
  const auto config = services.config.current();
  const auto image = services.image.current();
  const ConfigChangeView view{.node_id = services.node_id, .broker = *config, .configs = *image->configs};
  if (on_controller) {
    auto plan = plan_on_controller(view, kind, changes);
    const auto result = co_await apply(services, kind, plan.for_controller, validate_only);
    for (std::size_t i = 0; i < plan.for_controller.size(); ++i) {
      const auto& resource = plan.for_controller[i].resource;
      plan.answers.push_back({static_cast<std::int8_t>(resource.type), resource.name, error_of(result, i)});
    }
    co_return std::move(plan.answers);
  }
  const auto plan = plan_on_broker(view, kind, changes);
  metadata::ControllerResult<Results> result;
  if (!plan.for_controller.empty()) result = co_await apply(services, kind, plan.for_controller, validate_only);
  Outcomes outcomes;
  std::size_t next = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& error = plan.decided[i] ? *plan.decided[i] : error_of(result, next++);
    outcomes.push_back({changes[i].resource_type, changes[i].resource_name, error});
  }
  co_return outcomes;
}

}  // namespace dohle::api
