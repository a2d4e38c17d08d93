// IncrementalAlterConfigs, key 44, v0 and v1 (KIP-339; loggers: KIP-412).
// Source: kafka.server.KafkaApis.handleIncrementalAlterConfigsRequest, ControllerApis.handleIncrementalAlterConfigs.

#include "protocol/messages/incremental_alter_configs.h"
#include "server/api/async_handlers.h"
#include "server/api/change_configs.h"

namespace dohle::api {

boost::asio::awaitable<protocol::IncrementalAlterConfigsResponse> incremental_alter_configs(
    Services& services, RequestContext& context, protocol::IncrementalAlterConfigsRequest& request) {
  const auto changes = config_changes_of(request);
  const auto outcomes = co_await change_configs(services, context.session.is_controller, ChangeKind::incremental,
                                                changes, request.validate_only);
  co_return config_answers<protocol::IncrementalAlterConfigsResponse>(outcomes);
}

}  // namespace dohle::api
