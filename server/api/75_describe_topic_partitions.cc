// DescribeTopicPartitions, key 75, v0 (KIP-966): topics in the order of their names, paged by a cursor. What Java's
// describeTopics asks first. Source: kafka.server.handlers.DescribeTopicPartitionsRequestHandler.

#include <algorithm>
#include <set>

#include "protocol/messages/describe_topic_partitions.h"
#include "server/api/authorized_operations.h"
#include "server/api/handlers.h"
#include "server/api/services.h"
#include "server/api/topic_description.h"
#include "server/api/topic_name.h"

namespace dohle::api {

namespace {

using protocol::ErrorCode;
using Response = protocol::DescribeTopicPartitionsResponse;

std::set<std::string> wanted_topics(const protocol::DescribeTopicPartitionsRequest& request,
                                    const metadata::MetadataImage& image, const std::string& first) {
  std::set<std::string> names;
  if (request.topics.empty()) {
    image.topics->for_each([&](const metadata::TopicImage& topic) {
      if (topic.name >= first) names.insert(topic.name);
    });
  }
  for (const auto& topic : request.topics) {
    if (topic.name >= first) names.insert(topic.name);
  }
  return names;
}

Response::DescribeTopicPartitionsResponsePartition describe(const metadata::MetadataImage& image, std::int32_t index,
                                                            const metadata::PartitionRegistration& partition,
                                                            std::string_view listener) {
  auto description = describe_partition(image, partition, listener, {});
  Response::DescribeTopicPartitionsResponsePartition answer;
  answer.partition_index = index;
  answer.leader_id = description.leader_id;
  answer.leader_epoch = partition.leader_epoch;
  answer.replica_nodes = std::move(description.replicas);
  answer.isr_nodes = std::move(description.isr);
  answer.offline_replicas = std::move(description.offline_replicas);
  answer.eligible_leader_replicas = partition.elr;
  answer.last_known_elr = partition.last_known_elr;
  return answer;
}

/// Adds up to `room` partitions from `start` on; returns the partition to go on with, or -1 when the topic is complete.
std::int32_t add_topic(const metadata::MetadataImage& image, const metadata::TopicImage& topic, std::int32_t start,
                       std::int32_t room, std::string_view listener, Response& response) {
  auto& answer = response.topics.emplace_back();
  answer.name = topic.name;
  answer.topic_id = topic.id;
  answer.is_internal = is_internal_topic(topic.name);
  answer.topic_authorized_operations = topic_operations;
  const auto count = static_cast<std::int32_t>(topic.partitions.size());
  const auto end = static_cast<std::int32_t>(std::min<std::int64_t>(count, std::int64_t{start} + room));
  for (std::int32_t index = start; index < end; ++index) {
    const auto* partition = topic.partition(index);
    if (partition != nullptr) answer.partitions.push_back(describe(image, index, *partition, listener));
  }
  return end < count ? end : -1;
}

void add_unknown(const std::string& name, Response& response) {
  auto& answer = response.topics.emplace_back();
  answer.error_code = static_cast<std::int16_t>(is_valid_topic_name(name) ? ErrorCode::unknown_topic_or_partition
                                                                          : ErrorCode::invalid_topic_exception);
  answer.name = name;
  answer.is_internal = is_internal_topic(name);
  answer.topic_authorized_operations = topic_operations;
}

/// What the handler answers when it throws: every topic that was asked for, with the code.
Response refuse(const protocol::DescribeTopicPartitionsRequest& request, ErrorCode error) {
  Response response;
  for (const auto& topic : request.topics) {
    auto& answer = response.topics.emplace_back();
    answer.error_code = static_cast<std::int16_t>(error);
    answer.name = topic.name;
  }
  return response;
}

}  // namespace

protocol::DescribeTopicPartitionsResponse describe_topic_partitions(Services& services, RequestContext& context,
                                                                    protocol::DescribeTopicPartitionsRequest& request) {
  const auto image = services.image.current();
  const std::string first = request.cursor ? request.cursor->topic_name : "";
  const auto names = wanted_topics(request, *image, first);
  if (request.cursor) {
    const bool is_listed = request.topics.empty() || names.contains(first);
    if (!is_listed || request.cursor->partition_index < 0) return refuse(request, ErrorCode::invalid_request);
  }
  // Kafka's authorizer knows no resource without a name, and throws.
  if (names.contains("")) return refuse(request, ErrorCode::unknown_server_error);

  Response response;
  auto room = std::max(
      std::min(services.config.current()->max_request_partition_size_limit, request.response_partition_limit), 1);
  for (const auto& name : names) {
    if (room == 0) {
      response.next_cursor.emplace();
      response.next_cursor->topic_name = name;
      break;
    }
    const auto* topic = image->topics->find(name);
    if (topic == nullptr) {
      if (!request.topics.empty()) add_unknown(name, response);
      continue;
    }
    const auto start = request.cursor && name == first ? request.cursor->partition_index : 0;
    const auto next = add_topic(*image, *topic, start, room, context.session.listener, response);
    if (next != -1) {
      response.next_cursor.emplace();
      response.next_cursor->topic_name = name;
      response.next_cursor->partition_index = next;
      break;
    }
    room -= static_cast<std::int32_t>(response.topics.back().partitions.size());
  }
  return response;
}

}  // namespace dohle::api
