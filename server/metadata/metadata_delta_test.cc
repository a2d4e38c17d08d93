// Whole logs of Kafka's are replayed in metadata_loader_test; here stands what single records do.
#include "server/metadata/metadata_delta.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

const auto topic_id = codec::Uuid::reserved(150);

template <typename Message>
MetadataRecord record(Message message) {
  return {std::move(message), 0};
}

protocol::TopicRecord topic_record(const std::string& name, const codec::Uuid& id = topic_id) {
  protocol::TopicRecord topic;
  topic.name = name;
  topic.topic_id = id;
  return topic;
}

protocol::PartitionRecord partition_record(std::int32_t index) {
  protocol::PartitionRecord partition;
  partition.topic_id = topic_id;
  partition.partition_id = index;
  partition.replicas = {1, 2};
  partition.isr = {1, 2};
  partition.leader = 1;
  partition.leader_epoch = 0;
  partition.partition_epoch = 0;
  return partition;
}

ImagePointer after(const MetadataImage& base, const std::vector<MetadataRecord>& records) {
  MetadataDelta delta(std::make_shared<MetadataImage>(base));
  for (const auto& one : records) {
    const auto replayed = delta.replay(one);
    EXPECT_TRUE(replayed) << (replayed ? "" : replayed.error().message);
  }
  return delta.apply({});
}

bool is_corrupt(const MetadataImage& base, const MetadataRecord& one) {
  MetadataDelta delta(std::make_shared<MetadataImage>(base));
  const auto replayed = delta.replay(one);
  return !replayed && replayed.error().kind == runtime::ErrorKind::corrupt;
}

TEST(MetadataDelta, PartsThatNothingTouchedAreShared) {
  const auto base = image_with_brokers(2);
  const auto image = after(base, {record(topic_record("t")), record(partition_record(0))});
  EXPECT_EQ(image->cluster, base.cluster);
  EXPECT_EQ(image->configs, base.configs);
  EXPECT_NE(image->topics, base.topics);
  EXPECT_TRUE(base.topics->empty());
  ASSERT_NE(image->topics->find("t"), nullptr);
  EXPECT_EQ(image->topics->find(topic_id), image->topics->find("t"));
}

TEST(MetadataDelta, AnElectionBumpsBothEpochsAndAnIsrChangeOnlyThePartitions) {
  const auto base = after(image_with_brokers(2), {record(topic_record("t")), record(partition_record(0))});
  protocol::PartitionChangeRecord change;
  change.topic_id = topic_id;
  change.partition_id = 0;
  change.isr = std::vector<std::int32_t>{2};
  auto partition = *after(*base, {record(change)})->topics->find("t")->partition(0);
  EXPECT_EQ(partition.leader, 1);
  EXPECT_EQ(partition.leader_epoch, 0);
  EXPECT_EQ(partition.partition_epoch, 1);
  change.leader = 2;
  partition = *after(*base, {record(change)})->topics->find("t")->partition(0);
  EXPECT_EQ(partition.leader, 2);
  EXPECT_EQ(partition.leader_epoch, 1);
  EXPECT_EQ(partition.partition_epoch, 1);
  // No directories in a record from before metadata.version 17: one MIGRATING for each replica.
  EXPECT_EQ(partition.directories, (std::vector{directory_migrating, directory_migrating}));
}

TEST(MetadataDelta, ARemovedTopicTakesItsConfigurationAlong) {
  protocol::ConfigRecord config;
  config.resource_type = static_cast<std::int8_t>(ConfigResourceType::topic);
  config.resource_name = "t";
  config.name = "retention.ms";
  config.value = "5";
  const auto base = after(image_with_brokers(2), {record(topic_record("t")), record(config)});
  EXPECT_EQ(base->configs->configs({ConfigResourceType::topic, "t"}), (ConfigMap{{"retention.ms", "5"}}));
  protocol::RemoveTopicRecord removal;
  removal.topic_id = topic_id;
  const auto image = after(*base, {record(removal)});
  EXPECT_TRUE(image->topics->empty());
  EXPECT_TRUE(image->configs->resources.empty());
  // Created again in the same delta, under its name with a new id.
  const auto again = after(*base, {record(removal), record(topic_record("t", codec::Uuid::reserved(151)))});
  EXPECT_EQ(again->topics->find("t")->id, codec::Uuid::reserved(151));
  EXPECT_EQ(again->topics->find(topic_id), nullptr);
}

