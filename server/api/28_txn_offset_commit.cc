// TxnOffsetCommit, key 28, v0 to v6. v2 leader epochs, v3 group metadata (KIP-447), v4 TRANSACTION_ABORTABLE, v5 adds
// the group's partition to the transaction (KIP-890), v6 topic ids.
// Source: kafka.server.KafkaApis.handleTxnOffsetCommitRequest.

#include <algorithm>

#include "protocol/messages/txn_offset_commit.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/api/transaction_verifier.h"
#include "server/groups/group_coordinator.h"

namespace dohle::api {

namespace {

using protocol::ErrorCode;
using Request = protocol::TxnOffsetCommitRequest;
using Response = protocol::TxnOffsetCommitResponse;
using Topic = Request::TxnOffsetCommitRequestTopic;

constexpr std::int16_t first_version_that_knows_loading = 2;
constexpr std::int16_t first_version_with_topic_ids = 6;

/// Answers topic by topic: what is refused here, and what the group coordinator says.
class Answer {
 public:
  explicit Answer(bool by_id) : by_id_(by_id) {}

  void add(const codec::Uuid& topic_id, const std::string& name, std::int32_t partition, std::int16_t error) {
    const auto found = std::ranges::find_if(
        response_.topics, [&](const auto& topic) { return by_id_ ? topic.topic_id == topic_id : topic.name == name; });
    auto& topic = found == response_.topics.end() ? response_.topics.emplace_back() : *found;
    topic.topic_id = topic_id;
    topic.name = name;
    auto& answer = topic.partitions.emplace_back();
    answer.partition_index = partition;
    answer.error_code = error;
  }
  void refuse(const Topic& topic, ErrorCode error) {
    for (const auto& partition : topic.partitions) {
      add(topic.topic_id, topic.name, partition.partition_index, static_cast<std::int16_t>(error));
    }
  }
  void add(const Response& committed) {
    for (const auto& topic : committed.topics) {
      for (const auto& partition : topic.partitions) {
        add(topic.topic_id, topic.name, partition.partition_index, partition.error_code);
      }
    }
  }
  Response take() { return std::move(response_); }

 private:
  const bool by_id_;
  Response response_;
};

/// Leaves the partitions that exist, with name and id of their topics.
void keep_existing(const metadata::MetadataImage& image, bool by_id, Request& request, Answer& answer) {
  std::vector<Topic> known;
  for (auto& topic : request.topics) {
    const auto* found = by_id ? image.topics->find(topic.topic_id) : image.topics->find(topic.name);
    if (found == nullptr) {
      answer.refuse(topic, by_id ? ErrorCode::unknown_topic_id : ErrorCode::unknown_topic_or_partition);
      continue;
    }
    topic.name = found->name;
    topic.topic_id = found->id;
    std::erase_if(topic.partitions, [&](const auto& partition) {
      if (found->partition(partition.partition_index) != nullptr) return false;
      answer.add(found->id, found->name, partition.partition_index,
                 static_cast<std::int16_t>(ErrorCode::unknown_topic_or_partition));
      return true;
    });
    if (!topic.partitions.empty()) known.push_back(std::move(topic));
  }
  request.topics = std::move(known);
}

boost::asio::awaitable<Verified> verify_group(Services& services, RequestContext& context, const Request& request) {
  Verified verified;
  if (request.group_id.empty()) co_return verified;  // the group coordinator refuses it
  TransactionalWrite write;
  write.transactional_id = request.transactional_id;
  write.producer = {request.producer_id, request.producer_epoch};
  write.support = offset_commit_support(context.version());
  const auto partition = services.groups.runtime().partition_for(request.group_id);
  write.partitions[{groups::offsets_topic, partition}] = -1;
  const auto all = co_await verify_write(services, context, write);
  if (!all.empty()) verified = all.begin()->second;
  co_return verified;
}

}  // namespace

boost::asio::awaitable<Response> txn_offset_commit(Services& services, RequestContext& context, Request& request) {
  const bool by_id = context.version() >= first_version_with_topic_ids;
  Answer answer(by_id);
  keep_existing(*services.image.current(), by_id, request, answer);
  if (request.topics.empty()) co_return answer.take();

  const auto verified = co_await verify_group(services, context, request);
  if (verified.error != ErrorCode::none) {
    for (const auto& topic : request.topics) answer.refuse(topic, coordinator::append_error(verified.error));
  } else {
    Promise<Response> promise;
    services.groups.commit_in_transaction(std::move(request), context.version(), verified.guard, promise.reply());
    const auto committed = co_await promise.wait(context.session.closing);
    if (committed) answer.add(*committed);
  }
  auto response = answer.take();
  if (context.version() >= first_version_that_knows_loading) co_return response;
  for (auto& topic : response.topics) {
    for (auto& partition : topic.partitions) {
      // Old producers fall over the other code (KAFKA-7296).
      if (partition.error_code == static_cast<std::int16_t>(ErrorCode::coordinator_load_in_progress)) {
        partition.error_code = static_cast<std::int16_t>(ErrorCode::coordinator_not_available);
      }
    }
  }
  co_return response;
}

}  // namespace dohle::api
