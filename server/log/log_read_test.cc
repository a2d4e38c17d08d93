#include "server/log/log_fixture.h"

namespace dohle::log {
namespace {

class LogRead : public LogFixture {
 protected:
  ReadResult read(const ReadRequest& request) {
    auto result = log_->read(request);
    EXPECT_TRUE(result);
    return result ? *result : ReadResult{};
  }
};

TEST_F(LogRead, offsets_outside_the_log_are_out_of_range) {
  open();
  append({.records = 2});
  EXPECT_TRUE(read({.offset = 3, .size_bytes_max = 100, .bound_offset = 2}).out_of_range);
  const auto at_end = read({.offset = 2, .size_bytes_max = 100, .bound_offset = 2});
  EXPECT_FALSE(at_end.out_of_range);
  EXPECT_EQ(at_end.slice.file, nullptr);
  log_->update_high_watermark(2);
  ASSERT_TRUE(log_->advance_log_start(1));
  EXPECT_TRUE(read({.offset = 0, .size_bytes_max = 100, .bound_offset = 2}).out_of_range);
}

TEST_F(LogRead, nothing_at_or_past_the_bound_is_given) {
  open();
  for (int i = 0; i < 6; ++i) append({.records = 2, .value_bytes = 40});
  const auto whole = read({.offset = 0, .size_bytes_max = 1 << 20, .bound_offset = 12});
  EXPECT_EQ(whole.slice.size_bytes, log_->size_bytes());
  const auto half = read({.offset = 0, .size_bytes_max = 1 << 20, .bound_offset = 6});
  EXPECT_EQ(half.slice.size_bytes, log_->size_bytes() / 2);
  EXPECT_EQ(read({.offset = 6, .size_bytes_max = 1 << 20, .bound_offset = 6}).slice.file, nullptr);
  EXPECT_EQ(read({.offset = 8, .size_bytes_max = 1 << 20, .bound_offset = 6}).slice.file, nullptr);
  EXPECT_EQ(read({.offset = 3, .size_bytes_max = 1 << 20, .bound_offset = 12}).slice.position_bytes,
            log_->size_bytes() / 6)
      << "the batch that has the offset comes whole";
}

TEST_F(LogRead, the_first_batch_is_given_whole_if_it_must_be) {
  open();
  append({.records = 5, .value_bytes = 100});
  const auto cut = read({.offset = 0, .size_bytes_max = 50, .bound_offset = 5});
  EXPECT_EQ(cut.slice.size_bytes, 50U);
  EXPECT_TRUE(cut.first_batch_incomplete);
  const auto whole = read({.offset = 0, .size_bytes_max = 50, .bound_offset = 5, .at_least_one_batch = true});
  EXPECT_EQ(whole.slice.size_bytes, log_->size_bytes());
  EXPECT_FALSE(whole.first_batch_incomplete);
}

TEST_F(LogRead, closed_segments_are_read_through_their_index_files) {
  options_.config.segment_bytes = 2000;
  open();
  for (int i = 0; i < 100; ++i) append({.records = 2, .value_bytes = 20});
  EXPECT_GT(segment_bases().size(), 3U);
  for (std::int64_t offset = 0; offset < 200; ++offset) {
    const auto found = read({.offset = offset, .size_bytes_max = 1, .bound_offset = 200, .at_least_one_batch = true});
    ASSERT_NE(found.slice.file, nullptr);
    codec::Blob bytes(found.slice.size_bytes);
    ASSERT_TRUE(found.slice.file->read_at(bytes, found.slice.position_bytes));
    EXPECT_EQ(BatchHeader::read(bytes)->base_offset, offset / 2 * 2);
  }
}

TEST_F(LogRead, the_aborted_transactions_of_what_is_read_come_along) {
  options_.producers.transaction_verification = false;
  open();
  append({.records = 1, .producer_id = 1, .producer_epoch = 0, .sequence = 0, .transactional = true});
  append_marker(1, 0, false);
  append({.records = 1});
  append({.records = 1, .producer_id = 1, .producer_epoch = 0, .sequence = 1, .transactional = true});
  append_marker(1, 0, false);
  log_->update_high_watermark(5);
  const auto all = read({.offset = 0, .size_bytes_max = 1000, .bound_offset = 5, .aborted_transactions = true});
  EXPECT_EQ(all.aborted, (std::vector<AbortedTransaction>{{1, 0, 1, 2}, {1, 3, 4, 5}}));
  const auto later = read({.offset = 2, .size_bytes_max = 1000, .bound_offset = 5, .aborted_transactions = true});
  EXPECT_EQ(later.aborted, (std::vector<AbortedTransaction>{{1, 3, 4, 5}}));
}

TEST_F(LogRead, records_are_found_by_their_timestamps_also_inside_of_batches) {
  open();
  append({.records = 3, .timestamp_ms = 1000}, 7);                                          // 0..2
  append({.records = 3, .timestamp_ms = 500}, 7);                                           // 3..5
  append({.records = 3, .timestamp_ms = 2000, .compression = codec::Compression::lz4}, 8);  // 6..8
  const auto at = [&](std::int64_t timestamp) {
    const auto found = log_->offset_for_timestamp(timestamp);
    EXPECT_TRUE(found);
    return found && *found ? (*found)->offset : -1;
  };
  EXPECT_EQ(at(0), 0);
  EXPECT_EQ(at(1001), 1);
  EXPECT_EQ(at(1003), 6);
  EXPECT_EQ(at(2001), 7);
  EXPECT_EQ(at(2003), -1);
  const auto found = log_->offset_for_timestamp(2002);
  EXPECT_EQ((*found)->timestamp_ms, 2002);
  EXPECT_EQ((*found)->leader_epoch, 8);
  const auto max = log_->offset_of_max_timestamp();
  ASSERT_TRUE(max && *max);
  EXPECT_EQ((*max)->offset, 8);
  EXPECT_EQ((*max)->timestamp_ms, 2002);
}

TEST_F(LogRead, an_empty_log_has_no_largest_timestamp) {
  open();
  const auto max = log_->offset_of_max_timestamp();
  ASSERT_TRUE(max);
  EXPECT_FALSE(*max);
}

TEST_F(LogRead, a_disk_that_fails_is_told) {
  options_.config.segment_bytes = 400;
  open();
  for (int i = 0; i < 6; ++i) append({.records = 2, .value_bytes = 30});
  disk_.fail_all(EIO, dohle::testing::DiskCall::read);
  EXPECT_FALSE(log_->read({.offset = 0, .size_bytes_max = 100, .bound_offset = 12}));
}

}  // namespace
}  // namespace dohle::log
