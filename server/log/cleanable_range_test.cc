#include "server/log/cleanable_range.h"

#include "server/log/cleaner_fixture.h"

namespace dohle::log {
namespace {

class CleanableRangeTest : public CleanerFixture {
 protected:
  void SetUp() override {
    open();
    for (int i = 0; i < 3; ++i) {
      put({{"a", "1"}, {"b", "2"}});  // 0-1, 2-3, 4-5
      seal();
      clock_.advance_ms(100);
    }
    put({{"c", "3"}});
    log_->update_high_watermark(log_->log_end_offset());
  }
  CleanableRange range() {
    const auto range = cleanable_range(*log_, log_->config(), cleaned_, clock_.wall_ms());
    EXPECT_TRUE(range);
    return *range;
  }
  void configure(std::int64_t min_lag_ms, std::int64_t max_lag_ms) {
    LogConfig config = log_->config();
    config.min_compaction_lag_ms = min_lag_ms;
    config.max_compaction_lag_ms = max_lag_ms;
    log_->set_config(config);
  }
};

TEST_F(CleanableRangeTest, reaches_from_the_checkpoint_to_the_active_segment) {
  EXPECT_EQ(range().first_dirty_offset, 0);
  EXPECT_EQ(range().first_uncleanable_offset, 6) << "behaviour 181";
  EXPECT_EQ(range().clean_bytes, 0U);
  EXPECT_DOUBLE_EQ(range().dirty_ratio(), 1);
  cleaned_ = 4;
  EXPECT_EQ(range().first_dirty_offset, 4);
  EXPECT_NEAR(range().dirty_ratio(), 1.0 / 3, 0.01);
  EXPECT_FALSE(range().worth_cleaning(0.5));
  EXPECT_TRUE(range().worth_cleaning(0.3));
  cleaned_ = 6;
  EXPECT_EQ(range().cleanable_bytes, 0U);
  EXPECT_FALSE(range().worth_cleaning(0));
}

TEST_F(CleanableRangeTest, ends_before_the_segment_of_the_last_stable_offset) {
  put_transactional(7, 0, {{"x", "1"}});
  seal();
  put({{"c", "3"}});
  seal();
  // The transaction is open: its segment holds the last stable offset.
  EXPECT_EQ(log_->last_stable_offset(), 7);
  EXPECT_EQ(range().first_uncleanable_offset, 6);
  append_marker(7, 0, true);
  seal();
  EXPECT_EQ(range().first_uncleanable_offset, log_->log_end_offset());
}

TEST_F(CleanableRangeTest, leaves_young_segments_alone) {
  configure(250, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(range().first_uncleanable_offset, 2);
  clock_.advance_ms(100);
  EXPECT_EQ(range().first_uncleanable_offset, 4);
  cleaned_ = 4;
  EXPECT_EQ(range().first_uncleanable_offset, 4);
  EXPECT_EQ(range().cleanable_bytes, 0U);
}

TEST_F(CleanableRangeTest, an_old_record_must_be_cleaned_whatever_the_ratio) {
  cleaned_ = 4;
  configure(0, 100);
  EXPECT_FALSE(range().overdue);
  clock_.advance_ms(1);
  EXPECT_TRUE(range().overdue);
  EXPECT_TRUE(range().worth_cleaning(1));
  cleaned_ = 6;
  EXPECT_FALSE(range().worth_cleaning(1));
}

TEST_F(CleanableRangeTest, a_checkpoint_outside_the_log_is_not_believed) {
  cleaned_ = 100;
  EXPECT_EQ(range().first_dirty_offset, 0);
  EXPECT_TRUE(range().checkpoint_invalid);
  ASSERT_TRUE(log_->advance_log_start(3));
  cleaned_ = 2;
  EXPECT_EQ(range().first_dirty_offset, 3);
  EXPECT_TRUE(range().checkpoint_invalid);
  cleaned_ = 3;
  EXPECT_FALSE(range().checkpoint_invalid);
}

}  // namespace
}  // namespace dohle::log
