#include "server/replica/replica_upkeep.h"

#include <algorithm>
#include <cerrno>

#include "server/replica/replica_fixture.h"

namespace dohle::replica {
namespace {

const auto topic_id = codec::Uuid::reserved(150);
constexpr std::int64_t day_ms = 86'400'000;

class ReplicaUpkeepTest : public ReplicaFixture {
 protected:
  ReplicaUpkeepTest() {
    add_topic("t", topic_id);
    replicas_.apply(*image_, {topic_id});
    partition_ = replicas_.find(topic_id, 0);
  }

  log::PartitionOffsets checkpoint(const char* name) {
    return log::read_offset_checkpoint(*partition_->directory()->directory, name).value();
  }
  void configure(const std::function<void(config::LogConfig&)>& set) {
    auto config = std::make_shared<config::LogConfig>();
    set(*config);
    partition_->set_config(std::move(config));
  }
  void run_after(std::int64_t ms) {
    clock_.advance_ms(ms);
    upkeep_.run_due(clock_.monotonic_ms());
  }
  std::vector<std::string> files() {
    std::vector<std::string> found;
    const auto entries = partition_->log().directory().list();
    for (const auto& entry : *entries) found.push_back(entry.name);
    return found;
  }

  runtime::Snapshot<config::BrokerConfig> config_{
      std::make_shared<config::BrokerConfig>(config::load_broker_config(config::sample_properties())->config)};
  ReplicaSet replicas_{broker_id, *directories_, config_};
  ReplicaUpkeep upkeep_{replicas_, *directories_, config_, clock_};
  std::shared_ptr<Partition> partition_;
};

const log::TopicPartition key{"t", 0};

TEST_F(ReplicaUpkeepTest, HighWatermarksAreKeptEveryFiveSeconds) {
  append(*partition_, batch(3));
  run_after(4'999);
  EXPECT_TRUE(checkpoint(log::high_watermark_checkpoint).empty());
  run_after(1);
  EXPECT_EQ(checkpoint(log::high_watermark_checkpoint), (log::PartitionOffsets{{key, 3}}));
}

TEST_F(ReplicaUpkeepTest, RecoveryPointsSayWhichSegmentsNeedNotBeReadAgain) {
  append(*partition_, batch(3));
  run_after(30'000);  // the initial delay
  EXPECT_EQ(checkpoint(log::recovery_point_checkpoint), (log::PartitionOffsets{{key, 0}}));
  // The active segment is read again after a crash, flushed or not: its indexes are not on the disk.
  ASSERT_EQ(partition_->flush(), protocol::ErrorCode::none);
  run_after(60'000);
  EXPECT_EQ(checkpoint(log::recovery_point_checkpoint), (log::PartitionOffsets{{key, 0}}));
  ASSERT_TRUE(partition_->with_log([](log::Log& log) { return log.roll(); }));
  append(*partition_, batch(3));
  run_after(60'000);
  EXPECT_EQ(checkpoint(log::recovery_point_checkpoint), (log::PartitionOffsets{{key, 0}}));
  ASSERT_EQ(partition_->flush(), protocol::ErrorCode::none);
  run_after(60'000);
  EXPECT_EQ(checkpoint(log::recovery_point_checkpoint), (log::PartitionOffsets{{key, 3}}));
}

TEST_F(ReplicaUpkeepTest, LogStartsAreKeptOnlyInsideASegment) {
  append(*partition_, batch(3));
  upkeep_.write_checkpoints(false, true, false);
  EXPECT_TRUE(checkpoint(log::log_start_checkpoint).empty());
  partition_->delete_records_before(2);
  upkeep_.write_checkpoints(false, true, false);
  EXPECT_EQ(checkpoint(log::log_start_checkpoint), (log::PartitionOffsets{{key, 2}}));
}

TEST_F(ReplicaUpkeepTest, OldSegmentsGoAndTheirFilesFollow) {
  configure([](auto& config) { config.retention_ms = day_ms; });
  append(*partition_, batch(3, clock_.wall_ms()));
  ASSERT_TRUE(partition_->with_log([](log::Log& log) { return log.roll(); }));
  append(*partition_, batch(1, clock_.wall_ms() + 2 * day_ms));
  run_after(day_ms / 2);
  EXPECT_EQ(partition_->log_start_offset(), 0);
  run_after(day_ms);
  EXPECT_EQ(partition_->log_start_offset(), 3);
  const auto is_deleted = [](const auto& name) { return name.ends_with(".deleted"); };
  EXPECT_TRUE(std::ranges::any_of(files(), is_deleted));
  run_after(300'000);  // file.delete.delay.ms is a minute, the check comes every five
  EXPECT_TRUE(std::ranges::none_of(files(), is_deleted));
}

TEST_F(ReplicaUpkeepTest, FlushMsFlushes) {
  configure([](auto& config) { config.flush_ms = 10'000; });
  append(*partition_, batch(2));
  run_after(9'000);
  EXPECT_EQ(partition_->log().recovery_point(), 0);
  run_after(1'000);
  EXPECT_EQ(partition_->log().recovery_point(), 2);
}

TEST_F(ReplicaUpkeepTest, AFlushThatFailsTakesTheDirectoryOffline) {
  configure([](auto& config) { config.flush_ms = 10'000; });
  append(*partition_, batch(2));
  disk_.fail_all(EIO, dohle::testing::DiskCall::sync);
  run_after(10'000);
  EXPECT_FALSE(partition_->directory()->online);
}

TEST_F(ReplicaUpkeepTest, ProducersExpire) {
  const protocol::RecordBatchOptions options{.producer_id = 5, .producer_epoch = 0, .base_sequence = 0};
  append(*partition_, batch(1, clock_.wall_ms(), options));
  EXPECT_NE(partition_->log().producers().producers().count(5), 0u);
  run_after(day_ms + 600'000);
  EXPECT_EQ(partition_->log().producers().producers().count(5), 0u);
}

TEST_F(ReplicaUpkeepTest, AnOfflineDirectoryGetsNoCheckpoints) {
  append(*partition_, batch(3));
  partition_->directory()->online = false;
  upkeep_.write_checkpoints(true, true, true);
  EXPECT_TRUE(checkpoint(log::high_watermark_checkpoint).empty());
}

TEST_F(ReplicaUpkeepTest, DeletedTopicsLeaveTheDisk) {
  const auto* directory = partition_->directory();
  partition_.reset();
  remove_topic(topic_id);
  replicas_.apply(*image_, {topic_id});
  run_after(61'000);
  const auto entries = directory->directory->list();
  for (const auto& entry : *entries) EXPECT_FALSE(entry.name.ends_with("-delete"));
}

TEST_F(ReplicaUpkeepTest, TheThreadStopsAtOnce) {
  upkeep_.start();
  upkeep_.stop();
  upkeep_.stop();
}

}  // namespace
}  // namespace dohle::replica
