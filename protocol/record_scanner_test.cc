#include "protocol/record_scanner.h"

#include <string>
#include <vector>

#include "codec/writer.h"
#include "gtest/gtest.h"
#include "protocol/record_batch_builder.h"
#include "protocol/record_batch_vectors.h"

namespace dohle::protocol {
namespace {

using testing::batch_vector;

constexpr ScanDepth depths[] = {ScanDepth::full, ScanDepth::partial};

TEST(record_scanner, sees_what_kafka_wrote_at_both_depths) {
  for (const char* name : {"plain", "gzip", "snappy", "lz4", "zstd"}) {
    for (const ScanDepth depth : depths) {
      const codec::Blob bytes = batch_vector(name);
      const RecordBatch batch(bytes);
      RecordScanner scanner(batch, depth);
      std::vector<std::int64_t> seen;
      for (ScannedRecord record; scanner.next(record);) {
        seen.insert(seen.end(), {record.offset, record.timestamp - 1700000000000, record.key_size, record.value_size});
      }
      EXPECT_EQ(scanner.error(), RecordsError::none) << name;
      EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 0, 3, 5, 1, 5, -1, 6, 2, -1, 9, -1, 3, 1, 0, 0})) << name;
    }
  }
}

/// A batch around `records` as they are.
codec::Blob batch_of(const codec::Blob& records, codec::Compression compression, std::int32_t count) {
  codec::Blob bytes(record_batch_overhead);
  const codec::Blob payload = codec::compress(compression, codec::default_compression_level(compression), records);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  RecordBatchHeader header;
  header.compression = compression;
  header.record_count = count;
  write_record_batch_header(bytes, header);
  return bytes;
}

RecordsError scan(const codec::Blob& bytes, ScanDepth depth) {
  const RecordBatch batch(bytes);
  RecordScanner scanner(batch, depth);
  for (ScannedRecord record; scanner.next(record);) {
  }
  return scanner.error();
}

// length, attributes, timestamp, offset, key, value, headers
const codec::Blob good = {12, 0, 0, 0, 1, 1, 0};
struct Malformed {
  const char* what;
  codec::Blob records;
  std::int32_t count;
  RecordsError in_place, full, partial;
};
const Malformed cases[] = {
    {"nothing wrong", good, 1, RecordsError::none, RecordsError::none, RecordsError::none},
    {"no records", {}, 0, RecordsError::none, RecordsError::none, RecordsError::none},
    {"a negative count", good, -1, RecordsError::malformed, RecordsError::malformed, RecordsError::malformed},
    {"one missing", good, 2, RecordsError::malformed, RecordsError::malformed, RecordsError::malformed},
    {"a byte too many",
     {12, 0, 0, 0, 1, 1, 0, 0},
     1,
     RecordsError::malformed,
     RecordsError::malformed,
     RecordsError::malformed},
    {"a wrong length", {14, 0, 0, 0, 1, 1, 0}, 1, RecordsError::malformed, RecordsError::malformed, RecordsError::none},
    {"a negative length",
     {11, 0, 0, 0, 1, 1, 0},
     1,
     RecordsError::malformed,
     RecordsError::malformed,
     RecordsError::malformed},
    {"a length without end",
     {0xff, 0xff, 0xff, 0xff, 0xff},
     1,
     RecordsError::malformed_length,
     RecordsError::malformed,
     RecordsError::malformed},
    {"a timestamp without end",
     {24, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0},
     1,
     RecordsError::malformed,
     RecordsError::malformed,
     RecordsError::malformed},
    {"headers below zero",
     {12, 0, 0, 0, 1, 1, 1},
     1,
     RecordsError::malformed,
     RecordsError::malformed,
     RecordsError::malformed},
    {"a header without key",
     {16, 0, 0, 0, 1, 1, 2, 1, 1},
     1,
     RecordsError::malformed,
     RecordsError::malformed,
     RecordsError::malformed},
    {"a value beyond the end",
     {12, 0, 0, 0, 1, 50, 0},
     1,
     RecordsError::malformed,
     RecordsError::malformed,
     RecordsError::malformed},
};

// What Kafka makes of such batches is in server/log/testdata; here is what the scanner tells apart.
TEST(record_scanner, tells_malformed_records) {
  for (const auto& test : cases) {
    EXPECT_EQ(scan(batch_of(test.records, codec::Compression::none, test.count), ScanDepth::partial), test.in_place)
        << test.what;
    if (test.records.empty()) continue;
    EXPECT_EQ(scan(batch_of(test.records, codec::Compression::lz4, test.count), ScanDepth::full), test.full)
        << test.what;
    EXPECT_EQ(scan(batch_of(test.records, codec::Compression::lz4, test.count), ScanDepth::partial), test.partial)
        << test.what;
  }
}

TEST(record_scanner, limits_the_length_of_records_of_compressed_batches_only) {
  for (const auto codec : {codec::Compression::none, codec::Compression::zstd}) {
    const codec::Blob bytes = batch_of({12, 0, 0, 0, 1, 1, 0}, codec, 1);
    const RecordBatch batch(bytes);
    ScannedRecord record;
    EXPECT_TRUE(RecordScanner(batch, ScanDepth::full, 6).next(record));
    EXPECT_EQ(RecordScanner(batch, ScanDepth::partial, 5).next(record), codec == codec::Compression::none);
    EXPECT_EQ(RecordScanner(batch, ScanDepth::full, 5).next(record), codec == codec::Compression::none);
  }
}

TEST(record_scanner, tells_what_cannot_be_inflated) {
  codec::Blob bytes = batch_of({12, 0, 0, 0, 1, 1, 0}, codec::Compression::lz4, 1);
  bytes.pop_back();
  EXPECT_EQ(scan(bytes, ScanDepth::partial), RecordsError::inflate_failed) << "the end mark is cut";
}

TEST(record_scanner, inflates_a_thousandfold_without_keeping_it) {
  RecordBatchOptions options;
  options.compression = codec::Compression::zstd;
  RecordBatchBuilder builder(options);
  const codec::Blob value(1'000'000, 'x');
  for (int i = 0; i < 64; ++i) builder.append(0, std::nullopt, value);
  const codec::Blob bytes = builder.build();
  ASSERT_LT(bytes.size(), 64'000u);
  EXPECT_EQ(scan(bytes, ScanDepth::partial), RecordsError::none);
}

}  // namespace
}  // namespace dohle::protocol
