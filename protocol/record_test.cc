#include "protocol/record.h"

#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "protocol/record_batch_builder.h"
#include "protocol/record_batch_vectors.h"

namespace dohle::protocol {
namespace {

using testing::batch_vector;

constexpr std::size_t plenty = 1 << 20;

std::string text(const std::optional<codec::Bytes>& bytes) {
  return bytes ? std::string(codec::as_text(*bytes)) : std::string("<null>");
}

/// One line per record, in a form to compare.
std::string dump(const codec::Blob& bytes) {
  const RecordBatch batch(bytes);
  RecordReader reader(batch, plenty);
  std::string lines;
  for (Record record; reader.next(record);) {
    lines += std::to_string(record.offset) + " " + std::to_string(record.timestamp) + " " + text(record.key) + " " +
             text(record.value);
    for (const RecordHeader& header : record.headers())
      lines += " " + std::string(header.key) + "=" + text(header.value);
    lines += "\n";
  }
  EXPECT_EQ(reader.error(), RecordsError::none);
  return lines;
}

TEST(record, reads_what_kafka_wrote_compressed_or_not) {
  const std::string expected =
      "0 1700000000000 key value\n"
      "1 1700000000005 <null> no key\n"
      "2 1699999999999 tombstone <null>\n"
      "3 1700000000001   h1=x =<null> \xc3\xa9=\n";
  for (const char* name : {"plain", "gzip", "snappy", "lz4", "zstd"})
    EXPECT_EQ(dump(batch_vector(name)), expected) << name;
}

TEST(record, log_append_time_is_the_batchs) {
  EXPECT_EQ(dump(batch_vector("log-append-time")).substr(0, 28), "1000 1800000000000 key value");
}

TEST(record, holes_and_horizons_do_not_disturb) {
  EXPECT_EQ(dump(batch_vector("delete-horizon-with-holes")), "103 1700000000000 a b\n300 1600000000000 c <null>\n");
  EXPECT_EQ(dump(batch_vector("no-timestamp")), "0 -1 k v\n");
  EXPECT_EQ(dump(batch_vector("empty")), "");
}

RecordsError read_all(const codec::Blob& bytes, std::size_t inflated_bytes_max = plenty) {
  const RecordBatch batch(bytes);
  RecordReader reader(batch, inflated_bytes_max);
  for (Record record; reader.next(record);) {
  }
  return reader.error();
}

TEST(record, malformed_records_are_told) {
  const struct {
    const char* what;
    std::function<void(codec::Blob&)> change;
  } cases[] = {
      {"a record more than there are", [](codec::Blob& b) { b[60] = 5; }},
      {"a record fewer", [](codec::Blob& b) { b[60] = 3; }},
      {"a negative count", [](codec::Blob& b) { b[57] = 0x80; }},
      {"a length too long", [](codec::Blob& b) { b[61] = 0x1e; }},
      {"a length too short", [](codec::Blob& b) { b[61] = 0x1a; }},
      {"a negative length", [](codec::Blob& b) { b[61] = 0x01; }},
      {"a key beyond the end", [](codec::Blob& b) { b[65] = 0xfe, b[66] = 0x7e; }},
      {"a cut", [](codec::Blob& b) { b.pop_back(); }},
      {"a byte too many", [](codec::Blob& b) { b.push_back(0); }},
      {"headers below zero", [](codec::Blob& b) { b[75] = 0x01; }},
  };
  for (const auto& [what, change] : cases) {
    codec::Blob bytes = batch_vector("plain");
    change(bytes);
    EXPECT_EQ(read_all(bytes), RecordsError::malformed) << what;
  }
}

TEST(record, what_cannot_be_inflated_is_told) {
  codec::Blob bytes = batch_vector("zstd");
  bytes.pop_back();
  EXPECT_EQ(read_all(bytes), RecordsError::inflate_failed);
  bytes = batch_vector("plain");
  bytes[22] = 6;
  EXPECT_EQ(read_all(bytes), RecordsError::inflate_failed) << "an unknown compression";
  EXPECT_EQ(read_all(batch_vector("gzip"), 10), RecordsError::too_large);
  EXPECT_EQ(read_all(batch_vector("gzip"), 62), RecordsError::none) << "the records of `plain` are 62 bytes";
}

}  // namespace
}  // namespace dohle::protocol