TEST(MetadataDelta, AConfigurationWithoutValueIsGone) {
  protocol::ConfigRecord config;
  config.resource_type = static_cast<std::int8_t>(ConfigResourceType::broker);
  config.name = "a";
  config.value = "1";
  const auto base = after(image_with_brokers(1), {record(config)});
  config.value.reset();
  EXPECT_TRUE(after(*base, {record(config)})->configs->resources.empty());
  EXPECT_TRUE(after(image_with_brokers(1), {record(config)})->configs->resources.empty());
}

TEST(MetadataDelta, BrokersAreChangedInTheirOwnEpochOnly) {
  const auto base = image_with_brokers(1);  // epoch 10
  protocol::FenceBrokerRecord fence;
  fence.id = 1;
  fence.epoch = 10;
  EXPECT_TRUE(after(base, {record(fence)})->cluster->broker(1)->fenced);
  fence.epoch = 11;
  EXPECT_TRUE(is_corrupt(base, record(fence)));
  fence.id = 2;
  EXPECT_TRUE(is_corrupt(base, record(fence)));

  protocol::BrokerRegistrationChangeRecord change;
  change.broker_id = 1;
  change.broker_epoch = 10;
  change.in_controlled_shutdown = 1;
  EXPECT_TRUE(after(base, {record(change)})->cluster->broker(1)->in_controlled_shutdown);
  change.fenced = 2;
  EXPECT_TRUE(is_corrupt(base, record(change)));

  protocol::UnregisterBrokerRecord unregister;
  unregister.broker_id = 1;
  EXPECT_TRUE(after(base, {record(unregister)})->cluster->brokers.empty());
}

TEST(MetadataDelta, RecordsThatDoNotFitAreRefused) {
  const auto base = image_with_brokers(2);
  EXPECT_TRUE(is_corrupt(base, record(partition_record(0))));
  protocol::PartitionChangeRecord change;
  change.topic_id = topic_id;
  EXPECT_TRUE(is_corrupt(base, record(change)));
  protocol::RemoveTopicRecord removal;
  removal.topic_id = topic_id;
  EXPECT_TRUE(is_corrupt(base, record(removal)));
  protocol::ClearElrRecord clear;
  clear.topic_name = "t";
  EXPECT_TRUE(is_corrupt(base, record(clear)));
  protocol::FeatureLevelRecord level;
  level.name = "metadata.version";
  level.feature_level = 99;
  EXPECT_TRUE(is_corrupt(base, record(level)));

  const auto with_topic = after(base, {record(topic_record("t"))});
  auto partition = partition_record(0);
  partition.directories = {codec::Uuid::reserved(101)};  // for two replicas
  EXPECT_TRUE(is_corrupt(*with_topic, record(partition)));
}

TEST(MetadataDelta, ClearedEligibleReplicasBumpThePartitionEpoch) {
  auto first = partition_record(0);
  first.eligible_leader_replicas = std::vector<std::int32_t>{2};
  const auto base =
      after(image_with_brokers(2), {record(topic_record("t")), record(first), record(partition_record(1))});
  const auto image = after(*base, {record(protocol::ClearElrRecord{})});
  const auto* topic = image->topics->find("t");
  EXPECT_TRUE(topic->partition(0)->elr.empty());
  EXPECT_EQ(topic->partition(0)->partition_epoch, 1);
  EXPECT_EQ(topic->partition(1)->partition_epoch, 0);
}

}  // namespace
}  // namespace dohle::metadata
