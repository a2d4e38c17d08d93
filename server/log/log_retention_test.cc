#include "server/log/log_fixture.h"

namespace dohle::log {
namespace {

class LogRetention : public LogFixture {
 protected:
  /// Five segments of two batches of two records, the last one active.
  void fill(std::int64_t step_ms = 10) {
    options_.config.segment_bytes = 400;
    open();
    for (int i = 0; i < 10; ++i) {
      append({.records = 2, .timestamp_ms = clock_.wall_ms() + i * step_ms, .value_bytes = 30}, i / 4);
    }
    ASSERT_EQ(segment_bases(), (std::vector<std::int64_t>{0, 4, 8, 12, 16}));
    log_->update_high_watermark(20);
  }
};

TEST_F(LogRetention, truncation_cuts_inside_a_segment_and_forgets_what_follows) {
  fill();
  EXPECT_FALSE(*log_->truncate_to(20));
  ASSERT_TRUE(*log_->truncate_to(10));
  EXPECT_EQ(log_->log_end_offset(), 10);
  EXPECT_EQ(log_->high_watermark(), 10);
  EXPECT_EQ(segment_bases(), (std::vector<std::int64_t>{0, 4, 8}));
  EXPECT_EQ(read_all(0).size(), 5U);
  EXPECT_EQ(log_->leader_epochs().latest(), (EpochStart{1, 8}));
  EXPECT_EQ(append({.records = 1}, 3).first_offset, 10);
  EXPECT_EQ(read_all(0).size(), 6U);
  EXPECT_TRUE(has_file("00000000000000000012.log.deleted"));
  clock_.advance_ms(60'000);
  ASSERT_TRUE(log_->remove_deleted_files());
  EXPECT_FALSE(has_file("00000000000000000012.log.deleted"));
}

TEST_F(LogRetention, truncation_brings_the_producers_back_to_what_they_were) {
  open();
  for (int i = 0; i < 4; ++i) append({.records = 1, .producer_id = 3, .producer_epoch = 0, .sequence = i});
  ASSERT_TRUE(*log_->truncate_to(2));
  EXPECT_EQ(log_->producers().producers().at(3).last_sequence(), 1);
  EXPECT_EQ(append({.records = 1, .producer_id = 3, .producer_epoch = 0, .sequence = 2}).first_offset, 2);
}

TEST_F(LogRetention, truncation_in_a_transaction_opens_it_again) {
  options_.producers.transaction_verification = false;
  open();
  append({.records = 1, .producer_id = 3, .producer_epoch = 0, .sequence = 0, .transactional = true});
  append_marker(3, 0, false);
  log_->update_high_watermark(2);
  EXPECT_EQ(log_->last_stable_offset(), 2);
  ASSERT_TRUE(*log_->truncate_to(1));
  EXPECT_EQ(log_->last_stable_offset(), 0);
  EXPECT_TRUE(log_->aborted_transactions(0, 10)->empty());
}

TEST_F(LogRetention, truncation_below_the_first_segment_starts_anew) {
  fill();
  ASSERT_TRUE(log_->truncate_fully_and_start_at(50));
  EXPECT_EQ(log_->log_start_offset(), 50);
  EXPECT_EQ(log_->log_end_offset(), 50);
  EXPECT_EQ(log_->high_watermark(), 50);
  EXPECT_TRUE(log_->leader_epochs().empty());
  EXPECT_EQ(append({.records = 1}).first_offset, 50);
  ASSERT_TRUE(*log_->truncate_to(30));
  EXPECT_EQ(log_->log_end_offset(), 30);
  EXPECT_EQ(segment_bases(), (std::vector<std::int64_t>{30}));
}

TEST_F(LogRetention, b185_the_log_start_moves_inside_a_segment_and_the_bytes_go_later) {
  fill();
  EXPECT_TRUE(*log_->advance_log_start(9));
  EXPECT_FALSE(*log_->advance_log_start(9));
  EXPECT_EQ(log_->log_start_offset(), 9);
  EXPECT_EQ(segment_bases().size(), 5U);
  EXPECT_EQ(log_->leader_epochs().earliest(), (EpochStart{1, 9}));
  options_.config.retention_ms = -1;
  log_->set_config(options_.config);
  EXPECT_EQ(*log_->delete_old_segments(), 2U);
  EXPECT_EQ(segment_bases(), (std::vector<std::int64_t>{8, 12, 16}));
  EXPECT_EQ(log_->log_start_offset(), 9);
}

TEST_F(LogRetention, segments_go_when_the_log_is_too_large) {
  fill();
  const std::uint64_t segment = log_->segments()->all()[0]->size_bytes();
  options_.config.retention_ms = -1;
  options_.config.retention_bytes = static_cast<std::int64_t>(segment * 3);
  log_->set_config(options_.config);
  EXPECT_EQ(*log_->delete_old_segments(), 2U);
  EXPECT_EQ(log_->log_start_offset(), 8);
  EXPECT_EQ(*log_->delete_old_segments(), 0U);
}

TEST_F(LogRetention, b184_segments_go_when_their_largest_timestamp_is_too_old) {
  fill(1000);
  options_.config.retention_ms = 5000;
  log_->set_config(options_.config);
  EXPECT_EQ(*log_->delete_old_segments(), 0U);
  // The largest timestamps of the segments are 1001, 3001, 5001, ... after the start.
  clock_.advance_ms(8002);
  EXPECT_EQ(*log_->delete_old_segments(), 2U);
}

TEST_F(LogRetention, b188_a_log_that_retention_empties_goes_on_at_its_end) {
  fill();
  clock_.advance_ms(options_.config.retention_ms + 1000);
  EXPECT_EQ(*log_->delete_old_segments(), 5U);
  EXPECT_EQ(log_->log_start_offset(), 20);
  EXPECT_EQ(log_->log_end_offset(), 20);
  EXPECT_EQ(segment_bases(), (std::vector<std::int64_t>{20}));
  const auto read = log_->read({.offset = 20, .size_bytes_max = 100, .bound_offset = 20});
  EXPECT_FALSE(read->out_of_range);
  EXPECT_EQ(append({.records = 1}).first_offset, 20);
  ASSERT_TRUE(log_->close());
  options_.clean_shutdown = true;
  open();
  EXPECT_EQ(log_->log_start_offset(), 20);
  EXPECT_EQ(log_->log_end_offset(), 21);
}

TEST_F(LogRetention, a_full_disk_is_no_reason_to_keep_segments) {
  fill();
  clock_.advance_ms(options_.config.retention_ms + 1000);
  disk_.set_capacity(disk_.used_bytes());
  const auto removed = log_->delete_old_segments();
  ASSERT_TRUE(removed) << removed.error().message;
  EXPECT_GE(*removed, 4U);
  ASSERT_TRUE(log_->remove_deleted_files(true));
  ASSERT_TRUE(log_->delete_old_segments());
  EXPECT_EQ(log_->log_start_offset(), 20);
  EXPECT_EQ(segment_bases(), (std::vector<std::int64_t>{20}));
  EXPECT_EQ(append({.records = 1}).first_offset, 20);
}

TEST_F(LogRetention, nothing_above_the_high_watermark_goes) {
  options_.config.segment_bytes = 400;
  open();
  for (int i = 0; i < 10; ++i) append({.records = 2, .value_bytes = 30});
  log_->update_high_watermark(9);
  clock_.advance_ms(options_.config.retention_ms + 1000);
  EXPECT_EQ(*log_->delete_old_segments(), 2U);
  EXPECT_EQ(log_->log_start_offset(), 8);
}

TEST_F(LogRetention, a_compacted_log_only_loses_what_is_below_its_start) {
  fill();
  options_.config.cleanup_policy_delete = false;
  options_.config.cleanup_policy_compact = true;
  log_->set_config(options_.config);
  clock_.advance_ms(options_.config.retention_ms + 1000);
  EXPECT_EQ(*log_->delete_old_segments(), 0U);
}

TEST_F(LogRetention, a_flush_that_was_overtaken_by_a_truncation_does_not_count) {
  open();
  append({.records = 4});
  const FlushPlan plan = log_->flush_plan(4);
  ASSERT_TRUE(plan.run());
  ASSERT_TRUE(*log_->truncate_to(0));
  append({.records = 4});
  log_->finish_flush(plan);
  EXPECT_EQ(log_->recovery_point(), 0);
}

}  // namespace
}  // namespace dohle::log
