// Whole connections' worth of requests, valid ones with some bytes changed, through the dispatcher of a broker: it
// answers or closes each of them, in time, and is there for the next.
//
// An input is a list of steps: which request, which version, how many changes; and for each change where, and what. A
// step of a number that no request has takes what follows as a frame.
#include <array>
#include <cstdlib>

#include "protocol/messages/alter_partition_reassignments.h"
#include "protocol/messages/api_versions.h"
#include "protocol/messages/create_partitions.h"
#include "protocol/messages/create_topics.h"
#include "protocol/messages/delete_records.h"
#include "protocol/messages/delete_topics.h"
#include "protocol/messages/describe_cluster.h"
#include "protocol/messages/describe_configs.h"
#include "protocol/messages/describe_quorum.h"
#include "protocol/messages/describe_topic_partitions.h"
#include "protocol/messages/elect_leaders.h"
#include "protocol/messages/fetch.h"
#include "protocol/messages/init_producer_id.h"
#include "protocol/messages/list_offsets.h"
#include "protocol/messages/list_partition_reassignments.h"
#include "protocol/messages/metadata.h"
#include "protocol/messages/offset_for_leader_epoch.h"
#include "protocol/messages/produce.h"
#include "protocol/messages/update_features.h"
#include "protocol/record_batch_builder.h"
#include "server/api/test_broker_body.h"

