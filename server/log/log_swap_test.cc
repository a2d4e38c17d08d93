// Power lost at every call of the disk while cleaned segments are swapped in: every key has its last value afterwards.
#include "server/log/cleaner_fixture.h"

namespace dohle::log {
namespace {

using dohle::testing::CrashMode;

class LogSwap : public CleanerFixture {
 protected:
  void fill() {
    for (int i = 0; i < 12; ++i) {
      put({{"k" + std::to_string(i % 4), std::to_string(i)}, {"same", std::to_string(i)}});
      if (i % 3 == 2) seal();
    }
    ASSERT_TRUE(log_->flush(log_->log_end_offset()));
    ASSERT_TRUE(options_.directory->sync());
  }
  std::map<std::string, std::string> last_values() {
    std::map<std::string, std::string> values;
    std::int64_t last = -1;
    for (const Stored& record : records()) {
      EXPECT_GT(record.offset, last);
      last = record.offset;
      values[record.key] = record.value.value_or("");
    }
    return values;
  }
};

TEST_F(LogSwap, readers_of_the_list_in_between_need_no_names) {
  open();
  fill();
  const auto before = last_values();
  auto cleaned = LogSegment::create(log_->cleaned_place(0));
  ASSERT_TRUE(cleaned);
  ASSERT_TRUE((*cleaned)->finish());
  const auto list = log_->segments();
  // Neighbours of the list, in its order, and never the active one.
  EXPECT_EQ(log_->replace_segments({list->all()[1], list->all()[0]}, **cleaned), false);
  EXPECT_EQ(log_->replace_segments(list->all(), **cleaned), false);
  EXPECT_EQ(last_values(), before);
}

TEST_F(LogSwap, a_segment_that_is_gone_is_not_replaced) {
  open();
  fill();
  const auto list = log_->segments();
  auto cleaned = LogSegment::create(log_->cleaned_place(0));
  ASSERT_TRUE(cleaned && (*cleaned)->finish());
  ASSERT_TRUE(log_->truncate_to(7));
  EXPECT_EQ(log_->replace_segments({list->all()[0], list->all()[1]}, **cleaned), false);
}

TEST_F(LogSwap, power_lost_at_any_call_loses_no_value_and_brings_none_back) {
  const CrashMode modes[] = {CrashMode::lose_unsynced, CrashMode::lose_some, CrashMode::kill_process};
  for (const CrashMode mode : modes) {
    bool finished = false;
    for (std::uint64_t nth = 1; !finished && !HasFatalFailure(); ++nth) {
      SCOPED_TRACE("mode " + std::to_string(static_cast<int>(mode)) + ", call " + std::to_string(nth));
      log_.reset();
      (void)disk_.directory()->remove_tree("topic-0");
      options_.recovery_point = 0;
      cleaned_.reset();
      open();
      fill();
      if (HasFatalFailure()) return;
      const auto before = last_values();
      const auto end = log_->log_end_offset();
      options_.recovery_point = log_->recovery_point();
      const auto cleaning = request();
      disk_.fail_call(nth, EIO);
      LogCleaner cleaner({});
      finished = cleaner.clean(cleaning).has_value();
      disk_.clear_failures();
      disk_.crash(mode);
      open();
      if (HasFatalFailure()) return;
      EXPECT_EQ(last_values(), before);
      EXPECT_EQ(log_->log_end_offset(), end);
      const auto entries = options_.directory->list();
      ASSERT_TRUE(entries);
      for (const auto& entry : *entries) {
        EXPECT_FALSE(entry.name.ends_with(".cleaned") || entry.name.ends_with(".swap")) << entry.name;
      }
      // It goes on from there.
      clean();
      EXPECT_EQ(last_values(), before);
      EXPECT_EQ(records().size(), 5U);
    }
  }
}

}  // namespace
}  // namespace dohle::log
