// DescribeGroups, key 15, v0 to v6: classic groups. v3 authorized operations, v4 static members, v6 GROUP_ID_NOT_FOUND
// with a message. Source: kafka.server.KafkaApis.handleDescribeGroupsRequest.

#include <utility>
#include <vector>

#include "protocol/messages/describe_groups.h"
#include "server/api/async_handlers.h"
#include "server/api/authorized_operations.h"
#include "server/api/groups_by_partition.h"
#include "server/api/promise.h"
#include "server/api/services.h"

namespace dohle::api {

boost::asio::awaitable<protocol::DescribeGroupsResponse> describe_groups(Services& services, RequestContext& context,
                                                                         protocol::DescribeGroupsRequest& request) {
  constexpr std::int16_t first_version_with_operations = 3;
  const auto version = context.version();
  std::vector<Promise<groups::DescribedGroups>> promises;
  for (auto& [partition, ids] : groups_by_partition(services.groups, request.groups)) {
    auto& promise = promises.emplace_back();
    services.groups.describe(partition, std::move(ids), version, promise.reply());
  }
  protocol::DescribeGroupsResponse response;
  for (auto& promise : promises) {
    auto described = co_await promise.wait(context.session.closing);
    if (!described) co_return response;
    for (auto& group : *described) response.groups.push_back(std::move(group));
  }
  if (version >= first_version_with_operations && request.include_authorized_operations) {
    for (auto& group : response.groups) {
      if (group.error_code == 0) group.authorized_operations = group_operations;
    }
  }
  co_return response;
}

}  // namespace dohle::api
