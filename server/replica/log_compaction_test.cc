#include "server/replica/log_compaction.h"

#include <cerrno>

#include "server/replica/replica_fixture.h"

namespace dohle::replica {
namespace {

const auto topic_id = codec::Uuid::reserved(150);
const auto other_id = codec::Uuid::reserved(151);

class LogCompactionTest : public ReplicaFixture {
 protected:
  LogCompactionTest() {
    add_topic("t", topic_id);
    add_topic("u", other_id);
    for (const char* topic : {"t", "u"}) {
      set_topic_config(topic, "cleanup.policy", "compact");
      set_topic_config(topic, "min.cleanable.dirty.ratio", "0.3");
    }
    replicas_.apply(*image_, {topic_id, other_id});
    partition_ = replicas_.find(topic_id, 0);
    other_ = replicas_.find(other_id, 0);
  }

  /// The same key `count` times, then a new segment.
  void fill(Partition& partition, int count = 3) {
    protocol::RecordBatchBuilder builder({});
    for (int i = 0; i < count; ++i) builder.append(clock_.wall_ms(), codec::as_bytes("key"), codec::as_bytes("value"));
    EXPECT_EQ(append(partition, builder.build()).error, protocol::ErrorCode::none);
    EXPECT_TRUE(partition.with_log([](log::Log& log) { return log.roll(); }));
  }
  log::PartitionOffsets checkpoint() {
    return log::read_offset_checkpoint(*partition_->directory()->directory, LogCompaction::checkpoint_name).value();
  }
  /// Damages the first batch of the partition's log.
  void damage(Partition& partition) {
    const auto name = log::segment_file_name(0, log::log_suffix);
    const auto file = partition.directory()->directory->subdirectory(partition.name(), false).value()->open(name, {});
    const std::uint8_t byte = 0xaa;
    ASSERT_TRUE((*file)->write_at(codec::Bytes(&byte, 1), 65));
  }

