// DeleteGroups, key 42, v0 to v3. v3 messages (KIP-1331). Source: kafka.server.KafkaApis.handleDeleteGroupsRequest.

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "protocol/messages/delete_groups.h"
#include "server/api/async_handlers.h"
#include "server/api/groups_by_partition.h"
#include "server/api/promise.h"
#include "server/api/services.h"

namespace dohle::api {

boost::asio::awaitable<protocol::DeleteGroupsResponse> delete_groups(Services& services, RequestContext& context,
                                                                     protocol::DeleteGroupsRequest& request) {
  std::vector<std::string> distinct;
  std::unordered_set<std::string> seen;
  for (const auto& id : request.groups_names) {
    if (seen.insert(id).second) distinct.push_back(id);
  }
  std::vector<Promise<groups::DeletedGroups>> promises;
  for (auto& [partition, ids] : groups_by_partition(services.groups, distinct)) {
    auto& promise = promises.emplace_back();
    services.groups.remove(partition, std::move(ids), promise.reply());
  }
  protocol::DeleteGroupsResponse response;
  for (auto& promise : promises) {
    auto deleted = co_await promise.wait(context.session.closing);
    if (!deleted) co_return response;
    for (auto& result : *deleted) response.results.push_back(std::move(result));
  }
  co_return response;
}

}  // namespace dohle::api
