#include <thread>

#include "protocol/messages/metadata.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::MetadataRequest;
using protocol::MetadataResponse;

class Metadata : public BrokerFixture {
 protected:
  static MetadataRequest request_for(const std::vector<std::string>& names, bool may_create = false) {
    MetadataRequest request;
    request.topics.emplace();
    for (const auto& name : names) request.topics->emplace_back().name = name;
    request.allow_auto_topic_creation = may_create;
    return request;
  }
  MetadataResponse ask(const MetadataRequest& request, std::int16_t version = 13) {
    return call<MetadataRequest, MetadataResponse>(version, request);
  }
};

TEST_F(Metadata, NullMeansAllAndEmptyNone) {
  // behaviours.md 15
  create_topic("a");
  create_topic("b");
  auto request = request_for({});
  for (const std::int16_t version : {1, 9, 13}) EXPECT_TRUE(ask(request, version).topics.empty()) << version;
  EXPECT_EQ(ask(request, 0).topics.size(), 2u);
  request.topics.reset();
  for (const std::int16_t version : {1, 9, 13}) EXPECT_EQ(ask(request, version).topics.size(), 2u) << version;
}

TEST_F(Metadata, TheClusterIsNamed) {
  // behaviours.md 22, 27
  const auto response = ask(request_for({}));
  ASSERT_EQ(response.brokers.size(), 1u);
  EXPECT_EQ(response.brokers[0].node_id, 1);
  EXPECT_EQ(response.brokers[0].host, "localhost");
  EXPECT_EQ(response.brokers[0].port, 9092);
  EXPECT_EQ(response.controller_id, 1);
  EXPECT_EQ(response.cluster_id, broker().services().cluster_id);
  EXPECT_EQ(response.error_code, 0);
}

TEST_F(Metadata, ATopicHasItsPartitionsAndItsId) {
  // behaviours.md 20, 24, 28
  const auto id = create_topic("t", 2);
  const auto response = ask(request_for({"t"}));
  ASSERT_EQ(response.topics.size(), 1u);
  EXPECT_EQ(response.topics[0].error_code, 0);
  EXPECT_EQ(response.topics[0].topic_id, id);
  EXPECT_FALSE(response.topics[0].is_internal);
  ASSERT_EQ(response.topics[0].partitions.size(), 2u);
  const auto& partition = response.topics[0].partitions[1];
  EXPECT_EQ(partition.partition_index, 1);
  EXPECT_EQ(partition.leader_id, 1);
  EXPECT_EQ(partition.leader_epoch, 0);
  EXPECT_EQ(partition.replica_nodes, std::vector<std::int32_t>{1});
  EXPECT_EQ(partition.isr_nodes, std::vector<std::int32_t>{1});
  EXPECT_TRUE(partition.offline_replicas.empty());
  // Internal topics say so (behaviours.md 30).
  create_topic("__consumer_offsets");
  EXPECT_TRUE(ask(request_for({"__consumer_offsets"})).topics.at(0).is_internal);
}

TEST_F(Metadata, EveryNameIsAnsweredOnceThoseThatAreKnownFirst) {
  // behaviours.md 16
  create_topic("t");
  const auto topics = ask(request_for({"unknown", "a b", "t", "t", "unknown"})).topics;
  ASSERT_EQ(topics.size(), 3u);
  EXPECT_EQ(topics[0].error_code, 0);
  EXPECT_EQ(topics[1].name, "unknown");
  EXPECT_EQ(topics[1].error_code, code(ErrorCode::unknown_topic_or_partition));
  EXPECT_EQ(topics[2].error_code, code(ErrorCode::invalid_topic_exception));
}

TEST_F(Metadata, ATopicByNeitherNameNorIdFailsTheRequest) {
  MetadataRequest request;
  request.topics.emplace().emplace_back().name.reset();
  const auto response = ask(request);
  EXPECT_EQ(response.error_code, code(ErrorCode::unknown_server_error));
  EXPECT_TRUE(response.brokers.empty());
}

TEST_F(Metadata, TopicsAreFoundByIdSinceTwelve) {
  // behaviours.md 25
  const auto id = create_topic("t");
  MetadataRequest request;
  request.topics.emplace();
  for (const auto& wanted : {id, codec::Uuid::reserved(200)}) {
    auto& topic = request.topics->emplace_back();
    topic.topic_id = wanted;
    topic.name.reset();
  }
  auto topics = ask(request, 12).topics;
  ASSERT_EQ(topics.size(), 2u);
  EXPECT_EQ(topics[0].error_code, code(ErrorCode::unknown_topic_id));
  EXPECT_EQ(topics[0].name, std::nullopt);
  EXPECT_EQ(topics[0].topic_id, codec::Uuid::reserved(200));
  EXPECT_EQ(topics[1].name, "t");
  // v10 and v11 have the field and may not use it.
  request.topics->at(0).name = "t";
  request.topics->at(1).name = "t";
  topics = ask(request, 11).topics;
  ASSERT_FALSE(topics.empty());
  EXPECT_EQ(topics[0].error_code, code(ErrorCode::invalid_request));
}

TEST_F(Metadata, OperationsAreToldWhenAsked) {
  // behaviours.md 26
  create_topic("t");
  constexpr auto not_asked = std::numeric_limits<std::int32_t>::min();
  auto response = ask(request_for({"t"}), 9);
  EXPECT_EQ(response.topics.at(0).topic_authorized_operations, not_asked);
  EXPECT_EQ(response.cluster_authorized_operations, not_asked);
  auto request = request_for({"t"});
  request.include_topic_authorized_operations = true;
  request.include_cluster_authorized_operations = true;
  response = ask(request, 9);
  // READ, WRITE, CREATE, DELETE, ALTER, DESCRIBE, DESCRIBE_CONFIGS, ALTER_CONFIGS: what the reference answers.
  EXPECT_EQ(response.topics.at(0).topic_authorized_operations, 0b1101'1111'1000);
  // CREATE, ALTER, DESCRIBE, CLUSTER_ACTION, DESCRIBE_CONFIGS, ALTER_CONFIGS, IDEMPOTENT_WRITE
  EXPECT_EQ(response.cluster_authorized_operations, 0b1'1111'1010'0000);
}

TEST_F(Metadata, AnUnknownTopicIsCreatedIfBothSidesWantIt) {
  // behaviours.md 17, 18
  EXPECT_EQ(ask(request_for({"no"}, false)).topics.at(0).error_code, code(ErrorCode::unknown_topic_or_partition));
  const auto request = request_for({"yes"}, true);
  EXPECT_EQ(ask(request).topics.at(0).error_code, code(ErrorCode::unknown_topic_or_partition));
  std::int16_t error = -1;
  for (int i = 0; i < 200 && error != 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    error = ask(request).topics.at(0).error_code;
  }
  EXPECT_EQ(error, 0);
  EXPECT_EQ(produce("yes", {}).error_code, 0);
  EXPECT_EQ(ask(request_for({"no"}, false)).topics.at(0).error_code, code(ErrorCode::unknown_topic_or_partition));
}

TEST_F(Metadata, TheBrokerMayForbidIt) {
  configs["auto.create.topics.enable"] = "false";
  EXPECT_EQ(ask(request_for({"t"}, true)).topics.at(0).error_code, code(ErrorCode::unknown_topic_or_partition));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(ask(request_for({"t"}, true)).topics.at(0).error_code, code(ErrorCode::unknown_topic_or_partition));
}

}  // namespace
}  // namespace dohle::api
