#include "server/log/batch_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "protocol/record_batch.h"
#include "protocol/record_batch_builder.h"
#include "server/log/batch_samples.h"

namespace dohle::log {
namespace {

using protocol::Record;
using protocol::RecordBatch;

constexpr std::int64_t t0 = 1'700'000'000'000;

/// Records 0, 1, 2 with keys "0", "1", "2"; the values in `tombstones` are null.
codec::Blob sample(codec::Compression compression, std::vector<int> tombstones = {}) {
  protocol::RecordBatchOptions options;
  options.base_offset = 100;
  options.partition_leader_epoch = 3;
  options.compression = compression;
  options.producer_id = 9;
  options.producer_epoch = 1;
  options.base_sequence = 20;
  protocol::RecordBatchBuilder builder(options);
  const std::string header_value = "h";
  for (int i = 0; i < 3; ++i) {
    const std::string key = std::to_string(i);
    const std::string value = "value " + key;
    const bool dead = std::ranges::find(tombstones, i) != tombstones.end();
    const protocol::RecordHeader headers[] = {{"name", codec::as_bytes(header_value)}};
    builder.append(t0 + i, codec::as_bytes(key), dead ? std::nullopt : std::optional(codec::as_bytes(value)), headers);
  }
  return builder.build();
}

std::vector<std::int64_t> offsets(codec::Bytes batch) {
  std::vector<std::int64_t> found;
  const RecordBatch view(batch);
  protocol::RecordReader reader(view, 1 << 20);
  Record record;
  while (reader.next(record)) {
    found.push_back(record.offset);
    EXPECT_EQ(record.timestamp, t0 + record.offset - 100);
    EXPECT_EQ(record.headers().size(), 1U) << "headers stay with their record (behaviour 187)";
  }
  EXPECT_EQ(reader.error(), protocol::RecordsError::none);
  return found;
}

class BatchFilter : public ::testing::TestWithParam<codec::Compression> {};

TEST_P(BatchFilter, a_batch_that_keeps_all_is_the_same_bytes) {
  const codec::Blob batch = sample(GetParam());
  codec::Blob rebuilt;
  const auto result = filter_batch(batch, {}, [](const Record&) { return true; }, rebuilt);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->bytes.data(), batch.data());
  EXPECT_EQ(result->bytes.size(), batch.size());
}

TEST_P(BatchFilter, what_stays_keeps_offsets_times_sequences_and_the_end) {
  const codec::Blob batch = sample(GetParam());
  codec::Blob rebuilt;
  const auto result = filter_batch(batch, {}, [](const Record& record) { return record.offset == 101; }, rebuilt);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->records_read, 3);
  EXPECT_EQ(result->records_retained, 1);
  const RecordBatch view(result->bytes);
  EXPECT_TRUE(view.crc_is_valid()) << "behaviour 186";
  EXPECT_EQ(offsets(result->bytes), std::vector<std::int64_t>{101});
  EXPECT_EQ(view.base_offset(), 100);
  EXPECT_EQ(view.last_offset(), 102) << "behaviour 178";
  EXPECT_EQ(view.base_timestamp(), t0 + 1);
  EXPECT_EQ(view.max_timestamp(), t0 + 1);
  EXPECT_EQ(view.producer_id(), 9);
  EXPECT_EQ(view.base_sequence(), 20);
  EXPECT_EQ(view.last_sequence(), 22);
  EXPECT_EQ(view.partition_leader_epoch(), 3);
  EXPECT_EQ(view.compression(), GetParam());
}

