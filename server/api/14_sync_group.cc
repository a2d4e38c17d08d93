// SyncGroup, key 14, v0 to v5. v3 static members, v5 protocol type and name (KIP-559).
// Source: kafka.server.KafkaApis.handleSyncGroupRequest.

#include <utility>

#include "protocol/messages/sync_group.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/groups/group_coordinator.h"

namespace dohle::api {

boost::asio::awaitable<protocol::SyncGroupResponse> sync_group(Services& services, RequestContext& context,
                                                               protocol::SyncGroupRequest& request) {
  constexpr std::int16_t first_version_with_protocol = 5;
  protocol::SyncGroupResponse response;
  if (context.version() >= first_version_with_protocol && !(request.protocol_type && request.protocol_name)) {
    response.error_code = static_cast<std::int16_t>(protocol::ErrorCode::inconsistent_group_protocol);
    co_return response;
  }
  Promise<protocol::SyncGroupResponse> promise;
  // It may be parked for minutes, and was copied out of its frame when it was decoded.
  if (context.frame_owner != nullptr) context.frame_owner->release_frame();
  services.groups.sync(std::move(request), promise.reply());
  auto answer = co_await promise.wait(context.session.closing, &context.session.is_forgotten);
  if (answer) response = std::move(*answer);
  co_return response;
}

}  // namespace dohle::api
