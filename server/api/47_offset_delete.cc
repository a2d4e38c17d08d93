// OffsetDelete, key 47, v0 (KIP-496). Source: kafka.server.KafkaApis.handleOffsetDeleteRequest.

#include <string>
#include <unordered_map>
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

/// Topic by topic; each is there once.
struct Answer {
  OffsetDeleteResponse response;
  std::unordered_map<std::string, std::size_t> positions;

  OffsetDeleteResponse::OffsetDeleteResponseTopic& topic(const std::string& name) {
    const auto [known, is_new] = positions.try_emplace(name, response.topics.size());
    if (is_new) response.topics.emplace_back().name = name;
    return response.topics[known->second];
  }
};

/// Leaves the partitions that exist in `topic`; the others are refused.
void refuse_unknown(const metadata::MetadataImage& image, Topic& topic, Answer& refused) {
  const auto* found = image.topics->find(topic.name);
  if (found == nullptr) refused.topic(topic.name);
  std::erase_if(topic.partitions, [&](const auto& partition) {
    if (found != nullptr && found->partition(partition.partition_index) != nullptr) return false;
    auto& answer = refused.topic(topic.name).partitions.emplace_back();
    answer.partition_index = partition.partition_index;
    answer.error_code = static_cast<std::int16_t>(ErrorCode::unknown_topic_or_partition);
    return true;
  });
}

}  // namespace

boost::asio::awaitable<OffsetDeleteResponse> offset_delete(Services& services, RequestContext& context,
                                                           protocol::OffsetDeleteRequest& request) {
  Answer refused;
  {
    const auto image = services.image.current();
    for (auto& topic : request.topics) refuse_unknown(*image, topic, refused);
    std::erase_if(request.topics, [](const Topic& topic) { return topic.partitions.empty(); });
  }
  Promise<OffsetDeleteResponse> promise;
  services.groups.remove_offsets(std::move(request), promise.reply());
  auto answer = co_await promise.wait(context.session.closing);
  if (!answer) co_return std::move(refused.response);
  if (answer->error_code != 0 || refused.response.topics.empty()) co_return std::move(*answer);
  for (auto& topic : answer->topics) {
    auto& merged = refused.topic(topic.name);
    for (const auto& partition : topic.partitions) merged.partitions.push_back(partition);
  }
  co_return std::move(refused.response);
}

}  // namespace dohle::api
