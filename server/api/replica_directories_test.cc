// Source of what is expected: ReplicationControlManager.handleAssignReplicasToDirs.
#include "server/api/replica_directories.h"

#include <gtest/gtest.h>

#include "server/api/config_schema.h"
#include "server/metadata/metadata_delta.h"

namespace dohle::api {
namespace {

const auto topic_id = codec::Uuid::reserved(150);
const auto old_directory = codec::Uuid::reserved(101);
const auto new_directory = codec::Uuid::reserved(102);

class ReplicaDirectoriesTest : public ::testing::Test {
 protected:
  ReplicaDirectoriesTest() {
    protocol::TopicRecord topic;
    topic.name = "t";
    topic.topic_id = topic_id;
    protocol::PartitionRecord partition;
    partition.topic_id = topic_id;
    partition.partition_id = 0;
    partition.replicas = partition.isr = {1, 2};
    partition.directories = {old_directory, old_directory};
    partition.leader = 1;
    partition.leader_epoch = partition.partition_epoch = 0;
    protocol::FeatureLevelRecord level;
    level.name = "metadata.version";
    level.feature_level = 29;
    std::vector<metadata::MetadataRecord> records{{level, 0}};
    for (const std::int32_t id : {1, 2}) {
      protocol::RegisterBrokerRecord broker;
      broker.broker_id = id;
      broker.fenced = false;
      broker.log_dirs = {old_directory, new_directory};
      records.push_back({broker, 3});
    }
    records.push_back({topic, 0});
    records.push_back({partition, 1});
    change(records);
  }
  void change(const std::vector<metadata::MetadataRecord>& records) {
    metadata::MetadataDelta delta(image_);
    for (const auto& record : records) ASSERT_TRUE(delta.replay(record));
    image_ = delta.apply({});
  }
  auto assign(std::int32_t node_id, const codec::Uuid& topic, std::int32_t partition, const codec::Uuid& directory) {
    return assign_directories(controller_, *image_, node_id, {{topic, partition, directory}}).records;
  }

  runtime::Snapshot<config::BrokerConfig> config_{
      std::make_shared<config::BrokerConfig>(config::load_broker_config(config::sample_properties())->config)};
  TableConfigSchema schema_{config_};
  metadata::Controller controller_{{}, schema_};
  std::shared_ptr<const metadata::MetadataImage> image_ = std::make_shared<metadata::MetadataImage>();
};

TEST_F(ReplicaDirectoriesTest, TheDirectoryOfOneReplicaChanges) {
  const auto records = assign(2, topic_id, 0, new_directory);
  ASSERT_EQ(records.size(), 1u);
  const auto& record = std::get<protocol::PartitionChangeRecord>(records[0].message);
  EXPECT_EQ(record.directories, (std::vector{old_directory, new_directory}));
  change(records);
  EXPECT_EQ(image_->topics->find(topic_id)->partition(0)->directory_of(2), new_directory);
  EXPECT_EQ(image_->topics->find(topic_id)->partition(0)->leader, 1);
}

TEST_F(ReplicaDirectoriesTest, WhatIsKnownOrGoneChangesNothing) {
  EXPECT_TRUE(assign(1, topic_id, 0, old_directory).empty());
  EXPECT_TRUE(assign(1, topic_id, 7, new_directory).empty());
  EXPECT_TRUE(assign(3, topic_id, 0, new_directory).empty());
  EXPECT_TRUE(assign(1, codec::Uuid::reserved(151), 0, new_directory).empty());
}

}  // namespace
}  // namespace dohle::api
