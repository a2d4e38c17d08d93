#include "server/log/log.h"

#include "server/log/log_fixture.h"

namespace dohle::log {
namespace {

using dohle::testing::DiskCall;

class LogTest : public LogFixture {};

TEST_F(LogTest, close_leaves_what_a_clean_start_needs) {
  options_.config.segment_bytes = 400;
  open();
  for (int i = 0; i < 5; ++i) append({.records = 2, .value_bytes = 30});
  ASSERT_TRUE(log_->close());
  EXPECT_TRUE(has_file("00000000000000000010.snapshot"));
  disk_.crash();
  options_.clean_shutdown = true;
  open();
  EXPECT_EQ(log_->log_end_offset(), 10);
  EXPECT_EQ(read_all(0).size(), 5U);
  EXPECT_EQ((*log_->offset_of_max_timestamp())->offset, 1);
}

TEST_F(LogTest, a_flush_covers_closed_segments_their_indexes_and_the_snapshot_of_the_roll) {
  options_.config.segment_bytes = 400;
  open();
  for (int i = 0; i < 3; ++i)
    append({.records = 2, .value_bytes = 30, .producer_id = 1, .producer_epoch = 0, .sequence = 2 * i});
  const FlushPlan plan = log_->flush_plan(4);
  EXPECT_EQ(plan.active, nullptr);
  EXPECT_EQ(plan.names, (std::vector<std::string>{"00000000000000000004.snapshot", "00000000000000000000.log",
                                                  "00000000000000000000.index", "00000000000000000000.timeindex"}));
  ASSERT_TRUE(plan.run());
  log_->finish_flush(plan);
  EXPECT_EQ(log_->recovery_point(), 4);
  EXPECT_TRUE(log_->flush_plan(4).empty());
  EXPECT_NE(log_->flush_plan(6).active, nullptr);
}

TEST_F(LogTest, a_segment_that_was_flushed_before_it_was_closed_still_lacks_its_indexes) {
  open();
  append({.records = 2});
  ASSERT_TRUE(log_->flush(2));
  EXPECT_EQ(log_->recovery_point(), 2);
  EXPECT_EQ(log_->checkpoint_recovery_point(), 0);
  ASSERT_TRUE(log_->roll());
  EXPECT_EQ(log_->checkpoint_recovery_point(), 0);
  // Nothing new was written, but the next flush has the closed segment's files.
  const FlushPlan plan = log_->flush_plan(2);
  EXPECT_EQ(plan.active, nullptr);
  EXPECT_TRUE(std::ranges::find(plan.names, "00000000000000000000.index") != plan.names.end());
  ASSERT_TRUE(plan.run());
  log_->finish_flush(plan);
  EXPECT_EQ(log_->checkpoint_recovery_point(), 2);
  EXPECT_TRUE(log_->flush_plan(2).empty());
}

TEST_F(LogTest, a_flush_that_fails_moves_nothing) {
  open();
  append({.records = 1});
  disk_.fail_all(EIO, DiskCall::sync);
  const auto status = log_->flush(1);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, runtime::ErrorKind::io);
  EXPECT_EQ(log_->recovery_point(), 0);
}

TEST_F(LogTest, a_renamed_directory_is_read_and_written_under_its_new_name) {
  options_.config.segment_bytes = 400;
  open();
  for (int i = 0; i < 5; ++i) append({.records = 2, .value_bytes = 30});
  auto top = disk_.directory();
  ASSERT_TRUE(top->rename("topic-0", "topic-0.x-future"));
  ASSERT_TRUE(log_->directory_renamed(*top->subdirectory("topic-0.x-future", false)));
  EXPECT_EQ(read_all(0).size(), 5U);
  EXPECT_EQ(append({.records = 2, .value_bytes = 30}).first_offset, 10);
  EXPECT_EQ(read_all(0).size(), 6U);
}

TEST_F(LogTest, the_high_watermark_stays_within_the_log) {
  open();
  append({.records = 3});
  EXPECT_EQ(log_->update_high_watermark(10), 3);
  EXPECT_EQ(log_->update_high_watermark(-1), 0);
}

TEST_F(LogTest, b37_producers_expire) {
  open();
  append({.records = 1, .producer_id = 1, .producer_epoch = 0, .sequence = 0});
  clock_.advance_ms(86'400'000);
  log_->remove_expired_producers();
  EXPECT_TRUE(log_->producers().producers().empty());
}

}  // namespace
}  // namespace dohle::log
