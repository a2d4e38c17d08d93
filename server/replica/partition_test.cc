#include "server/replica/partition.h"

#include <cerrno>
#include <thread>

#include "server/replica/replica_fixture.h"
#include "server/testing/fake_disk.h"

namespace dohle::replica {
namespace {

using protocol::ErrorCode;

class PartitionTest : public ReplicaFixture {
 protected:
  PartitionTest() {
    auto created = directories_->create({"t", 0}, codec::Uuid::reserved(150), {}, nullptr);
    partition_ = std::make_shared<Partition>("t", codec::Uuid::reserved(150), 0, broker_id, created->directory,
                                             std::move(created->log));
    EXPECT_TRUE(partition_->apply(alone()));
  }

  static PartitionState alone(std::int32_t leader_epoch = 0, std::int32_t partition_epoch = 0) {
    return {.leader = broker_id,
            .leader_epoch = leader_epoch,
            .partition_epoch = partition_epoch,
            .replicas = {broker_id},
            .isr = {broker_id}};
  }
  void configure(const std::function<void(config::LogConfig&)>& set) {
    auto config = std::make_shared<config::LogConfig>();
    set(*config);
    partition_->set_config(std::move(config));
  }
  ProduceResult append(codec::Blob bytes = batch(), std::int16_t acks = -1) {
    return ReplicaFixture::append(*partition_, std::move(bytes), acks);
  }
  FetchReadResult read(FetchRead request) {
    if (request.max_bytes == 0) request.max_bytes = 1 << 20;
    return partition_->read(request);
  }

