// ConsumerGroupHeartbeat, key 68, v0 and v1. v1: members make their ids, subscription by regular expression.
// Source: kafka.server.KafkaApis.handleConsumerGroupHeartbeat.

#include <utility>

#include "protocol/messages/consumer_group_heartbeat.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/groups/group_coordinator.h"

namespace dohle::api {

boost::asio::awaitable<protocol::ConsumerGroupHeartbeatResponse> consumer_group_heartbeat(
    Services& services, RequestContext& context, protocol::ConsumerGroupHeartbeatRequest& request) {
  protocol::ConsumerGroupHeartbeatResponse response;
  const auto image = services.image.current();
  if (image->features->level("group.version") < 1 || !services.groups.has_consumer_protocol()) {
    response.error_code = static_cast<std::int16_t>(protocol::ErrorCode::unsupported_version);
    co_return response;
  }
  groups::ClientInfo client;
  client.client_id = context.header.client_id.value_or("");
  client.client_host = "/" + context.session.peer_host;
  client.version = context.version();
  Promise<protocol::ConsumerGroupHeartbeatResponse> promise;
  services.groups.consumer_heartbeat(std::move(client), std::move(request), promise.reply());
  auto answer = co_await promise.wait(context.session.closing);
  if (answer) response = std::move(*answer);
  co_return response;
}

}  // namespace dohle::api
