// ListGroups, key 16, v0 to v5: groups whose coordinator is this broker. v4 states (KIP-518), v5 types (KIP-848).
// Source: kafka.server.KafkaApis.handleListGroupsRequest, GroupCoordinatorService.listGroups.

#include <utility>
#include <vector>

#include "protocol/messages/list_groups.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/groups/group_coordinator.h"

namespace dohle::api {

boost::asio::awaitable<protocol::ListGroupsResponse> list_groups(Services& services, RequestContext& context,
                                                                 protocol::ListGroupsRequest& request) {
  using Listing = groups::GroupCoordinator::Listing;
  using protocol::ErrorCode;
  std::vector<Promise<Listing>> promises;
  for (const auto partition : services.groups.runtime().led_partitions()) {
    auto& promise = promises.emplace_back();
    services.groups.list(partition, request.states_filter, request.types_filter, promise.reply());
  }
  protocol::ListGroupsResponse response;
  for (auto& promise : promises) {
    auto listing = co_await promise.wait(context.session.closing);
    if (!listing) co_return response;
    if (listing->error == ErrorCode::not_coordinator) continue;  // it has just gone to another broker
    if (listing->error != ErrorCode::none) {
      response.error_code = static_cast<std::int16_t>(listing->error);
      response.groups.clear();
      co_return response;
    }
    for (auto& group : listing->groups) response.groups.push_back(std::move(group));
  }
  co_return response;
}

}  // namespace dohle::api