  std::shared_ptr<Partition> partition_;
};

TEST_F(PartitionTest, TheOnlyReplicaIsReadableAtOnce) {
  // behaviours.md 51
  EXPECT_EQ(append(batch(3), 1).base_offset, 0);
  EXPECT_EQ(partition_->high_watermark(), 3);
  EXPECT_EQ(append(batch(2)).base_offset, 3);
  EXPECT_EQ(partition_->high_watermark(), 5);
  EXPECT_EQ(partition_->last_stable_offset(), 5);
  const auto result = read({.offset = 0});
  EXPECT_EQ(result.error, ErrorCode::none);
  EXPECT_EQ(result.high_watermark, 5);
  EXPECT_EQ(result.log_start_offset, 0);
  EXPECT_EQ(result.slice.size_bytes, batch(3).size() + batch(2).size());
}

TEST_F(PartitionTest, WithFlushMessagesTheHighWatermarkWaitsForTheDisk) {
  configure([](auto& config) { config.flush_messages = 1; });
  const auto result = append(batch(2));
  EXPECT_EQ(result.error, ErrorCode::none);
  EXPECT_EQ(result.base_offset, 0);
  EXPECT_TRUE(result.flush_due);
  EXPECT_EQ(partition_->log_end_offset(), 2);
  EXPECT_EQ(partition_->high_watermark(), 0);
  EXPECT_EQ(read({.offset = 0}).slice.size_bytes, 0u);
  // Between the high watermark and the end is nothing, and no error (behaviours.md 63).
  EXPECT_EQ(read({.offset = 1}).error, ErrorCode::none);
  EXPECT_EQ(partition_->flush(), ErrorCode::none);
  EXPECT_EQ(partition_->high_watermark(), 2);
  EXPECT_EQ(partition_->log().recovery_point(), 2);
  EXPECT_GT(read({.offset = 0}).slice.size_bytes, 0u);
}

TEST_F(PartitionTest, ManyProducersShareASync) {
  configure([](auto& config) { config.flush_messages = 1; });
  disk_.slow_down(dohle::testing::DiskCall::sync, std::chrono::milliseconds(2));
  const auto before = disk_.calls(dohle::testing::DiskCall::sync);
  constexpr int producers = 16;
  constexpr int appends = 10;
  std::vector<std::jthread> threads;
  for (int i = 0; i < producers; ++i) {
    threads.emplace_back([this] {
      for (int n = 0; n < appends; ++n) {
        const auto result = append(batch());
        EXPECT_EQ(result.error, ErrorCode::none);
        EXPECT_EQ(partition_->flush(), ErrorCode::none);
        EXPECT_GT(partition_->high_watermark(), result.last_offset) << "acknowledged before it was on the disk";
      }
    });
  }
  threads.clear();
  EXPECT_EQ(partition_->log_end_offset(), producers * appends);
  EXPECT_LT(disk_.calls(dohle::testing::DiskCall::sync) - before, producers * appends / 2);
}

TEST_F(PartitionTest, ADuplicateOfWhatIsNotOnTheDiskWaitsToo) {
  configure([](auto& config) { config.flush_messages = 1; });
  const protocol::RecordBatchOptions options{.producer_id = 5, .producer_epoch = 0, .base_sequence = 0};
  EXPECT_TRUE(append(batch(1, 1000, options)).flush_due);
  auto again = append(batch(1, 1000, options));
  EXPECT_TRUE(again.duplicate);
  EXPECT_TRUE(again.flush_due);
  EXPECT_EQ(partition_->flush(), ErrorCode::none);
  again = append(batch(1, 1000, options));
  EXPECT_TRUE(again.duplicate);
  EXPECT_FALSE(again.flush_due);
  EXPECT_EQ(again.base_offset, 0);
}

TEST_F(PartitionTest, AFailedFlushIsTheEndOfThePartition) {
  configure([](auto& config) { config.flush_messages = 1; });
  append();
  disk_.fail_all(EIO, dohle::testing::DiskCall::sync);
  EXPECT_EQ(partition_->flush(), ErrorCode::kafka_storage_error);
  disk_.clear_failures();
  EXPECT_EQ(partition_->high_watermark(), 0);
  EXPECT_EQ(partition_->flush(), ErrorCode::kafka_storage_error);
  EXPECT_EQ(append().error, ErrorCode::kafka_storage_error);
  EXPECT_FALSE(partition_->is_leader());
}

TEST_F(PartitionTest, AfterARollTheClosedSegmentsCanBeSynced) {
  append(batch(3));
  EXPECT_EQ(partition_->flush_closed_segments(), ErrorCode::none);
  EXPECT_EQ(partition_->log().recovery_point(), 0);
  ASSERT_TRUE(partition_->with_log([](log::Log& log) { return log.roll(); }));
  append(batch(2));
  EXPECT_EQ(partition_->flush_closed_segments(), ErrorCode::none);
  EXPECT_EQ(partition_->log().recovery_point(), 3);
}

TEST_F(PartitionTest, AFullDiskIsNotTheEnd) {
  disk_.fail_call(1, ENOSPC, dohle::testing::DiskCall::write);
  const auto result = append();
  EXPECT_EQ(result.error, ErrorCode::kafka_storage_error);
  EXPECT_FALSE(result.disk_failed);
  EXPECT_EQ(append().base_offset, 0);
}

TEST_F(PartitionTest, ABrokenDiskIs) {
  disk_.fail_call(1, EIO, dohle::testing::DiskCall::write);
  EXPECT_TRUE(append().disk_failed);
  EXPECT_EQ(append().error, ErrorCode::kafka_storage_error);
  EXPECT_EQ(read({.offset = 0}).error, ErrorCode::kafka_storage_error);
  EXPECT_EQ(partition_->lookup_offset(-1, Isolation::read_uncommitted, -1, true).error, ErrorCode::kafka_storage_error);
  EXPECT_EQ(partition_->delete_records_before(0).error, ErrorCode::kafka_storage_error);
}

TEST_F(PartitionTest, MinIsrCountsForAcksAllAndIsClippedToTheReplicas) {
  // behaviours.md 50
  configure([](auto& config) { config.min_insync_replicas = 2; });
  EXPECT_EQ(append().error, ErrorCode::none);  // one replica: a minimum of one
  auto state = alone(1, 1);
  state.replicas = {1, 2, 3};
  ASSERT_TRUE(partition_->apply(state));
  const auto refused = append();
  EXPECT_EQ(refused.error, ErrorCode::not_enough_replicas);
  EXPECT_EQ(refused.message,
            "The size of the current ISR is insufficient to satisfy the min.isr requirement of 2 for partition t-0");
  EXPECT_EQ(partition_->log_end_offset(), 1);
  EXPECT_EQ(append(batch(), 1).error, ErrorCode::none);
  EXPECT_EQ(append(batch(), 0).error, ErrorCode::none);
  state.isr = {1, 3};
  state.partition_epoch = 2;
  ASSERT_TRUE(partition_->apply(state));
  EXPECT_EQ(append().error, ErrorCode::none);
}

TEST_F(PartitionTest, WhoDoesNotLeadTakesAndGivesNothing) {
  auto state = alone(1, 1);
  state.leader = 2;
  state.replicas = {2, 1};
  ASSERT_TRUE(partition_->apply(state));
  EXPECT_FALSE(partition_->is_leader());
  EXPECT_EQ(append().error, ErrorCode::not_leader_or_follower);
  EXPECT_EQ(read({.offset = 0}).error, ErrorCode::not_leader_or_follower);
  EXPECT_EQ(read({.offset = 0, .leader_only = false}).error, ErrorCode::none);
  EXPECT_EQ(partition_->delete_records_before(0).error, ErrorCode::not_leader_or_follower);
  EXPECT_TRUE(partition_->has_follower(2));
  EXPECT_FALSE(partition_->has_follower(1));
  EXPECT_FALSE(partition_->has_follower(3));
}

TEST_F(PartitionTest, OlderStatesAreIgnored) {
  ASSERT_TRUE(partition_->apply(alone(5, 5)));
  auto old = alone(4, 4);
  old.leader = 2;
  ASSERT_TRUE(partition_->apply(old));
  EXPECT_TRUE(partition_->is_leader());
  EXPECT_EQ(partition_->leader_epoch(), 5);
}

TEST_F(PartitionTest, EpochsFenceReaders) {
  // behaviours.md 74
  ASSERT_TRUE(partition_->apply(alone(3, 1)));
  EXPECT_EQ(read({.offset = 0, .current_leader_epoch = 2}).error, ErrorCode::fenced_leader_epoch);
  EXPECT_EQ(read({.offset = 0, .current_leader_epoch = 3}).error, ErrorCode::none);
  EXPECT_EQ(read({.offset = 0, .current_leader_epoch = 4}).error, ErrorCode::unknown_leader_epoch);
  EXPECT_EQ(read({.offset = 0, .current_leader_epoch = -1}).error, ErrorCode::none);
}

TEST_F(PartitionTest, EpochsEndWhereTheNextBegins) {
  // behaviours.md 84
  append(batch(3));
  ASSERT_TRUE(partition_->apply(alone(2, 1)));
  append(batch(2));
  auto end = partition_->end_of_epoch(2, -1, true);
  EXPECT_EQ(end.leader_epoch, 2);
  EXPECT_EQ(end.end_offset, 5);
  end = partition_->end_of_epoch(1, -1, true);  // the largest below it
  EXPECT_EQ(end.leader_epoch, 0);
  EXPECT_EQ(end.end_offset, 3);
  end = partition_->end_of_epoch(3, -1, true);
  EXPECT_EQ(end.error, ErrorCode::none);
  EXPECT_EQ(end.leader_epoch, -1);
  EXPECT_EQ(end.end_offset, -1);
}

TEST_F(PartitionTest, AFollowerLearnsWhereItDiverged) {
  append(batch(3));
  ASSERT_TRUE(partition_->apply(alone(2, 1)));
  append(batch(2));
  auto result = read({.offset = 4, .last_fetched_epoch = 1});
  EXPECT_TRUE(result.has_diverged);
  EXPECT_EQ(result.diverging_epoch, 0);
  EXPECT_EQ(result.diverging_end_offset, 3);
  EXPECT_EQ(result.slice.size_bytes, 0u);
  result = read({.offset = 3, .last_fetched_epoch = 2});
  EXPECT_FALSE(result.has_diverged);
  EXPECT_EQ(result.slice.size_bytes, batch(2).size());
  // An epoch that the leader never had.
  EXPECT_EQ(read({.offset = 3, .last_fetched_epoch = 7}).error, ErrorCode::offset_out_of_range);
}

TEST_F(PartitionTest, OffsetsOutsideAreOutOfRange) {
  // behaviours.md 63, 64
  append(batch(3));
  append(batch(3));
  EXPECT_EQ(read({.offset = 6}).error, ErrorCode::none);
  EXPECT_EQ(read({.offset = 7}).error, ErrorCode::offset_out_of_range);
  EXPECT_EQ(partition_->delete_records_before(3).offset, 3);
  EXPECT_EQ(read({.offset = 2}).error, ErrorCode::offset_out_of_range);
  EXPECT_EQ(read({.offset = 3}).log_start_offset, 3);
}

TEST_F(PartitionTest, OneBatchIsGivenWholeOnRequest) {
  // behaviours.md 55
  append(batch(100));
  EXPECT_EQ(read({.offset = 0, .max_bytes = 10}).slice.size_bytes, 0u);
  EXPECT_EQ(read({.offset = 0, .max_bytes = 10, .at_least_one_batch = true}).slice.size_bytes, batch(100).size());
}

TEST_F(PartitionTest, RecordsAreDeletedUpToTheHighWatermark) {
  // behaviours.md 161
  append(batch(4));
  EXPECT_EQ(partition_->delete_records_before(2).offset, 2);
  EXPECT_EQ(partition_->delete_records_before(1).offset, 2);
  EXPECT_EQ(partition_->delete_records_before(5).error, ErrorCode::offset_out_of_range);
  EXPECT_EQ(partition_->delete_records_before(-2).error, ErrorCode::offset_out_of_range);
  EXPECT_EQ(partition_->delete_records_before(-1).offset, 4);
  configure([](auto& config) {
    config.cleanup_policy_compact = true;
    config.cleanup_policy_delete = false;
  });
  EXPECT_EQ(partition_->delete_records_before(-1).error, ErrorCode::policy_violation);
}

TEST_F(PartitionTest, SpecialTimes) {
  // behaviours.md 77 to 81
  const auto lookup = [this](std::int64_t timestamp_ms) {
    return partition_->lookup_offset(timestamp_ms, Isolation::read_uncommitted, -1, true);
  };
  EXPECT_EQ(lookup(-1).offset, 0);
  EXPECT_EQ(lookup(-3).offset, -1);
  EXPECT_EQ(lookup(0).offset, -1);
  append(batch(1, 1000));
  append(batch(1, 5000));
  append(batch(1, 3000));
  EXPECT_EQ(lookup(-1).offset, 3);
  EXPECT_EQ(lookup(-1).timestamp_ms, -1);
  EXPECT_EQ(lookup(-1).leader_epoch, 0);
  EXPECT_EQ(lookup(-2).offset, 0);
  EXPECT_EQ(lookup(-3).offset, 1);
  EXPECT_EQ(lookup(-3).timestamp_ms, 5000);
  EXPECT_EQ(lookup(-4).offset, 0);
  EXPECT_EQ(lookup(-5).offset, -1);
  EXPECT_EQ(lookup(2000).offset, 1);
  EXPECT_EQ(lookup(2000).timestamp_ms, 5000);
  EXPECT_EQ(lookup(5001).offset, -1);
  EXPECT_EQ(lookup(5001).error, ErrorCode::none);
}

TEST_F(PartitionTest, AnOpenTransactionHoldsTheStableOffsetBack) {
  // behaviours.md 58, 77
  append(batch(2));
  append(batch(1, 1000, {.producer_id = 5, .producer_epoch = 0, .base_sequence = 0, .is_transactional = true}));
  append(batch(1));
  EXPECT_EQ(partition_->bound(Isolation::read_uncommitted), 4);
  EXPECT_EQ(partition_->bound(Isolation::read_committed), 2);
  EXPECT_EQ(read({.offset = 0, .isolation = Isolation::read_committed}).slice.size_bytes, batch(2).size());
  EXPECT_EQ(read({.offset = 2, .isolation = Isolation::read_committed}).slice.size_bytes, 0u);
  EXPECT_EQ(partition_->lookup_offset(-1, Isolation::read_committed, -1, true).offset, 2);
}

TEST_F(PartitionTest, AnAlmostFullDiskRefusesClientsFirstAndCoordinatorsLater) {
  const auto append_as = [this](log::AppendOrigin origin) {
    codec::Blob bytes = batch(1);
    log::LeaderAppend request;
    request.batches = bytes;
    request.origin = origin;
    return partition_->append(request, 1).error;
  };
  const auto& space = partition_->directory()->space;
  EXPECT_EQ(space, log::SpaceLevel::enough);
  partition_->directory()->space = log::SpaceLevel::low;
  EXPECT_EQ(append_as(log::AppendOrigin::client), ErrorCode::kafka_storage_error);
  EXPECT_EQ(append_as(log::AppendOrigin::coordinator), ErrorCode::none);
  partition_->directory()->space = log::SpaceLevel::critical;
  EXPECT_EQ(append_as(log::AppendOrigin::coordinator), ErrorCode::kafka_storage_error);
  EXPECT_EQ(read({.offset = 0}).error, ErrorCode::none);
  EXPECT_EQ(partition_->delete_records_before(1).error, ErrorCode::none);
  partition_->directory()->space = log::SpaceLevel::enough;
  EXPECT_EQ(append_as(log::AppendOrigin::client), ErrorCode::none);
}

TEST_F(PartitionTest, ADeletedTopicIsUnknown) {
  partition_->mark_deleted();
  EXPECT_EQ(append().error, ErrorCode::unknown_topic_or_partition);
  EXPECT_EQ(read({.offset = 0}).error, ErrorCode::unknown_topic_or_partition);
  EXPECT_EQ(partition_->flush(), ErrorCode::unknown_topic_or_partition);
  // It stays that, whatever happens to the disk.
  partition_->mark_offline();
  EXPECT_EQ(append().error, ErrorCode::unknown_topic_or_partition);
}

// Who waits for offsets to move is tested with whole fetches: server/api/01_fetch_test.cc.

}  // namespace
}  // namespace dohle::replica
