#include <cerrno>

#include "server/log/log_fixture.h"

namespace dohle::log {
namespace {

using protocol::ErrorCode;

class LogAppend : public LogFixture {};

TEST_F(LogAppend, offsets_and_epochs_are_given_in_order) {
  open();
  EXPECT_EQ(append({.records = 3}, 4).first_offset, 0);
  EXPECT_EQ(append({.records = 2}, 5).last_offset, 4);
  EXPECT_EQ(log_->log_end_offset(), 5);
  EXPECT_EQ(log_->high_watermark(), 0);
  const auto headers = read_all(0);
  ASSERT_EQ(headers.size(), 2U);
  EXPECT_EQ(headers[1].base_offset, 3);
  EXPECT_EQ(headers[1].leader_epoch, 5);
  EXPECT_EQ(log_->leader_epochs().entries(), (std::vector<EpochStart>{{4, 0}, {5, 3}}));
}

TEST_F(LogAppend, b32_a_duplicate_is_answered_with_the_first_offsets_and_not_stored) {
  open();
  const samples::BatchSample sample{.records = 2, .producer_id = 7, .producer_epoch = 0, .sequence = 0};
  append(sample);
  append({.records = 1, .producer_id = 7, .producer_epoch = 0, .sequence = 2});
  const AppendResult again = append(sample);
  EXPECT_TRUE(again.duplicate);
  EXPECT_EQ(again.error, ErrorCode::none);
  EXPECT_EQ(again.first_offset, 0);
  EXPECT_EQ(again.last_offset, 1);
  EXPECT_EQ(again.duplicate_timestamp_ms, 1'700'000'000'001);
  EXPECT_EQ(log_->log_end_offset(), 3);
}

TEST_F(LogAppend, what_is_refused_leaves_nothing) {
  open();
  append({.records = 1, .producer_id = 7, .producer_epoch = 1, .sequence = 0});
  EXPECT_EQ(append({.records = 1, .producer_id = 7, .producer_epoch = 1, .sequence = 5}).error,
            ErrorCode::out_of_order_sequence_number);
  EXPECT_EQ(append({.records = 1, .producer_id = 7, .producer_epoch = 0, .sequence = 1}).error,
            ErrorCode::invalid_producer_epoch);
  EXPECT_EQ(append_bytes(codec::Blob(70)).error, ErrorCode::corrupt_message);
  codec::Blob cut = samples::batch({.records = 3});
  cut.resize(cut.size() - 1);
  EXPECT_EQ(append_bytes(cut).error, ErrorCode::corrupt_message);
  EXPECT_EQ(append_bytes(codec::Blob()).error, ErrorCode::invalid_record);
  EXPECT_EQ(log_->log_end_offset(), 1);
  EXPECT_EQ(read_all(0).size(), 1U);
}

TEST_F(LogAppend, an_append_larger_than_a_segment_is_refused) {
  options_.config.segment_bytes = 200;
  open();
  EXPECT_EQ(append({.records = 1, .value_bytes = 300}).error, ErrorCode::record_list_too_large);
  EXPECT_EQ(log_->log_end_offset(), 0);
}

TEST_F(LogAppend, segments_are_rolled_by_size_and_closed_properly) {
  options_.config.segment_bytes = 400;
  open();
  bool rolled = false;
  for (int i = 0; i < 10; ++i) rolled = append({.records = 2, .value_bytes = 30}).rolled || rolled;
  EXPECT_TRUE(rolled);
  EXPECT_EQ(segment_bases(), (std::vector<std::int64_t>{0, 4, 8, 12, 16}));
  EXPECT_EQ(read_all(0).size(), 10U);
  EXPECT_EQ(read_all(7).size(), 7U);
  EXPECT_TRUE(has_file("00000000000000000004.index"));
  EXPECT_TRUE(has_file("00000000000000000004.timeindex"));
  EXPECT_TRUE(has_file("00000000000000000004.snapshot"));
}

TEST_F(LogAppend, segments_are_rolled_by_the_time_between_timestamps) {
  options_.config.segment_ms = 1000;
  open();
  append({.records = 1, .timestamp_ms = 5000});
  append({.records = 1, .timestamp_ms = 6000});
  EXPECT_EQ(segment_bases().size(), 1U);
  append({.records = 1, .timestamp_ms = 6001});
  EXPECT_EQ(segment_bases(), (std::vector<std::int64_t>{0, 2}));
}

TEST_F(LogAppend, a_segment_is_rolled_when_its_index_is_full) {
  options_.config.segment_index_bytes = 24;  // three offsets, or one timestamp and the slot that stays free
  options_.config.index_interval_bytes = 0;
  open();
  for (int i = 0; i < 6; ++i) append({.records = 1, .timestamp_ms = 1000 + i});
  EXPECT_GT(segment_bases().size(), 1U);
}

TEST_F(LogAppend, a_full_disk_leaves_the_log_as_it_was_and_it_goes_on_when_there_is_room) {
  open();
  append({.records = 1});
  const std::uint64_t size = log_->size_bytes();
  disk_.set_capacity(disk_.used_bytes() + 30);
  codec::Blob bytes = samples::batch({.records = 1});
  const auto failed = log_->append_as_leader({.batches = bytes});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, runtime::ErrorKind::no_space);
  EXPECT_EQ(log_->log_end_offset(), 1);
  EXPECT_EQ(log_->size_bytes(), size);
  disk_.set_capacity(1 << 20);
  EXPECT_EQ(append({.records = 1}).first_offset, 1);
  EXPECT_EQ(read_all(0).size(), 2U);
}

TEST_F(LogAppend, a_disk_that_fails_is_told_as_such) {
  open();
  disk_.fail_all(EIO, dohle::testing::DiskCall::write);
  codec::Blob bytes = samples::batch({.records = 1});
  const auto failed = log_->append_as_leader({.batches = bytes});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, runtime::ErrorKind::io);
  disk_.fail_all(ENOSPC, dohle::testing::DiskCall::write);
  disk_.fail_all(EIO, dohle::testing::DiskCall::truncate);
  const auto uncut = log_->append_as_leader({.batches = bytes});
  ASSERT_FALSE(uncut);
  EXPECT_EQ(uncut.error().kind, runtime::ErrorKind::io) << "what could not be cut back is not known";
}

