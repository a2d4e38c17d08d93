// LeaveGroup, key 13, v0 to v5. v3 many members (KIP-345), v5 reasons (KIP-800).
// Source: kafka.server.KafkaApis.handleLeaveGroupRequest, LeaveGroupRequest.normalizedData, LeaveGroupResponse.

#include <utility>

#include "protocol/messages/leave_group.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/groups/group_coordinator.h"

namespace dohle::api {

boost::asio::awaitable<protocol::LeaveGroupResponse> leave_group(Services& services, RequestContext& context,
                                                                 protocol::LeaveGroupRequest& request) {
  const bool has_members = context.version() >= 3;
  if (!has_members) {
    request.members.clear();
    request.members.emplace_back().member_id = std::move(request.member_id);
  }
  Promise<protocol::LeaveGroupResponse> promise;
  services.groups.leave(std::move(request), promise.reply());
  auto answer = co_await promise.wait(context.session.closing);
  protocol::LeaveGroupResponse response;
  if (answer) response = std::move(*answer);
  if (!has_members) {
    if (response.error_code == 0 && !response.members.empty())
      response.error_code = response.members.front().error_code;
    response.members.clear();
  }
  co_return response;
}

}  // namespace dohle::api
