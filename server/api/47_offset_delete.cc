// OffsetDelete, key 47, v0 (KIP-496). Source: kafka.server.KafkaApis.handleOffsetDeleteRequest.

#include <utility>
#include <vector>

#include "protocol/messages/offset_delete.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/groups/group_coordinator.h"

namespace dohle::api {

namespace {

using protocol::ErrorCode;
using protocol::OffsetDeleteResponse;
using Topic = protocol::OffsetDeleteRequest::OffsetDeleteRequestTopic;

OffsetDeleteResponse::OffsetDeleteResponseTopic& find_or_add(OffsetDeleteResponse& response, const std::string& name) {
  for (auto& topic : response.topics) {
    if (topic.name == name) return topic;
  }
  auto& topic = response.topics.emplace_back();
  topic.name = name;
  return topic;
}

/// Leaves the partitions that exist in `topic`; the others are refused.
void refuse_unknown(const metadata::MetadataImage& image, Topic& topic, OffsetDeleteResponse& refused) {
  const auto* found = image.topics->find(topic.name);
  if (found == nullptr) find_or_add(refused, topic.name);
  std::erase_if(topic.partitions, [&](const auto& partition) {
    if (found != nullptr && found->partition(partition.partition_index) != nullptr) return false;
    auto& answer = find_or_add(refused, topic.name).partitions.emplace_back();
    answer.partition_index = partition.partition_index;
    answer.error_code = static_cast<std::int16_t>(ErrorCode::unknown_topic_or_partition);
    return true;
  });
}

}  // namespace

boost::asio::awaitable<OffsetDeleteResponse> offset_delete(Services& services, RequestContext& context,
                                                           protocol::OffsetDeleteRequest& request) {
  OffsetDeleteResponse response;
  {
    const auto image = services.image.current();
    for (auto& topic : request.topics) refuse_unknown(*image, topic, response);
    std::erase_if(request.topics, [](const Topic& topic) { return topic.partitions.empty(); });
  }
  Promise<OffsetDeleteResponse> promise;
  services.groups.remove_offsets(std::move(request), promise.reply());
  auto answer = co_await promise.wait(context.session.closing);
  if (!answer) co_return response;
  if (answer->error_code != 0 || response.topics.empty()) co_return std::move(*answer);
  for (auto& topic : answer->topics) {
    auto& merged = find_or_add(response, topic.name);
    for (auto& partition : topic.partitions) merged.partitions.push_back(std::move(partition));
  }
  co_return response;
}

}  // namespace dohle::api
