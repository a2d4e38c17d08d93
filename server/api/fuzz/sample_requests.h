// For the fuzz target of connections: a valid request of every API that the broker answers, at any of its versions.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "protocol/api_key.h"
#include "protocol/messages/add_offsets_to_txn.h"
#include "protocol/messages/add_partitions_to_txn.h"
#include "protocol/messages/alter_configs.h"
#include "protocol/messages/alter_partition_reassignments.h"
#include "protocol/messages/api_versions.h"
#include "protocol/messages/consumer_group_describe.h"
#include "protocol/messages/consumer_group_heartbeat.h"
#include "protocol/messages/create_partitions.h"
#include "protocol/messages/create_topics.h"
#include "protocol/messages/delete_groups.h"
#include "protocol/messages/delete_records.h"
#include "protocol/messages/delete_topics.h"
#include "protocol/messages/describe_cluster.h"
#include "protocol/messages/describe_configs.h"
#include "protocol/messages/describe_groups.h"
#include "protocol/messages/describe_log_dirs.h"
#include "protocol/messages/describe_producers.h"
#include "protocol/messages/describe_quorum.h"
#include "protocol/messages/describe_topic_partitions.h"
#include "protocol/messages/describe_transactions.h"
#include "protocol/messages/elect_leaders.h"
#include "protocol/messages/end_txn.h"
#include "protocol/messages/fetch.h"
#include "protocol/messages/find_coordinator.h"
#include "protocol/messages/heartbeat.h"
#include "protocol/messages/incremental_alter_configs.h"
#include "protocol/messages/init_producer_id.h"
#include "protocol/messages/join_group.h"
#include "protocol/messages/leave_group.h"
#include "protocol/messages/list_config_resources.h"
#include "protocol/messages/list_groups.h"
#include "protocol/messages/list_offsets.h"
#include "protocol/messages/list_partition_reassignments.h"
#include "protocol/messages/list_transactions.h"
#include "protocol/messages/metadata.h"
#include "protocol/messages/offset_commit.h"
#include "protocol/messages/offset_delete.h"
#include "protocol/messages/offset_fetch.h"
#include "protocol/messages/offset_for_leader_epoch.h"
#include "protocol/messages/produce.h"
#include "protocol/messages/sync_group.h"
#include "protocol/messages/txn_offset_commit.h"
#include "protocol/messages/update_features.h"
#include "protocol/messages/write_txn_markers.h"
#include "protocol/record_batch_builder.h"
#include "server/api/test_broker.h"

