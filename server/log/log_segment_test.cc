// The cases of Kafka's LogSegmentTest that the tests of Log do not have.
#include "server/log/log_segment.h"

#include "server/log/batch_samples.h"
#include "server/log/index_fixture.h"

namespace dohle::log {
namespace {

class LogSegmentTest : public IndexFixture {
 protected:
  void SetUp() override {
    place_.directory = directory_;
    place_.cache = &cache_;
    place_.base_offset = 40;
    place_.index_interval_bytes = 0;
    segment_ = *LogSegment::create(place_);
  }
  runtime::Status append(const samples::BatchSample& sample, std::vector<AbortedTransaction> aborted = {}) {
    const codec::Blob bytes = samples::batch(sample);
    const auto header = *BatchHeader::read(bytes);
    return segment_->append(bytes, {&header, 1}, aborted);
  }

  SegmentPlace place_;
  std::shared_ptr<LogSegment> segment_;
};

TEST_F(LogSegmentTest, an_empty_segment) {
  EXPECT_EQ(segment_->end()->offset, 40);
  EXPECT_EQ(*segment_->find(40, 0), std::nullopt);
  EXPECT_EQ(*segment_->max_timestamp(), (TimestampOffset{-1, 40}));
  EXPECT_EQ(*segment_->first_batch_timestamp(), INT64_MAX);
}

TEST_F(LogSegmentTest, a_batch_is_found_by_any_of_its_offsets_and_by_those_of_the_gap_before_it) {
  ASSERT_TRUE(append({.records = 2, .base_offset = 50}));
  ASSERT_TRUE(append({.records = 2, .base_offset = 60}));
  const auto base = [&](std::int64_t offset) {
    return (*segment_->find(offset, segment_->size_bytes()))->header.base_offset;
  };
  EXPECT_EQ(base(41), 50);
  EXPECT_EQ(base(51), 50);
  EXPECT_EQ(base(52), 60);
  EXPECT_EQ(base(61), 60);
  EXPECT_FALSE(*segment_->find(62, segment_->size_bytes()));
  EXPECT_EQ(segment_->end()->offset, 62);
  EXPECT_EQ(*segment_->position_of_end(52), segment_->size_bytes() / 2);
}

TEST_F(LogSegmentTest, it_goes_on_after_it_was_closed_and_opened) {
  ASSERT_TRUE(append({.records = 1, .timestamp_ms = 100, .base_offset = 40}));
  ASSERT_TRUE(append({.records = 1, .timestamp_ms = 300, .base_offset = 41}));
  ASSERT_TRUE(append({.records = 1, .timestamp_ms = 200, .base_offset = 42}));
  ASSERT_TRUE(segment_->finish());
  const auto closed = LogSegment::closed(place_, segment_->file_sizes());
  EXPECT_EQ(*closed->max_timestamp(), (TimestampOffset{300, 41}));
  EXPECT_EQ(closed->end()->offset, 43);
  const auto cut = LogSegment::active(place_, segment_->file_sizes(), 41, segment_->size_bytes() / 3);
  ASSERT_TRUE(cut);
  EXPECT_EQ(*(*cut)->max_timestamp(), (TimestampOffset{100, 40})) << "found in the batches that are left";
  EXPECT_EQ((*cut)->end()->offset, 41);
}

TEST_F(LogSegmentTest, rolling_looks_at_size_time_and_offsets) {
  RollRequest request{.segment_ms = 1000,
                      .segment_bytes = 1000,
                      .append_bytes = 100,
                      .max_timestamp_ms = 5000,
                      .last_offset = 41,
                      .now_ms = 100'000};
  EXPECT_FALSE(*segment_->should_roll(request)) << "an empty one does not age";
  ASSERT_TRUE(append({.records = 1, .timestamp_ms = 4000, .base_offset = 40}));
  EXPECT_FALSE(*segment_->should_roll(request));
  request.max_timestamp_ms = 5001;
  EXPECT_TRUE(*segment_->should_roll(request));
  request.max_timestamp_ms = 5000;
  request.append_bytes = 950;
  EXPECT_TRUE(*segment_->should_roll(request));
  request.append_bytes = 100;
  request.last_offset = 41LL + INT32_MAX;
  EXPECT_TRUE(*segment_->should_roll(request));
}

TEST_F(LogSegmentTest, without_timestamps_its_age_is_that_of_the_file) {
  ASSERT_TRUE(append({.records = 1, .timestamp_ms = -1, .base_offset = 40}));
  EXPECT_FALSE(*segment_->should_roll({.segment_ms = 1000, .segment_bytes = 1000, .last_offset = 41, .now_ms = 1000}));
  EXPECT_TRUE(*segment_->should_roll({.segment_ms = 1000, .segment_bytes = 1000, .last_offset = 41, .now_ms = 1001}));
}

TEST_F(LogSegmentTest, a_transaction_that_can_not_be_noted_takes_its_marker_back) {
  ASSERT_TRUE(append({.records = 1, .base_offset = 40}));
  const auto size = segment_->size_bytes();
  disk_.set_capacity(disk_.used_bytes() + samples::batch({.records = 1}).size() + 10);
  const auto status = append({.records = 1, .base_offset = 41}, {{1, 40, 41, 42}});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, runtime::ErrorKind::no_space);
  EXPECT_EQ(segment_->size_bytes(), size);
  EXPECT_EQ(file_bytes("00000000000000000040.log"), size);
  EXPECT_TRUE(segment_->transaction_index().empty());
}

}  // namespace
}  // namespace dohle::log
