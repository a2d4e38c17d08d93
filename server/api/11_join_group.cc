// JoinGroup, key 11, v0 to v9. v1 rebalance timeout, v4 two steps (KIP-394), v5 static members (KIP-345), v7 protocol
// type (KIP-559), v8 reasons (KIP-800), v9 skip assignment (KIP-814). Source:
// kafka.server.KafkaApis.handleJoinGroupRequest.

#include <utility>

#include "protocol/messages/join_group.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/groups/group_coordinator.h"

namespace dohle::api {

boost::asio::awaitable<protocol::JoinGroupResponse> join_group(Services& services, RequestContext& context,
                                                               protocol::JoinGroupRequest& request) {
  constexpr std::int16_t first_version_with_null_protocol = 7;
  const auto version = context.version();
  if (version == 0) request.rebalance_timeout_ms = request.session_timeout_ms;
  groups::ClientInfo client;
  client.client_id = context.header.client_id.value_or("");
  client.client_host = "/" + context.session.peer_host;
  client.version = version;
  Promise<protocol::JoinGroupResponse> promise;
  // It may be parked for minutes, and was copied out of its frame when it was decoded.
  if (context.frame_owner != nullptr) context.frame_owner->release_frame();
  services.groups.join(std::move(client), std::move(request), promise.reply());
  auto answer = co_await promise.wait(context.session.closing, &context.session.is_forgotten);
  protocol::JoinGroupResponse response;
  if (answer) response = std::move(*answer);
  // JoinGroupResponse's constructor: "no protocol" is null where the version can say it.
  if (version < first_version_with_null_protocol) {
    response.protocol_name = response.protocol_name.value_or("");
  } else if (response.protocol_name == "") {
    response.protocol_name = std::nullopt;
  }
  co_return response;
}

}  // namespace dohle::api