TEST_P(BatchFilter, a_tombstone_gets_its_horizon_once) {
  const codec::Blob batch = sample(GetParam(), {1});
  codec::Blob first;
  FilterRules rules{.new_delete_horizon_ms = t0 + 5000};
  const auto result = filter_batch(batch, rules, [](const Record&) { return true; }, first);
  ASSERT_TRUE(result);
  const RecordBatch view(result->bytes);
  EXPECT_EQ(view.delete_horizon_ms(), t0 + 5000);
  EXPECT_TRUE(view.crc_is_valid());
  EXPECT_EQ(view.max_timestamp(), t0 + 2);
  EXPECT_EQ(offsets(result->bytes), (std::vector<std::int64_t>{100, 101, 102}));
  // The next round leaves it as it is, also where it drops a record.
  codec::Blob second;
  rules.new_delete_horizon_ms = t0 + 9000;
  const auto same = filter_batch(result->bytes, rules, [](const Record&) { return true; }, second);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->bytes.data(), result->bytes.data());
  const auto fewer = filter_batch(result->bytes, rules, [](const Record& r) { return r.offset != 100; }, second);
  ASSERT_TRUE(fewer);
  EXPECT_EQ(RecordBatch(fewer->bytes).delete_horizon_ms(), t0 + 5000);
  EXPECT_EQ(offsets(fewer->bytes), (std::vector<std::int64_t>{101, 102}));
}

TEST_P(BatchFilter, an_empty_batch_stays_where_it_must) {
  const codec::Blob batch = sample(GetParam());
  codec::Blob rebuilt;
  const auto none = [](const Record&) { return false; };
  const auto gone = filter_batch(batch, {}, none, rebuilt);
  ASSERT_TRUE(gone);
  EXPECT_TRUE(gone->bytes.empty());
  for (const bool discard : {false, true}) {
    const auto kept = filter_batch(batch, {.discard_records = discard, .retain_empty = true}, none, rebuilt);
    ASSERT_TRUE(kept);
    const RecordBatch view(kept->bytes);
    EXPECT_EQ(view.size_bytes(), protocol::record_batch_overhead);
    EXPECT_TRUE(view.crc_is_valid());
    EXPECT_EQ(view.record_count(), 0);
    EXPECT_EQ(view.base_offset(), 100);
    EXPECT_EQ(view.last_offset(), 102);
    EXPECT_EQ(view.last_sequence(), 22) << "behaviour 179";
    EXPECT_EQ(view.base_timestamp(), -1);
    EXPECT_EQ(view.max_timestamp(), t0 + 2);
    EXPECT_EQ(view.compression(), codec::Compression::none);
  }
}

INSTANTIATE_TEST_SUITE_P(Compressions, BatchFilter,
                         ::testing::Values(codec::Compression::none, codec::Compression::gzip,
                                           codec::Compression::snappy, codec::Compression::lz4,
                                           codec::Compression::zstd));

TEST(BatchFilter, a_marker_without_data_gets_a_horizon) {
  codec::Blob batch = samples::marker(9, 1, false, 4, t0);
  codec::Blob rebuilt;
  const auto result = filter_batch(
      batch, {.marker_of_empty_transaction = true, .new_delete_horizon_ms = t0 + 5000},
      [](const Record&) { return true; }, rebuilt);
  ASSERT_TRUE(result);
  const RecordBatch view(result->bytes);
  EXPECT_EQ(view.delete_horizon_ms(), t0 + 5000);
  EXPECT_TRUE(view.is_control());
  EXPECT_TRUE(view.is_transactional());
  EXPECT_TRUE(view.crc_is_valid());
  protocol::RecordReader reader(view, 1 << 20);
  Record record;
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(protocol::parse_control_record_key(*record.key), protocol::ControlRecordType::abort);
  EXPECT_EQ(protocol::parse_end_transaction_value(*record.value), 4);
  EXPECT_EQ(record.timestamp, t0);
}

TEST(BatchFilter, records_that_can_not_be_read_are_an_error) {
  codec::Blob batch = sample(codec::Compression::gzip);
  batch[protocol::record_batch_overhead] ^= 0xff;  // no gzip stream any more
  codec::Blob rebuilt;
  const auto result = filter_batch(batch, {}, [](const Record&) { return true; }, rebuilt);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, runtime::ErrorKind::corrupt);
}

}  // namespace
}  // namespace dohle::log