  runtime::Snapshot<config::BrokerConfig> config_{
      std::make_shared<config::BrokerConfig>(config::load_broker_config(config::sample_properties())->config)};
  ReplicaSet replicas_{broker_id, *directories_, config_};
  LogCompaction compaction_{replicas_, *directories_, config_, clock_};
  std::shared_ptr<Partition> partition_;
  std::shared_ptr<Partition> other_;
};

const log::TopicPartition key{"t", 0};

TEST_F(LogCompactionTest, CleansWhatIsDirtyAndNotesHowFarItCame) {
  EXPECT_FALSE(compaction_.clean_dirtiest());
  fill(*partition_);
  EXPECT_TRUE(compaction_.clean_dirtiest());
  EXPECT_EQ(checkpoint(), (log::PartitionOffsets{{key, 3}}));
  EXPECT_EQ(compaction_.cleaned_offset(*partition_), 3);
  EXPECT_FALSE(compaction_.clean_dirtiest()) << "there is nothing dirty any more";
  EXPECT_EQ(partition_->log_end_offset(), 3);
}

TEST_F(LogCompactionTest, TheDirtiestComesFirst) {
  fill(*partition_);
  EXPECT_TRUE(compaction_.clean_dirtiest());
  fill(*partition_);
  fill(*other_);  // all of it is dirty, of the first only a part
  EXPECT_TRUE(compaction_.clean_dirtiest());
  EXPECT_EQ(compaction_.cleaned_offset(*other_), 3);
  EXPECT_EQ(compaction_.cleaned_offset(*partition_), 3);
  EXPECT_TRUE(compaction_.clean_dirtiest());
  EXPECT_EQ(compaction_.cleaned_offset(*partition_), 6);
}

TEST_F(LogCompactionTest, OneThatCanNotBeCleanedStopsNoOther) {
  fill(*partition_);
  fill(*partition_);
  damage(*partition_);
  fill(*other_);
  for (int i = 0; i < 3; ++i) compaction_.clean_dirtiest();
  EXPECT_EQ(compaction_.uncleanable_count(), 1U);
  EXPECT_EQ(compaction_.cleaned_offset(*other_), 3);
  EXPECT_EQ(compaction_.cleaned_offset(*partition_), std::nullopt);
  EXPECT_TRUE(partition_->directory()->online);
}

TEST_F(LogCompactionTest, ATopicOfTheSameNameBeginsAnew) {
  fill(*partition_);
  EXPECT_TRUE(compaction_.clean_dirtiest());
  auto* directory = partition_->directory();
  remove_topic(topic_id);
  replicas_.apply(*image_, {topic_id});
  EXPECT_FALSE(compaction_.clean_dirtiest());
  EXPECT_TRUE(log::read_offset_checkpoint(*directory->directory, LogCompaction::checkpoint_name)->empty());
}

TEST_F(LogCompactionTest, ACheckpointOutsideTheLogIsReplaced) {
  ASSERT_TRUE(log::write_offset_checkpoint(*partition_->directory()->directory, LogCompaction::checkpoint_name,
                                           {{key, 1000}, {{"gone", 0}, 7}}));
  fill(*partition_);
  EXPECT_TRUE(compaction_.clean_dirtiest());
  EXPECT_EQ(checkpoint(), (log::PartitionOffsets{{key, 3}}));
}

TEST_F(LogCompactionTest, ADiskThatFailsGoesOffline) {
  fill(*partition_);
  disk_.fail_all(EIO, dohle::testing::DiskCall::sync);
  EXPECT_FALSE(compaction_.clean_dirtiest());
  EXPECT_FALSE(partition_->directory()->online);
  disk_.clear_failures();
}

TEST_F(LogCompactionTest, CompactedLogsLoseWhatLiesBelowTheirStart) {
  fill(*partition_);
  fill(*partition_);
  partition_->with_log([](log::Log& log) { return log.advance_log_start(3); });
  compaction_.delete_old_segments();
  EXPECT_EQ(partition_->log().segments()->all().front()->base_offset(), 3);
}

TEST_F(LogCompactionTest, ItsThreadsCleanAndStop) {
  fill(*partition_);
  compaction_.start();
  for (int i = 0; i < 1000 && compaction_.cleaned_offset(*partition_) != 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(compaction_.cleaned_offset(*partition_), 3);
  compaction_.stop();
}

TEST_F(LogCompactionTest, TheNumberOfThreadsFollowsTheConfiguration) {
  const auto publish = [this](const char* threads) {
    auto properties = config::sample_properties();
    properties["log.cleaner.threads"] = threads;
    config_.publish(std::make_shared<config::BrokerConfig>(config::load_broker_config(properties)->config));
  };
  compaction_.adjust_threads();  // not started: nothing happens
  publish("3");
  compaction_.start();
  EXPECT_EQ(compaction_.thread_count(), 3u);
  fill(*partition_);
  for (int i = 0; i < 2000 && checkpoint().empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(checkpoint().empty()) << "they clean";
  publish("1");
  compaction_.adjust_threads();
  EXPECT_EQ(compaction_.thread_count(), 1u);
  publish("2");
  compaction_.adjust_threads();
  EXPECT_EQ(compaction_.thread_count(), 2u);
  compaction_.stop();
}

TEST_F(LogCompactionTest, WhatReplacesARecordIsSyncedBeforeThatGoes) {
  fill(*partition_);
  ASSERT_EQ(partition_->log().recovery_point(), 0);
  EXPECT_TRUE(compaction_.clean_dirtiest());
  EXPECT_EQ(partition_->log().recovery_point(), 3);
  fill(*partition_);
  disk_.fail_call(1, EIO, dohle::testing::DiskCall::sync);
  EXPECT_FALSE(compaction_.clean_dirtiest());
  EXPECT_FALSE(partition_->directory()->online);
}

}  // namespace
}  // namespace dohle::replica
