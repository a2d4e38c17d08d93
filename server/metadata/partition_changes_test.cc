// Expectations follow ReplicationControlManager.generateLeaderAndIsrUpdates and getTopicEffectiveMinIsr of 4.4.
#include "server/metadata/partition_changes.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

using protocol::PartitionChangeRecord;

class PartitionChangesTest : public ::testing::Test {
 protected:
  PartitionChangesTest() : image_(image_with_brokers(3)) {
    PartitionRegistration partition;
    partition.replicas = {1, 2, 3};
    for (const auto id : partition.replicas)
      partition.directories.push_back(image_.cluster->broker(id)->directories[0]);
    partition.isr = {1, 2, 3};
    partition.leader = 1;
    topic_.name = "t";
    topic_.id = codec::Uuid::reserved(150);
    topic_.partitions[0] = partition;
  }

  void publish() {
    auto topics = std::make_shared<TopicsImage>();
    topics->put(std::make_shared<TopicImage>(topic_));
    image_.topics = std::move(topics);
    image_.configs = std::make_shared<ConfigurationsImage>(configs_);
  }
  std::vector<PartitionChangeRecord> update(const BrokerUpdate& update) {
    publish();
    std::vector<MetadataRecord> records;
    update_leaders_and_isrs(image_, settings_, update, [](const auto&) { return true; }, records);
    std::vector<PartitionChangeRecord> changes;
    for (const auto& one : records) changes.push_back(std::get<PartitionChangeRecord>(one.message));
    return changes;
  }

  MetadataImage image_;
  TopicImage topic_;
  ConfigurationsImage configs_;
  ControllerSettings settings_;
};

TEST_F(PartitionChangesTest, TheNearestConfigurationHolds) {
  const std::string key = "min.insync.replicas";
  publish();
  EXPECT_EQ(effective_topic_config(image_, "t", key, 1), std::nullopt);
  EXPECT_EQ(effective_min_isr(image_, topic_, settings_), 1);
  configs_.resources[{ConfigResourceType::broker, ""}][key] = "2";
  publish();
  EXPECT_EQ(effective_min_isr(image_, topic_, settings_), 2);
  configs_.resources[{ConfigResourceType::broker, "1"}][key] = "3";
  publish();
  EXPECT_EQ(effective_min_isr(image_, topic_, settings_), 3);
  configs_.resources[{ConfigResourceType::topic, "t"}][key] = "1";
  publish();
  EXPECT_EQ(effective_min_isr(image_, topic_, settings_), 1);
}

TEST_F(PartitionChangesTest, MinIsrIsNeverAboveTheReplicationFactor) {
  configs_.resources[{ConfigResourceType::topic, "t"}]["min.insync.replicas"] = "7";
  publish();
  EXPECT_EQ(effective_min_isr(image_, topic_, settings_), 3);
}

TEST_F(PartitionChangesTest, UncleanElectionFollowsTheTopic) {
  publish();
  EXPECT_FALSE(unclean_leader_election(image_, "t", settings_));
  settings_.default_unclean_leader_election = true;
  EXPECT_TRUE(unclean_leader_election(image_, "t", settings_));
  configs_.resources[{ConfigResourceType::topic, "t"}]["unclean.leader.election.enable"] = "false";
  publish();
  EXPECT_FALSE(unclean_leader_election(image_, "t", settings_));
}

TEST_F(PartitionChangesTest, ABrokerThatGoesLeavesIsrAndLeadership) {
  const auto changes = update({.remove = 1});
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].leader, 2);
  EXPECT_EQ(changes[0].isr, (std::vector<std::int32_t>{2, 3}));
}

TEST_F(PartitionChangesTest, ABrokerThatIsNoReplicaChangesNothing) {
  topic_.partitions[0].replicas = {1, 2};
  topic_.partitions[0].directories.pop_back();
  topic_.partitions[0].isr = {1, 2};
  EXPECT_TRUE(update({.remove = 3}).empty());
}

TEST_F(PartitionChangesTest, ALeaderlessPartitionGetsTheOneThatComes) {
  topic_.partitions[0].leader = no_leader;
  topic_.partitions[0].isr = {3};
  auto cluster = *image_.cluster;
  for (auto& [id, broker] : cluster.brokers) broker.fenced = true;
  image_.cluster = std::make_shared<ClusterImage>(cluster);
  EXPECT_TRUE(update({}).empty());
  const auto changes = update({.add = 3});
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].leader, 3);
  EXPECT_FALSE(changes[0].isr.has_value());
}

TEST_F(PartitionChangesTest, AnUncleanShutdownLeavesTheEligibleReplicasToo) {
  topic_.partitions[0].isr = {1};
  topic_.partitions[0].elr = {2, 3};
  configs_.resources[{ConfigResourceType::topic, "t"}]["min.insync.replicas"] = "3";
  const auto changes = update({.unclean_shutdown = 3});
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].eligible_leader_replicas, (std::vector<std::int32_t>{2}));
}

TEST_F(PartitionChangesTest, AReplicaWhoseDiskIsGoneCannotLead) {
  topic_.partitions[0].directories[1] = codec::Uuid::reserved(199);  // broker 2 has no such directory
  const auto changes = update({.remove = 1});
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].leader, 3);
}

}  // namespace
}  // namespace dohle::metadata
