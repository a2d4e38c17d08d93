#include "server/api/topic_description.h"

#include <gtest/gtest.h>

namespace dohle::api {
namespace {

using protocol::ErrorCode;

const codec::Uuid directory = codec::Uuid::reserved(200);

class TopicDescriptionTest : public testing::Test {
 protected:
  TopicDescriptionTest() {
    add_broker(1, "PLAINTEXT", false);
    add_broker(2, "EXTERNAL", false);
    add_broker(3, "PLAINTEXT", true);
    publish();
  }

  void add_broker(std::int32_t id, const std::string& listener, bool fenced) {
    auto& broker = cluster_.brokers[id];
    broker.id = id;
    broker.fenced = fenced;
    broker.endpoints.push_back({listener, "host", 9092, 0});
    broker.directories.push_back(directory);
  }
  void publish() { image_.cluster = std::make_shared<metadata::ClusterImage>(cluster_); }

  PartitionDescription describe(std::int32_t leader, std::vector<std::int32_t> replicas,
                                DescriptionOptions options = {}) {
    metadata::PartitionRegistration partition;
    partition.leader = leader;
    partition.directories.assign(replicas.size(), directory);
    partition.isr = replicas;
    partition.replicas = std::move(replicas);
    return describe_partition(image_, partition, "PLAINTEXT", options);
  }

  metadata::ClusterImage cluster_;
  metadata::MetadataImage image_;
};

TEST_F(TopicDescriptionTest, AReachableLeaderIsNamed) {
  const auto description = describe(1, {1});
  EXPECT_EQ(description.error, ErrorCode::none);
  EXPECT_EQ(description.leader_id, 1);
  EXPECT_TRUE(description.offline_replicas.empty());
}

// behaviours.md 22: v6 and above say which, older versions get a retriable code.
TEST_F(TopicDescriptionTest, ALeaderWithoutTheListenerIsAnError) {
  EXPECT_EQ(describe(2, {2}).error, ErrorCode::listener_not_found);
  EXPECT_EQ(describe(2, {2}, {.error_unavailable_listeners = false}).error, ErrorCode::leader_not_available);
  EXPECT_EQ(describe(2, {2}).leader_id, -1);
  EXPECT_EQ(describe(-1, {1}).error, ErrorCode::leader_not_available);
}

TEST_F(TopicDescriptionTest, FencedBrokersAndThoseWithoutTheListenerAreOffline) {
  EXPECT_EQ(describe(1, {1, 2, 3}).offline_replicas, (std::vector<std::int32_t>{2, 3}));
}

TEST_F(TopicDescriptionTest, VersionZeroLeavesOutWhatCannotBeReached) {
  const auto description = describe(1, {1, 3}, {.error_unavailable_endpoints = true});
  EXPECT_EQ(description.error, ErrorCode::replica_not_available);
  EXPECT_EQ(description.replicas, (std::vector<std::int32_t>{1}));
}

TEST_F(TopicDescriptionTest, AnAliveBrokerStandsForTheController) {
  EXPECT_EQ(alive_broker(image_), 1);
  EXPECT_EQ(alive_broker(metadata::MetadataImage{}), -1);
}

}  // namespace
}  // namespace dohle::api
