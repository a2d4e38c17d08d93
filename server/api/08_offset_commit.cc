// OffsetCommit, key 8, v2 to v10. v2 to v4 retention time, v6 leader epoch, v7 static members, v9 member epochs
// (KIP-848), v10 topic ids. Source: kafka.server.KafkaApis.handleOffsetCommitRequest.

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "protocol/messages/offset_commit.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/groups/group_coordinator.h"

namespace dohle::api {

namespace {

using protocol::ErrorCode;
using Topic = protocol::OffsetCommitRequest::OffsetCommitRequestTopic;

constexpr std::int16_t first_version_with_topic_ids = 10;

/// Answers topic by topic; what is refused comes first, and the coordinator's answers are put beside it.
class CommitAnswer {
 public:
  explicit CommitAnswer(bool by_id) : by_id_(by_id) {}

  void refuse(const Topic& topic, std::int32_t partition, ErrorCode error) {
    auto& answer = find_or_add(topic.topic_id, topic.name).partitions.emplace_back();
    answer.partition_index = partition;
    answer.error_code = static_cast<std::int16_t>(error);
  }
  void refuse(const Topic& topic, ErrorCode error) {
    find_or_add(topic.topic_id, topic.name);
    for (const auto& partition : topic.partitions) refuse(topic, partition.partition_index, error);
  }
  protocol::OffsetCommitResponse merged(protocol::OffsetCommitResponse committed) && {
    if (response_.topics.empty()) return committed;
    for (auto& topic : committed.topics) {
      auto& answer = find_or_add(topic.topic_id, topic.name);
      for (auto& partition : topic.partitions) answer.partitions.push_back(std::move(partition));
    }
    return std::move(response_);
  }

 private:
  using TopicAnswer = protocol::OffsetCommitResponse::OffsetCommitResponseTopic;
  TopicAnswer& find_or_add(const codec::Uuid& id, const std::string& name) {
    const auto [known, is_new] = positions_.try_emplace(by_id_ ? id.to_string() : name, response_.topics.size());
    if (!is_new) return response_.topics[known->second];
    auto& answer = response_.topics.emplace_back();
    answer.topic_id = id;
    answer.name = name;
    return answer;
  }

  const bool by_id_;
  std::unordered_map<std::string, std::size_t> positions_;  // id or name to index
  protocol::OffsetCommitResponse response_;
};

/// The topic's partitions that exist, with its name and its id; what does not is refused.
Topic existing_partitions(const metadata::MetadataImage& image, Topic& topic, bool by_id, CommitAnswer& answer) {
  Topic known;
  const auto* found = by_id ? image.topics->find(topic.topic_id) : image.topics->find(topic.name);
  if (found == nullptr) {
    if (!by_id) topic.topic_id = {};
    answer.refuse(topic, by_id ? ErrorCode::unknown_topic_id : ErrorCode::unknown_topic_or_partition);
    return known;
  }
  topic.name = found->name;
  topic.topic_id = found->id;
  known.name = found->name;
  known.topic_id = found->id;
  for (auto& partition : topic.partitions) {
    if (found->partition(partition.partition_index) == nullptr) {
      answer.refuse(topic, partition.partition_index, ErrorCode::unknown_topic_or_partition);
    } else {
      known.partitions.push_back(std::move(partition));
    }
  }
  return known;
}

}  // namespace

boost::asio::awaitable<protocol::OffsetCommitResponse> offset_commit(Services& services, RequestContext& context,
                                                                     protocol::OffsetCommitRequest& request) {
  const bool by_id = context.version() >= first_version_with_topic_ids;
  CommitAnswer answer(by_id);
  {
    const auto image = services.image.current();
    std::vector<Topic> known;
    for (auto& topic : request.topics) {
      auto existing = existing_partitions(*image, topic, by_id, answer);
      if (!existing.partitions.empty()) known.push_back(std::move(existing));
    }
    request.topics = std::move(known);
  }
  protocol::OffsetCommitResponse committed;
  if (!request.topics.empty()) {
    Promise<protocol::OffsetCommitResponse> promise;
    services.groups.commit(std::move(request), context.version(), promise.reply());
    auto response = co_await promise.wait(context.session.closing);
    if (response) committed = std::move(*response);
  }
  co_return std::move(answer).merged(std::move(committed));
}

}  // namespace dohle::api