TEST_F(LogAppend, a_replica_takes_batches_with_their_offsets) {
  open();
  codec::Blob bytes = samples::batch({.records = 2, .base_offset = 10, .leader_epoch = 1});
  const codec::Blob second = samples::batch({.records = 1, .base_offset = 20, .leader_epoch = 2});
  bytes.insert(bytes.end(), second.begin(), second.end());
  const auto taken = log_->append_raw({.batches = bytes, .leader_epoch = 2});
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->error, ErrorCode::none);
  EXPECT_EQ(log_->log_end_offset(), 21);
  EXPECT_EQ(log_->append_raw({.batches = bytes, .leader_epoch = 2})->error, ErrorCode::invalid_record);
  const codec::Blob later = samples::batch({.records = 1, .base_offset = 21, .leader_epoch = 3});
  EXPECT_EQ(log_->append_raw({.batches = later, .leader_epoch = 2})->last_offset, -1) << "of a later epoch";
  EXPECT_EQ(log_->append_raw({.batches = later, .origin = AppendOrigin::raft_leader, .leader_epoch = 2})->error,
            ErrorCode::invalid_record);
  codec::Blob torn = samples::batch({.records = 1, .base_offset = 21, .leader_epoch = 2});
  torn.back() ^= 1;
  EXPECT_EQ(log_->append_raw({.batches = torn, .leader_epoch = 2})->error, ErrorCode::corrupt_message);
}

TEST_F(LogAppend, the_last_stable_offset_waits_for_the_transaction_and_its_marker) {
  options_.producers.transaction_verification = false;
  open();
  append({.records = 2});
  append({.records = 2, .producer_id = 5, .producer_epoch = 0, .sequence = 0, .transactional = true});
  log_->update_high_watermark(log_->log_end_offset());
  EXPECT_EQ(log_->high_watermark(), 4);
  EXPECT_EQ(log_->last_stable_offset(), 2);
  EXPECT_EQ(append_marker(5, 0, false).error, ErrorCode::none);
  EXPECT_EQ(log_->last_stable_offset(), 2) << "the marker is not below the high watermark";
  log_->update_high_watermark(100);
  EXPECT_EQ(log_->high_watermark(), 5);
  EXPECT_EQ(log_->last_stable_offset(), 5);
  EXPECT_EQ(*log_->aborted_transactions(0, 5), (std::vector<AbortedTransaction>{{5, 2, 4, 5}}));
}

TEST_F(LogAppend, flush_messages_makes_a_flush_due) {
  options_.config.flush_messages = 3;
  open();
  EXPECT_FALSE(append({.records = 2}).flush_due);
  EXPECT_TRUE(append({.records = 1}).flush_due);
  ASSERT_TRUE(log_->flush(log_->log_end_offset()));
  EXPECT_EQ(log_->recovery_point(), 3);
  EXPECT_FALSE(append({.records = 1}).flush_due);
}

TEST_F(LogAppend, a_roll_that_fails_leaves_no_segment_behind) {
  open();
  append({.records = 3});
  // The snapshot of the producers, then each file of the segment.
  for (int call = 1; call <= 8; ++call) {
    disk_.fail_call(static_cast<std::uint64_t>(call), ENOSPC, dohle::testing::DiskCall::open);
    const auto rolled = log_->roll();
    disk_.clear_failures();
    if (rolled) break;
    EXPECT_EQ(segment_bases(), (std::vector<std::int64_t>{0}));
    append({.records = 1});
    const auto end = log_->log_end_offset();
    open();
    EXPECT_EQ(log_->log_end_offset(), end) << "after call " << call;
  }
}

}  // namespace
}  // namespace dohle::log