namespace dohle::api::samples {

using namespace dohle::protocol;

inline constexpr const char* topic_name = "t";
inline constexpr const char* group_name = "g";
inline constexpr const char* transactional_id = "x";

inline void fill(ProduceRequest& request, std::int16_t version) {
  static const codec::Blob batch = [] {
    RecordBatchBuilder builder({.producer_id = 1, .producer_epoch = 0, .base_sequence = 0});
    builder.append(1'700'000'000'000, codec::as_bytes("key"), codec::as_bytes("value"));
    return builder.build();
  }();
  request.acks = -1;
  request.timeout_ms = 1000;
  auto& topic = request.topic_data.emplace_back();
  if (version < 13) topic.name = topic_name;
  topic.partition_data.emplace_back().records = Records::of(batch);
}
inline void fill(FetchRequest& request, std::int16_t version) {
  request.max_wait_ms = 1;
  request.min_bytes = 1;
  request.session_epoch = 0;
  auto& topic = request.topics.emplace_back();
  if (version < 13) topic.topic = topic_name;
  topic.partitions.emplace_back().partition_max_bytes = 1 << 20;
}
inline void fill(ListOffsetsRequest& request, std::int16_t) {
  request.replica_id = -1;
  auto& topic = request.topics.emplace_back();
  topic.name = topic_name;
  topic.partitions.emplace_back().timestamp = -1;
}
inline void fill(MetadataRequest& request, std::int16_t) {
  request.topics.emplace().emplace_back().name = topic_name;
}
inline void fill(ApiVersionsRequest& request, std::int16_t) {
  request.client_software_name = "fuzz";
  request.client_software_version = "1";
}
inline void fill(CreateTopicsRequest& request, std::int16_t) {
  auto& topic = request.topics.emplace_back();
  topic.name = "u";
  topic.num_partitions = 1;
  topic.replication_factor = 1;
  auto& config = topic.configs.emplace_back();
  config.name = "cleanup.policy";
  config.value = "compact";
}
inline void fill(DeleteTopicsRequest& request, std::int16_t version) {
  if (version < 6) {
    request.topic_names.emplace_back(topic_name);
  } else {
    request.topics.emplace_back().name = topic_name;
  }
}
inline void fill(DeleteRecordsRequest& request, std::int16_t) {
  auto& topic = request.topics.emplace_back();
  topic.name = topic_name;
  topic.partitions.emplace_back().offset = -1;
}
inline void fill(InitProducerIdRequest& request, std::int16_t) {
  request.transactional_id.reset();
}
inline void fill(OffsetForLeaderEpochRequest& request, std::int16_t) {
  auto& topic = request.topics.emplace_back();
  topic.topic = topic_name;
  topic.partitions.emplace_back();
}
inline void fill(DescribeConfigsRequest& request, std::int16_t) {
  auto& resource = request.resources.emplace_back();
  resource.resource_type = 2;
  resource.resource_name = topic_name;
}
inline void fill(CreatePartitionsRequest& request, std::int16_t) {
  auto& topic = request.topics.emplace_back();
  topic.name = topic_name;
  topic.count = 3;
  topic.assignments.reset();
}
inline void fill(ElectLeadersRequest& request, std::int16_t) {
  auto& topic = request.topic_partitions.emplace().emplace_back();
  topic.topic = topic_name;
  topic.partitions = {0};
}
inline void fill(AlterPartitionReassignmentsRequest& request, std::int16_t) {
  auto& topic = request.topics.emplace_back();
  topic.name = topic_name;
  topic.partitions.emplace_back().replicas.emplace().push_back(1);
}
inline void fill(ListPartitionReassignmentsRequest& request, std::int16_t) {
  request.topics.emplace().emplace_back().name = topic_name;
}
inline void fill(DescribeQuorumRequest& request, std::int16_t) {
  auto& topic = request.topics.emplace_back();
  topic.topic_name = "__cluster_metadata";
  topic.partitions.emplace_back();
}
inline void fill(UpdateFeaturesRequest& request, std::int16_t) {
  auto& update = request.feature_updates.emplace_back();
  update.feature = "group.version";
  update.max_version_level = 1;
}
inline void fill(DescribeTopicPartitionsRequest& request, std::int16_t) {
  request.topics.emplace_back().name = topic_name;
}

// Groups and transactions: one group "g" of each kind's requests, one transactional id "x" with the first producer id.
inline void fill(FindCoordinatorRequest& request, std::int16_t version) {
  if (version < 4) {
    request.key = group_name;
  } else {
    request.coordinator_keys = {group_name};
  }
}
inline void fill(JoinGroupRequest& request, std::int16_t version) {
  request.group_id = group_name;
  request.session_timeout_ms = 10'000;
  request.rebalance_timeout_ms = 100;
  request.protocol_type = "consumer";
  if (version >= 5) request.group_instance_id = "i";
  auto& protocol = request.protocols.emplace_back();
  protocol.name = "range";
  protocol.metadata = {0, 0, 0, 0, 0, 1, 0, 1, 't', 0xff, 0xff, 0xff, 0xff};
}
inline void fill(SyncGroupRequest& request, std::int16_t) {
  request.group_id = group_name;
  request.generation_id = 1;
}
inline void fill(HeartbeatRequest& request, std::int16_t) {
  request.group_id = group_name;
  request.generation_id = 1;
}
inline void fill(LeaveGroupRequest& request, std::int16_t version) {
  request.group_id = group_name;
  if (version >= 3) request.members.emplace_back().group_instance_id = "i";
}
inline void fill(OffsetCommitRequest& request, std::int16_t version) {
  request.group_id = group_name;
  auto& topic = request.topics.emplace_back();
  if (version < 10) topic.name = topic_name;
  topic.partitions.emplace_back().committed_offset = 1;
}
inline void fill(OffsetFetchRequest& request, std::int16_t version) {
  if (version < 8) {
    request.group_id = group_name;
    request.topics.emplace().emplace_back().name = topic_name;
    request.topics->back().partition_indexes = {0};
  } else {
    request.groups.emplace_back().group_id = group_name;
  }
}
inline void fill(DescribeGroupsRequest& request, std::int16_t) {
  request.groups = {group_name};
}
inline void fill(DeleteGroupsRequest& request, std::int16_t) {
  request.groups_names = {group_name};
}
inline void fill(ConsumerGroupHeartbeatRequest& request, std::int16_t) {
  request.group_id = "k";
  request.member_id = "m";
  request.rebalance_timeout_ms = 100;
  request.subscribed_topic_names.emplace().emplace_back(topic_name);
  request.topic_partitions.emplace();
}
inline void fill(ConsumerGroupDescribeRequest& request, std::int16_t) {
  request.group_ids = {"k"};
}
inline void fill(OffsetDeleteRequest& request, std::int16_t) {
  request.group_id = group_name;
  auto& topic = request.topics.emplace_back();
  topic.name = topic_name;
  topic.partitions.emplace_back();
}
inline void fill(AddPartitionsToTxnRequest& request, std::int16_t version) {
  if (version >= 4) {
    auto& transaction = request.transactions.emplace_back();
    transaction.transactional_id = transactional_id;
    auto& topic = transaction.topics.emplace_back();
    topic.name = topic_name;
    topic.partitions = {0};
    return;
  }
  request.v3_and_below_transactional_id = transactional_id;
  auto& topic = request.v3_and_below_topics.emplace_back();
  topic.name = topic_name;
  topic.partitions = {0};
}
inline void fill(AddOffsetsToTxnRequest& request, std::int16_t) {
  request.transactional_id = transactional_id;
  request.group_id = group_name;
}
inline void fill(EndTxnRequest& request, std::int16_t) {
  request.transactional_id = transactional_id;
  request.committed = true;
}
inline void fill(TxnOffsetCommitRequest& request, std::int16_t) {
  request.transactional_id = transactional_id;
  request.group_id = group_name;
  auto& topic = request.topics.emplace_back();
  topic.name = topic_name;
  topic.partitions.emplace_back().committed_offset = 1;
}
inline void fill(WriteTxnMarkersRequest& request, std::int16_t) {
  auto& marker = request.markers.emplace_back();
  marker.producer_id = 1;
  auto& topic = marker.topics.emplace_back();
  topic.name = topic_name;
  topic.partition_indexes = {0};
}
inline void fill(DescribeTransactionsRequest& request, std::int16_t) {
  request.transactional_ids = {transactional_id};
}
inline void fill(DescribeProducersRequest& request, std::int16_t) {
  auto& topic = request.topics.emplace_back();
  topic.name = topic_name;
  topic.partition_indexes = {0};
}
inline void fill(IncrementalAlterConfigsRequest& request, std::int16_t) {
  auto& resource = request.resources.emplace_back();
  resource.resource_type = 2;
  resource.resource_name = topic_name;
  auto& config = resource.configs.emplace_back();
  config.name = "retention.ms";
  config.value = "1000";
}
inline void fill(AlterConfigsRequest& request, std::int16_t) {
  auto& resource = request.resources.emplace_back();
  resource.resource_type = 2;
  resource.resource_name = topic_name;
  auto& config = resource.configs.emplace_back();
  config.name = "cleanup.policy";
  config.value = "compact";
}
/// These are complete without more.
template <typename Request>
void fill(Request&, std::int16_t) {}

template <typename Request>
codec::Blob frame(std::uint8_t choice) {
  // Those that are advertised and answered.
  const auto& api = api_info(static_cast<ApiKey>(Request::api_key));
  const int first = std::max(Request::min_version, api.stable_versions.first);
  const int count = api.stable_versions.last - first + 1;
  const auto version = static_cast<std::int16_t>(first + choice % count);
  Request request;
  fill(request, version);
  return frame_of(version, request);
}

/// `choice` names the version.
using MakeFrame = codec::Blob (*)(std::uint8_t choice);
inline constexpr std::array requests{
    &frame<ProduceRequest>,
    &frame<FetchRequest>,
    &frame<ListOffsetsRequest>,
    &frame<MetadataRequest>,
    &frame<ApiVersionsRequest>,
    &frame<CreateTopicsRequest>,
    &frame<DeleteTopicsRequest>,
    &frame<DeleteRecordsRequest>,
    &frame<InitProducerIdRequest>,
    &frame<OffsetForLeaderEpochRequest>,
    &frame<DescribeConfigsRequest>,
    &frame<CreatePartitionsRequest>,
    &frame<ElectLeadersRequest>,
    &frame<AlterPartitionReassignmentsRequest>,
    &frame<ListPartitionReassignmentsRequest>,
    &frame<DescribeQuorumRequest>,
    &frame<UpdateFeaturesRequest>,
    &frame<DescribeClusterRequest>,
    &frame<DescribeTopicPartitionsRequest>,
    &frame<FindCoordinatorRequest>,
    &frame<JoinGroupRequest>,
    &frame<SyncGroupRequest>,
    &frame<HeartbeatRequest>,
    &frame<LeaveGroupRequest>,
    &frame<OffsetCommitRequest>,
    &frame<OffsetFetchRequest>,
    &frame<DescribeGroupsRequest>,
    &frame<DeleteGroupsRequest>,
    &frame<ListGroupsRequest>,
    &frame<ConsumerGroupHeartbeatRequest>,
    &frame<ConsumerGroupDescribeRequest>,
    &frame<OffsetDeleteRequest>,
    &frame<AddPartitionsToTxnRequest>,
    &frame<AddOffsetsToTxnRequest>,
    &frame<EndTxnRequest>,
    &frame<TxnOffsetCommitRequest>,
    &frame<WriteTxnMarkersRequest>,
    &frame<DescribeTransactionsRequest>,
    &frame<ListTransactionsRequest>,
    &frame<DescribeProducersRequest>,
    &frame<IncrementalAlterConfigsRequest>,
    &frame<AlterConfigsRequest>,
    &frame<ListConfigResourcesRequest>,
    &frame<DescribeLogDirsRequest>,
};

}  // namespace dohle::api::samples
