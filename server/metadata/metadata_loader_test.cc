#include "server/metadata/metadata_loader.h"

#include <gtest/gtest.h>

#include "server/metadata/metadata_log.h"
#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

/// What the sample's log comes to.
ImagePointer load_sample(const std::string& sample) {
  testing::FakeDisk disk;
  copy_sample(sample, *disk.directory());
  MetadataLoader loader;
  const auto directory = *disk.directory()->subdirectory("__cluster_metadata-0", false);
  const auto log =
      MetadataLog::open(directory, 0, [&](const MetadataBatch& batch) { return loader.load_batch(batch); });
  EXPECT_TRUE(log.has_value()) << (log ? "" : log.error().message);
  return loader.publish();
}

// What MakeSteps.java did, and what Kafka said of it afterwards (said.txt).
TEST(MetadataLoader, TheStoppedSampleComesToWhatKafkaSaid) {
  for (const char* sample : {"stopped-dynamic", "stopped-static"}) {
    const ImagePointer image = load_sample(sample);
    std::string names;
    for (const auto& topic : image->topics->sorted_by_name()) {
      names += topic->name + ":" + std::to_string(topic->partitions.size()) + " ";
    }
    EXPECT_EQ(names, "a.b:1 assigned:2 configured:1 defaults:1 m6:1 plain:5 ");
    EXPECT_EQ(image->topics->find("doomed"), nullptr);
    // A clean stop leaves all partitions without leader, with the broker eligible.
    const PartitionRegistration& partition = *image->topics->find("plain")->partition(0);
    EXPECT_EQ(partition.leader, no_leader);
    EXPECT_TRUE(partition.isr.empty());
    EXPECT_EQ(partition.elr, std::vector<std::int32_t>{1});
    EXPECT_EQ(partition.last_known_elr, std::vector<std::int32_t>{1});
    EXPECT_EQ(partition.leader_epoch, 1);
    EXPECT_EQ(partition.partition_epoch, 1);

    EXPECT_EQ(image->configs->configs({ConfigResourceType::topic, "configured"}),
              (ConfigMap{{"cleanup.policy", "delete"}, {"min.insync.replicas", "2"}, {"retention.ms", "3600000"}}));
    EXPECT_EQ(image->configs->configs({ConfigResourceType::broker, ""}),
              (ConfigMap{{"log.cleaner.threads", "2"}, {"min.insync.replicas", "1"}}));
    EXPECT_EQ(image->configs->configs({ConfigResourceType::broker, "1"}), (ConfigMap{{"log.retention.ms", "7200000"}}));
    EXPECT_EQ(image->configs->configs({ConfigResourceType::group, "g"}),
              (ConfigMap{{"consumer.session.timeout.ms", "50000"}}));
    EXPECT_EQ(image->configs->configs({ConfigResourceType::client_metrics, "m"}), (ConfigMap{{"interval.ms", "1000"}}));

    const BrokerRegistration& broker = *image->cluster->broker(1);
    EXPECT_TRUE(broker.fenced);
    EXPECT_TRUE(broker.in_controlled_shutdown);
    EXPECT_EQ(*broker.endpoint("PLAINTEXT"), (Endpoint{"PLAINTEXT", "127.0.0.1", 25192, 0}));
    EXPECT_EQ(broker.features, supported_features());
    EXPECT_EQ(broker.cordoned_directories, std::vector<codec::Uuid>{});
    EXPECT_EQ(image->cluster->controllers.size(), 1U);
    EXPECT_EQ(image->features->metadata_version, 33);
    EXPECT_EQ(image->features->levels.size(), 5U);
    EXPECT_EQ(image->producer_ids->next_producer_id, 1000);
    EXPECT_EQ(image->client_quotas->entities.begin()->second,
              (std::map<std::string, double>{{"producer_byte_rate", 1e6}}));
    EXPECT_EQ(image->scram->mechanisms.at(1).at("alice").iterations, 4096);
  }
}

TEST(MetadataLoader, TheKilledSampleHasItsLeaders) {
  const ImagePointer image = load_sample("killed-dynamic");
  EXPECT_FALSE(image->cluster->broker(1)->fenced);
  const PartitionRegistration& partition = *image->topics->find("plain")->partition(0);
  EXPECT_EQ(partition.leader, 1);
  EXPECT_EQ(partition.isr, std::vector<std::int32_t>{1});
  EXPECT_TRUE(partition.elr.empty());
  EXPECT_EQ(partition.leader_epoch, 2);
}

MetadataBatch batch_of(std::vector<MetadataRecord> records, std::int64_t base_offset) {
  MetadataBatch batch;
  batch.base_offset = base_offset;
  batch.last_offset = base_offset + static_cast<std::int64_t>(records.size()) - 1;
  batch.records = std::move(records);
  return batch;
}

MetadataRecord topic(const std::string& name, std::uint8_t id) {
  protocol::TopicRecord record;
  record.name = name;
  record.topic_id = codec::Uuid::reserved(id);
  return {std::move(record), 0};
}

TEST(MetadataLoader, ATransactionShowsWhenItEndsAndNeverWhenItIsAborted) {
  MetadataLoader loader;
  ASSERT_TRUE(loader.load_batch(batch_of({{protocol::BeginTransactionRecord{}, 0}, topic("a", 201)}, 0)));
  EXPECT_EQ(loader.transaction_start(), 0);
  EXPECT_EQ(loader.publish()->topics->size(), 0U);
  ASSERT_TRUE(loader.load_batch(batch_of({{protocol::EndTransactionRecord{}, 0}}, 2)));
  EXPECT_NE(loader.publish()->topics->find("a"), nullptr);
  ASSERT_TRUE(loader.load_batch(batch_of(
      {{protocol::BeginTransactionRecord{}, 0}, topic("b", 202), {protocol::AbortTransactionRecord{}, 0}}, 3)));
  const ImagePointer image = loader.publish();
  EXPECT_EQ(image->topics->find("b"), nullptr);
  EXPECT_EQ(image->provenance.last_contained_offset, 5);
  EXPECT_FALSE(loader.load_batch(batch_of({{protocol::EndTransactionRecord{}, 0}}, 6)).has_value());
}

TEST(MetadataLoader, ARecordThatDoesNotFitIsNamedWithItsOffset) {
  const auto line_of = [](MetadataRecord record) {
    MetadataLoader loader;
    const auto status = loader.load_batch(batch_of({std::move(record)}, 40));
    return status ? "" : status.error().message;
  };
  protocol::FeatureLevelRecord feature;
  feature.name = "metadata.version";
  feature.feature_level = 34;
  EXPECT_EQ(line_of({feature, 0}),
            "offset 40: feature metadata.version is at level 34, but this server supports 7 to 33 only");
  feature.name = "shiny.version";
  feature.feature_level = 1;
  EXPECT_EQ(line_of({feature, 0}),
            "offset 40: feature shiny.version is at level 1, but this server supports 0 to 0 only");
  EXPECT_EQ(line_of({protocol::RemoveTopicRecord{}, 0}),
            "offset 40: the removal of topic AAAAAAAAAAAAAAAAAAAAAA, which does not exist");
  EXPECT_EQ(line_of({protocol::FenceBrokerRecord{}, 0}),
            "offset 40: a record tries to fence broker 0, which is not registered");
}

}  // namespace
}  // namespace dohle::metadata
