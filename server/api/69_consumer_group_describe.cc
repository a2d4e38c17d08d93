// ConsumerGroupDescribe, key 69, v0 and v1. v1 the members' types. Source: KafkaApis.handleConsumerGroupDescribe.

#include <utility>
#include <vector>

#include "protocol/messages/consumer_group_describe.h"
#include "server/api/async_handlers.h"
#include "server/api/authorized_operations.h"
#include "server/api/groups_by_partition.h"
#include "server/api/promise.h"
#include "server/api/services.h"

namespace dohle::api {

boost::asio::awaitable<protocol::ConsumerGroupDescribeResponse> consumer_group_describe(
    Services& services, RequestContext& context, protocol::ConsumerGroupDescribeRequest& request) {
  protocol::ConsumerGroupDescribeResponse response;
  const auto image = services.image.current();
  if (image->features->level("group.version") < 1 || !services.groups.has_consumer_protocol()) {
    response.groups = groups::refused_consumer_description(request.group_ids, protocol::ErrorCode::unsupported_version);
    co_return response;
  }
  std::vector<Promise<groups::DescribedConsumerGroups>> promises;
  for (auto& [partition, ids] : groups_by_partition(services.groups, request.group_ids)) {
    auto& promise = promises.emplace_back();
    services.groups.consumer_describe(partition, std::move(ids), promise.reply());
  }
  for (auto& promise : promises) {
    auto described = co_await promise.wait(context.session.closing);
    if (!described) co_return response;
    for (auto& group : *described) response.groups.push_back(std::move(group));
  }
  if (request.include_authorized_operations) {
    for (auto& group : response.groups) {
      if (group.error_code == 0) group.authorized_operations = group_operations;
    }
  }
  co_return response;
}

}  // namespace dohle::api
