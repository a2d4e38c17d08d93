// DescribeQuorum, key 55, v0 to v2 (KIP-595). v1: fetch times (KIP-836); v2: directory ids, nodes, messages (KIP-853).
// A single voter is always caught up with itself. Source: org.apache.kafka.raft.KafkaRaftClient.handleDescribeQuorum.

#include "protocol/messages/describe_quorum.h"
#include "server/api/controller_home.h"
#include "server/api/handlers.h"
#include "server/api/services.h"

namespace dohle::api {

namespace {

constexpr const char* metadata_topic = "__cluster_metadata";

bool asks_for_the_metadata_partition(const protocol::DescribeQuorumRequest& request) {
  return request.topics.size() == 1 && request.topics[0].topic_name == metadata_topic &&
         request.topics[0].partitions.size() == 1 && request.topics[0].partitions[0].partition_index == 0;
}

/// Every partition that was asked for is unknown (RaftUtil.validateTopicPartition fails as a whole).
protocol::DescribeQuorumResponse refuse(const protocol::DescribeQuorumRequest& request) {
  protocol::DescribeQuorumResponse response;
  for (const auto& topic : request.topics) {
    auto& answers = response.topics.emplace_back();
    answers.topic_name = topic.topic_name;
    for (const auto& partition : topic.partitions) {
      auto& answer = answers.partitions.emplace_back();
      answer.partition_index = partition.partition_index;
      answer.error_code = static_cast<std::int16_t>(protocol::ErrorCode::unknown_topic_or_partition);
      answer.error_message = protocol::default_message(protocol::ErrorCode::unknown_topic_or_partition);
    }
  }
  return response;
}

}  // namespace

protocol::DescribeQuorumResponse describe_quorum(Services& services, RequestContext& context,
                                                 protocol::DescribeQuorumRequest& request) {
  if (!asks_for_the_metadata_partition(request)) return refuse(request);
  const auto now_ms = services.clock.wall_ms();
  const auto& home = services.controller;
  protocol::DescribeQuorumResponse response;
  auto& topic = response.topics.emplace_back();
  topic.topic_name = metadata_topic;
  auto& partition = topic.partitions.emplace_back();
  partition.leader_id = services.node_id;
  partition.leader_epoch = home.leader_epoch();
  partition.high_watermark = home.last_applied_offset() + 1;
  auto& voter = partition.current_voters.emplace_back();
  voter.replica_id = services.node_id;
  if (context.version() >= 2) voter.replica_directory_id = home.voter_directory_id();
  voter.log_end_offset = home.last_applied_offset() + 1;
  voter.last_fetch_timestamp = now_ms;
  voter.last_caught_up_timestamp = now_ms;

  if (context.version() < 2) return response;
  const auto image = services.image.current();
  for (const auto& [id, controller] : image->cluster->controllers) {
    auto& node = response.nodes.emplace_back();
    node.node_id = id;
    for (const auto& endpoint : controller.endpoints) {
      auto& listener = node.listeners.emplace_back();
      listener.name = endpoint.name;
      listener.host = endpoint.host;
      listener.port = endpoint.port;
    }
  }
  return response;
}

}  // namespace dohle::api
