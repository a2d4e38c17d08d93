// AlterConfigs, key 33, v0 to v2: what is not named goes.
// Source: kafka.server.KafkaApis.handleAlterConfigsRequest, ControllerApis.handleLegacyAlterConfigs.

#include "protocol/messages/alter_configs.h"
#include "server/api/async_handlers.h"
#include "server/api/change_configs.h"

namespace dohle::api {

boost::asio::awaitable<protocol::AlterConfigsResponse> alter_configs(Services& services, RequestContext& context,
                                                                     protocol::AlterConfigsRequest& request) {
  const auto changes = config_changes_of(request);
  const auto outcomes = co_await change_configs(services, context.session.is_controller, ChangeKind::legacy, changes,
                                                request.validate_only);
  co_return config_answers<protocol::AlterConfigsResponse>(outcomes);
}

}  // namespace dohle::api