namespace {

using namespace dohle;
using namespace dohle::protocol;

constexpr const char* topic_name = "t";
constexpr std::chrono::seconds patience{20};

void fill(ProduceRequest& request, std::int16_t version) {
  static const codec::Blob batch = [] {
    RecordBatchBuilder builder({.producer_id = 1, .producer_epoch = 0, .base_sequence = 0});
    builder.append(1'700'000'000'000, codec::as_bytes("key"), codec::as_bytes("value"));
    return builder.build();
  }();
  request.acks = -1;
  auto& topic = request.topic_data.emplace_back();
  if (version < 13) topic.name = topic_name;
  topic.partition_data.emplace_back().records = Records::of(batch);
}
void fill(FetchRequest& request, std::int16_t version) {
  request.max_wait_ms = 1;
  request.min_bytes = 1;
  request.session_epoch = 0;
  auto& topic = request.topics.emplace_back();
  if (version < 13) topic.topic = topic_name;
  topic.partitions.emplace_back().partition_max_bytes = 1 << 20;
}
void fill(ListOffsetsRequest& request, std::int16_t) {
  request.replica_id = -1;
  auto& topic = request.topics.emplace_back();
  topic.name = topic_name;
  topic.partitions.emplace_back().timestamp = -1;
}
void fill(MetadataRequest& request, std::int16_t) {
  request.topics.emplace().emplace_back().name = topic_name;
}
void fill(ApiVersionsRequest& request, std::int16_t) {
  request.client_software_name = "fuzz";
  request.client_software_version = "1";
}
void fill(CreateTopicsRequest& request, std::int16_t) {
  auto& topic = request.topics.emplace_back();
  topic.name = "u";
  topic.num_partitions = 1;
  topic.replication_factor = 1;
  auto& config = topic.configs.emplace_back();
  config.name = "cleanup.policy";
  config.value = "compact";
}
void fill(DeleteTopicsRequest& request, std::int16_t version) {
  if (version < 6) {
    request.topic_names.emplace_back(topic_name);
  } else {
    request.topics.emplace_back().name = topic_name;
  }
}
void fill(DeleteRecordsRequest& request, std::int16_t) {
  auto& topic = request.topics.emplace_back();
  topic.name = topic_name;
  topic.partitions.emplace_back().offset = -1;
}
void fill(InitProducerIdRequest& request, std::int16_t) {
  request.transactional_id.reset();
}
void fill(OffsetForLeaderEpochRequest& request, std::int16_t) {
  auto& topic = request.topics.emplace_back();
  topic.topic = topic_name;
  topic.partitions.emplace_back();
}
void fill(DescribeConfigsRequest& request, std::int16_t) {
  auto& resource = request.resources.emplace_back();
  resource.resource_type = 2;
  resource.resource_name = topic_name;
}
void fill(CreatePartitionsRequest& request, std::int16_t) {
  auto& topic = request.topics.emplace_back();
  topic.name = topic_name;
  topic.count = 3;
  topic.assignments.reset();
}
void fill(ElectLeadersRequest& request, std::int16_t) {
  auto& topic = request.topic_partitions.emplace().emplace_back();
  topic.topic = topic_name;
  topic.partitions = {0};
}
void fill(AlterPartitionReassignmentsRequest& request, std::int16_t) {
  auto& topic = request.topics.emplace_back();
  topic.name = topic_name;
  topic.partitions.emplace_back().replicas.emplace().push_back(1);
}
void fill(ListPartitionReassignmentsRequest& request, std::int16_t) {
  request.topics.emplace().emplace_back().name = topic_name;
}
void fill(DescribeQuorumRequest& request, std::int16_t) {
  auto& topic = request.topics.emplace_back();
  topic.topic_name = "__cluster_metadata";
  topic.partitions.emplace_back();
}
void fill(UpdateFeaturesRequest& request, std::int16_t) {
  auto& update = request.feature_updates.emplace_back();
  update.feature = "group.version";
  update.max_version_level = 1;
}
void fill(DescribeClusterRequest&, std::int16_t) {}
void fill(DescribeTopicPartitionsRequest& request, std::int16_t) {
  request.topics.emplace_back().name = topic_name;
}

template <typename Request>
codec::Blob frame(std::uint8_t choice) {
  const auto count = Request::max_version - Request::min_version + 1;
  const auto version = static_cast<std::int16_t>(Request::min_version + choice % count);
  Request request;
  fill(request, version);
  return api::frame_of(version, request);
}

using MakeFrame = codec::Blob (*)(std::uint8_t);
constexpr std::array<MakeFrame, 19> requests{
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
};

/// The next step's frame.
codec::Blob next_frame(codec::Reader& input) {
  const auto choice = static_cast<std::uint8_t>(input.i8());
  const auto version = static_cast<std::uint8_t>(input.i8());
  const auto changes = static_cast<std::uint8_t>(input.i8());
  if (choice % 32 >= requests.size()) {
    const auto bytes = input.view(std::min<std::size_t>(changes, input.remaining()));
    return {bytes.begin(), bytes.end()};
  }
  auto bytes = requests[choice % 32](version);
  for (int i = 0; i < changes % 16 && input.remaining() >= 3; ++i) {
    const auto position = input.u16();
    bytes[position % bytes.size()] = static_cast<std::uint8_t>(input.i8());
  }
  return bytes;
}

void check(std::future<api::Answer>& future) {
  if (future.wait_for(patience) != std::future_status::ready) std::abort();
  const auto answer = future.get();
  const bool is_sent = answer.action == net::Response::Action::send;
  if (is_sent != (answer.bytes.size() >= 4)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  api::TestBroker broker;
  CreateTopicsRequest creation;
  auto& topic = creation.topics.emplace_back();
  topic.name = topic_name;
  topic.num_partitions = 1;
  topic.replication_factor = 1;
  auto created = broker.send(api::frame_of(7, creation));
  check(created);

  codec::Reader input({data, size});
  std::vector<std::future<api::Answer>> answers;
  while (input.remaining() >= 3 && answers.size() < 32) {
    auto bytes = next_frame(input);
    const bool on_controller = !bytes.empty() && answers.size() % 8 == 7;
    answers.push_back(broker.send(std::move(bytes), on_controller));
  }
  broker.close_connection();
  for (auto& answer : answers) check(answer);

  auto last = broker.send(frame<MetadataRequest>(1));
  check(last);
  return 0;
}
