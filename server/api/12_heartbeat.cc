// Heartbeat, key 12, v0 to v4. v3 static members. Source: kafka.server.KafkaApis.handleHeartbeatRequest.

#include <utility>

#include "protocol/messages/heartbeat.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/groups/group_coordinator.h"

namespace dohle::api {

boost::asio::awaitable<protocol::HeartbeatResponse> heartbeat(Services& services, RequestContext& context,
                                                              protocol::HeartbeatRequest& request) {
  Promise<protocol::HeartbeatResponse> promise;
  services.groups.heartbeat(std::move(request), promise.reply());
  auto answer = co_await promise.wait(context.session.closing);
  protocol::HeartbeatResponse response;
  if (answer) response = *answer;
  co_return response;
}

}  // namespace dohle::api
