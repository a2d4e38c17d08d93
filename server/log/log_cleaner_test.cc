#include "server/log/log_cleaner.h"

#include "server/log/cleaner_fixture.h"

namespace dohle::log {
namespace {

using Offsets = std::vector<std::int64_t>;

class LogCleanerTest : public CleanerFixture {
 protected:
  void SetUp() override { open(); }
};

TEST_F(LogCleanerTest, the_last_record_of_each_key_stays_at_its_offset) {
  put({{"a", "1"}, {"b", "1"}, {"a", "2"}});
  put({{"c", "1"}, {"b", "2"}});
  seal();
  put({{"a", "3"}});  // in the active segment: not looked at
  const auto outcome = clean();
  EXPECT_EQ(outcome.end_offset, 5);
  EXPECT_EQ(records(), (std::vector<Stored>{{2, "a", "2"}, {3, "c", "1"}, {4, "b", "2"}, {5, "a", "3"}}));
  EXPECT_EQ(outcome.records_read, 5);
  EXPECT_EQ(outcome.records_written, 3);
  EXPECT_FALSE(has_file("00000000000000000000.log.cleaned"));
  EXPECT_FALSE(has_file("00000000000000000000.log.swap"));
  EXPECT_TRUE(has_file("00000000000000000000.log.deleted"));
  // And after a restart.
  options_.clean_shutdown = true;
  ASSERT_TRUE(log_->close());
  open();
  EXPECT_EQ(offsets(records()), (Offsets{2, 3, 4, 5}));
  EXPECT_EQ(log_->log_end_offset(), 6);
}

TEST_F(LogCleanerTest, small_neighbours_become_one_segment) {
  for (int i = 0; i < 4; ++i) {
    put({{"k" + std::to_string(i), "1"}, {"same", "1"}});
    seal();
  }
  EXPECT_EQ(segment_bases(), (Offsets{0, 2, 4, 6, 8}));
  clean();
  EXPECT_EQ(segment_bases(), (Offsets{0, 8}));
  EXPECT_EQ(offsets(records()), (Offsets{0, 2, 4, 6, 7}));
  options_.config.segment_bytes = 200;
  for (int i = 0; i < 3; ++i) {
    put({{"same", "2"}});
    seal();
  }
}

TEST_F(LogCleanerTest, a_tombstone_stays_until_its_horizon) {
  put({{"a", "1"}, {"b", "1"}});
  put({{"a", std::nullopt}});
  seal();
  put({{"z", "1"}});
  clean();
  EXPECT_EQ(offsets(records()), (Offsets{1, 2, 3})) << "behaviour 182";
  // More dirt, so that there is a reason; before the horizon it stays.
  clock_.advance_ms(999);
  seal();
  clean();
  EXPECT_EQ(offsets(records()), (Offsets{1, 2, 3}));
  clock_.advance_ms(1);
  put({{"y", "1"}});
  seal();
  clean();
  EXPECT_EQ(offsets(records()), (Offsets{1, 3, 4}));
}

TEST_F(LogCleanerTest, aborted_data_goes_and_the_marker_after_its_data_and_its_horizon) {
  put_transactional(7, 0, {{"a", "1"}, {"b", "1"}});  // 0, 1
  append_marker(7, 0, false);                         // 2
  put_transactional(7, 2, {{"c", "1"}});              // 3
  append_marker(7, 0, true);                          // 4
  put({{"z", "1"}});                                  // 5
  seal();
  const auto markers = [this] {
    Offsets found;
    for (const auto& header : read_all(0)) {
      if (header.control()) found.push_back(header.base_offset);
    }
    return found;
  };
  clean();
  EXPECT_EQ(offsets(records()), (Offsets{3, 5}));
  EXPECT_EQ(markers(), (Offsets{2, 4})) << "behaviour 183";
  EXPECT_EQ(log_->aborted_transactions(0, 6)->size(), 1U);
  // The next round finds no data of the aborted one: its marker gets a horizon, and goes after it.
  put({{"y", "1"}});
  seal();
  clean();
  EXPECT_EQ(markers(), (Offsets{2, 4}));
  clock_.advance_ms(1000);
  put({{"x", "1"}});
  seal();
  clean();
  EXPECT_EQ(markers(), (Offsets{4}));
  EXPECT_EQ(log_->aborted_transactions(0, 6)->size(), 0U);
}

TEST_F(LogCleanerTest, a_producers_last_batch_stays_empty) {
  protocol::RecordBatchOptions options;
  options.producer_id = 7;
  options.producer_epoch = 0;
  options.base_sequence = 0;
  put({{"a", "1"}}, options);
  options.base_sequence = 1;
  put({{"a", "2"}, {"a", "3"}}, options);
  put({{"a", "4"}});
  seal();
  clean();
  EXPECT_EQ(offsets(records()), (Offsets{3}));
  const auto headers = read_all(0);
  ASSERT_EQ(headers.size(), 2U);
  EXPECT_EQ(headers[0].base_offset, 1) << "behaviour 179";
  EXPECT_EQ(headers[0].record_count, 0);
  EXPECT_EQ(headers[0].base_sequence, 1);
  EXPECT_EQ(headers[0].last_offset_delta, 1);
  // The retry is a duplicate, also when the state has to be read from the log.
  log_->flush(log_->log_end_offset());
  ASSERT_TRUE(disk_.directory()->subdirectory("topic-0", false).value()->remove("00000000000000000004.snapshot"));
  options_.recovery_point = 0;
  open();
  EXPECT_TRUE(put({{"a", "2"}, {"a", "3"}}, options).duplicate);
}

TEST_F(LogCleanerTest, the_end_of_the_log_survives) {
  put({{"a", "1"}});
  protocol::RecordBatchOptions options;
  put({{"b", "1"}, {"b", "2"}, {"c", std::nullopt}});
  seal();
  clock_.advance_ms(2000);
  clean();
  clock_.advance_ms(2000);
  // The tombstone's horizon has passed; its batch is the last before the high watermark.
  cleaned_ = 0;
  clean();
  EXPECT_EQ(offsets(records()), (Offsets{0, 2}));
  EXPECT_EQ(read_all(0).back().last_offset(), 3) << "behaviour 180";
  EXPECT_EQ(log_->log_end_offset(), 4);
}

TEST_F(LogCleanerTest, a_full_map_ends_the_round_where_it_was_full) {
  for (int i = 0; i < 20; ++i) put({{"k" + std::to_string(i % 10), std::to_string(i)}});
  seal();
  // Five slots, four keys.
  LogCleaner::Options options;
  options.map_bytes_max = 24 * 5;
  const auto outcome = clean(options);
  EXPECT_EQ(outcome.end_offset, 4);
  EXPECT_EQ(records().size(), 20U);
  while (*cleaned_ < 20) clean(options);
  EXPECT_EQ(offsets(records()), (Offsets{10, 11, 12, 13, 14, 15, 16, 17, 18, 19}));
}

TEST_F(LogCleanerTest, records_without_a_key_are_counted_and_dropped) {
  append({.records = 2});
  put({{"a", "1"}});
  seal();
  EXPECT_EQ(clean().invalid_records, 2);
  EXPECT_EQ(offsets(records()), (Offsets{2}));
}

TEST_F(LogCleanerTest, a_damaged_batch_is_an_error_and_nothing_is_changed) {
  put({{"a", "1"}, {"a", "2"}});
  seal();
  const auto file = options_.directory->open("00000000000000000000.log", {});
  std::uint8_t byte = 0;
  ASSERT_TRUE((*file)->read_at({&byte, 1}, 70));
  byte ^= 1;
  ASSERT_TRUE((*file)->write_at(codec::Bytes(&byte, 1), 70));
  const auto outcome = try_clean();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, runtime::ErrorKind::corrupt);
  EXPECT_FALSE(has_file("00000000000000000000.log.cleaned"));
  EXPECT_EQ(segment_bases(), (Offsets{0, 2}));
}

TEST_F(LogCleanerTest, it_gives_up_when_it_is_told_to) {
  put({{"a", "1"}, {"a", "2"}});
  seal();
  std::uint64_t seen = 0;
  LogCleaner::Options options;
  options.throttle = [&](std::uint64_t bytes) {
    seen += bytes;
    return seen < 150;
  };
  const auto outcome = try_clean(options);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, runtime::ErrorKind::closed);
  EXPECT_FALSE(has_file("00000000000000000000.log.cleaned"));
  EXPECT_EQ(records().size(), 2U);
}

TEST_F(LogCleanerTest, a_full_disk_leaves_the_log_as_it_is) {
  for (int i = 0; i < 50; ++i) put({{"k" + std::to_string(i), std::string(100, 'x')}});
  seal();
  disk_.set_capacity(disk_.used_bytes() + 500);
  const auto outcome = try_clean();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, runtime::ErrorKind::no_space);
  EXPECT_FALSE(has_file("00000000000000000000.log.cleaned"));
  EXPECT_EQ(records().size(), 50U);
}

}  // namespace
}  // namespace dohle::log
