// For the tests of this folder: log directories on a fake disk, images made of records, partitions to write to.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "protocol/record_batch_builder.h"
#include "server/metadata/metadata_delta.h"
#include "server/replica/replica_set.h"
#include "server/testing/fake_clock.h"
#include "server/testing/fake_disk.h"

namespace dohle::replica {

class ReplicaFixture : public ::testing::Test {
 protected:
  static constexpr std::int32_t broker_id = 1;

  ReplicaFixture() { open(); }

  /// Opens what is on the disk, as a new process would.
  std::vector<log::LoadedLog> open() {
    directories_.reset();
    directories_ =
        std::make_unique<log::LogDirectories>(std::vector{disk_.directory("/a"), disk_.directory("/b")}, clock_);
    for (std::uint8_t i = 0; i < 2; ++i) directories_->all()[i]->id = codec::Uuid::reserved(101 + i);
    EXPECT_TRUE(directories_->start());
    log::LogDirectoriesOptions options;
    options.producers.transaction_verification = false;
    auto loaded = directories_->load(std::move(options));
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    return loaded ? std::move(*loaded) : std::vector<log::LoadedLog>{};
  }

  static codec::Blob batch(int records = 1, std::int64_t timestamp_ms = 1'700'000'000'000,
                           const protocol::RecordBatchOptions& options = {}) {
    protocol::RecordBatchBuilder builder(options);
    for (int i = 0; i < records; ++i) builder.append(timestamp_ms + i, std::nullopt, codec::as_bytes("value"));
    return builder.build();
  }
  static ProduceResult append(Partition& partition, codec::Blob bytes, std::int16_t acks = -1) {
    log::LeaderAppend append;
    append.batches = bytes;
    return partition.append(append, acks);
  }

  void change(const std::vector<metadata::MetadataRecord>& records) {
    metadata::MetadataDelta delta(image_);
    for (const auto& record : records) {
      const auto replayed = delta.replay(record);
      ASSERT_TRUE(replayed) << replayed.error().message;
    }
    image_ = delta.apply({});
  }
  /// A topic whose partitions have these replicas; the first leads, all are in sync.
  void add_topic(const std::string& name, const codec::Uuid& id, int partitions = 1,
                 const std::vector<std::int32_t>& replicas = {broker_id}) {
    protocol::TopicRecord topic;
    topic.name = name;
    topic.topic_id = id;
    std::vector<metadata::MetadataRecord> records{{topic, 0}};
    for (int i = 0; i < partitions; ++i) {
      protocol::PartitionRecord partition;
      partition.topic_id = id;
      partition.partition_id = i;
      partition.replicas = replicas;
      partition.isr = replicas;
      partition.leader = replicas.front();
      partition.leader_epoch = 0;
      partition.partition_epoch = 0;
      records.push_back({partition, 0});
    }
    change(records);
  }
  void remove_topic(const codec::Uuid& id) {
    protocol::RemoveTopicRecord removal;
    removal.topic_id = id;
    change({{removal, 0}});
  }
  void set_topic_config(const std::string& topic, const std::string& key, const std::string& value) {
    protocol::ConfigRecord record;
    record.resource_type = static_cast<std::int8_t>(metadata::ConfigResourceType::topic);
    record.resource_name = topic;
    record.name = key;
    record.value = value;
    change({{record, 0}});
  }

  dohle::testing::FakeDisk disk_;
  dohle::testing::FakeClock clock_;
  std::unique_ptr<log::LogDirectories> directories_;
  std::shared_ptr<const metadata::MetadataImage> image_ = std::make_shared<metadata::MetadataImage>();
};

}  // namespace dohle::replica
