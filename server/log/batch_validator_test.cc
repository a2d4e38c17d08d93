#include "server/log/batch_validator.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "protocol/record_batch_builder.h"

namespace dohle::log {
namespace {

using protocol::ErrorCode;
using protocol::RecordBatch;

constexpr std::int64_t now_ms = 1700000000000;

/// A line of testdata/batch_validator_vectors.txt, which Kafka 4.4.0 wrote (see the program beside it).
struct Vector {
  std::string name;
  std::int16_t version = 0;
  AppendOrigin origin = AppendOrigin::client;
  BatchPolicy policy;
  codec::Blob input;
  bool is_stored = false;
  codec::Blob stored;
  std::int64_t append_time = -1;
  std::int16_t code = 0;
  std::string at;
  std::string message;
  std::vector<BatchRecordError> record_errors;
};

codec::Blob from_hex(const std::string& hex) {
  codec::Blob bytes;
  if (hex == "-") return bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

void set(BatchPolicy& policy, const std::string& key, const std::string& value) {
  if (key == "message.timestamp.type") policy.timestamp_type = protocol::TimestampType::log_append_time;
  if (key == "message.timestamp.before.max.ms") policy.timestamp_before_max_ms = std::stoll(value);
  if (key == "message.timestamp.after.max.ms") policy.timestamp_after_max_ms = std::stoll(value);
  if (key == "compression.type") {
    policy.compression = codec::compression_from_name(value == "uncompressed" ? "none" : value);
  }
  if (key == "compression.gzip.level") policy.compression_level = std::stoi(value);
  if (key == "cleanup.policy") policy.compacted = value.find("compact") != std::string::npos;
  if (key == "max.message.bytes") policy.max_message_bytes = std::stoi(value);
  if (key == "max.decompressed.message.bytes") policy.max_decompressed_message_bytes = std::stoi(value);
  if (key == "internal.segment.bytes") policy.segment_bytes = std::stoi(value);
}

Vector parse(const std::string& line) {
  const std::vector<std::string> words = split(line, '\t');
  Vector vector;
  vector.name = words.at(0);
  vector.version = static_cast<std::int16_t>(std::stoi(words.at(1)));
  vector.origin = words.at(2) == "client" ? AppendOrigin::client : AppendOrigin::coordinator;
  for (const std::string& pair : split(words.at(3), ',')) {
    const std::vector<std::string> sides = split(pair, '=');
    if (sides.size() == 2) set(vector.policy, sides[0], sides[1]);
  }
  vector.input = from_hex(words.at(4));
  vector.is_stored = words.at(5) == "stored";
  if (vector.is_stored) {
    vector.stored = from_hex(words.at(6));
    vector.append_time = std::stoll(words.at(7));
    return vector;
  }
  vector.code = static_cast<std::int16_t>(std::stoi(words.at(6)));
  vector.at = words.at(7);
  vector.message = words.at(8);
  for (std::size_t i = 9; i + 1 < words.size(); i += 2) {
    vector.record_errors.push_back({static_cast<std::int32_t>(std::stoi(words[i])), words[i + 1]});
  }
  return vector;
}

std::vector<Vector> vectors() {
  std::vector<Vector> all;
  std::ifstream file("server/log/testdata/batch_validator_vectors.txt");
  for (std::string line; std::getline(file, line);) all.push_back(parse(line));
  return all;
}

BatchVerdict judge(Vector& vector) {
  BatchInput input;
  input.records = vector.input;
  input.request_version = vector.version;
  input.origin = vector.origin;
  input.topic = "topic";
  input.now_ms = now_ms;
  return validate_batch(input, vector.policy);
}

/// The whole with everything that zstd's release decides taken out: length, checksum, payload as inflated.
std::pair<codec::Blob, codec::Blob> without_compression(codec::Bytes bytes) {
  const RecordBatch batch(bytes);
  codec::Blob head(bytes.begin(), bytes.begin() + protocol::record_batch_overhead);
  std::fill(head.begin() + 8, head.begin() + 12, 0);
  std::fill(head.begin() + 17, head.begin() + 21, 0);
  return {head, codec::inflate(*batch.compression(), batch.payload(), 1 << 20).value_or(codec::Blob())};
}

TEST(batch_validator, stores_what_kafka_stores) {
  int count = 0;
  for (Vector& vector : vectors()) {
    if (!vector.is_stored) continue;
    ++count;
    const BatchVerdict verdict = judge(vector);
    ASSERT_EQ(verdict.error, ErrorCode::none) << vector.name << ": " << verdict.reason;
    EXPECT_TRUE(verdict.record_errors.empty());
    EXPECT_EQ(verdict.log_append_time, vector.append_time) << vector.name;
    EXPECT_EQ(verdict.max_timestamp, RecordBatch(vector.stored).max_timestamp()) << vector.name;
    const std::int64_t end = stamp_batch(verdict.batch, 0, 5);
    EXPECT_EQ(end, verdict.record_count) << vector.name;
    EXPECT_TRUE(verdict.view().crc_is_valid());
    if (vector.name.starts_with("rebuilt-") && vector.name.ends_with("-zstd")) {
      EXPECT_EQ(without_compression(verdict.batch), without_compression(vector.stored)) << vector.name;
    } else {
      EXPECT_EQ(codec::Blob(verdict.batch.begin(), verdict.batch.end()), vector.stored) << vector.name;
    }
  }
  EXPECT_GT(count, 60) << "testdata/batch_validator_vectors.txt was not found";
}

TEST(batch_validator, refuses_what_kafka_refuses_in_the_same_words) {
  int count = 0;
  for (Vector& vector : vectors()) {
    if (vector.is_stored) continue;
    ++count;
    const BatchVerdict verdict = judge(vector);
    EXPECT_EQ(static_cast<std::int16_t>(verdict.error), vector.code) << vector.name << ": " << verdict.reason;
    EXPECT_EQ(verdict.error_message.value_or("-"), vector.message) << vector.name;
    EXPECT_FALSE(verdict.reason.empty()) << vector.name;
    const bool known = vector.code == 2 || vector.code == 10 || vector.code == 18;
    EXPECT_EQ(verdict.answers_log_start_offset, vector.at == "log" && !known) << vector.name;
    ASSERT_EQ(verdict.record_errors.size(), vector.record_errors.size()) << vector.name;
    for (std::size_t i = 0; i < vector.record_errors.size(); ++i) {
      EXPECT_EQ(verdict.record_errors[i].batch_index, vector.record_errors[i].batch_index) << vector.name;
      EXPECT_EQ(verdict.record_errors[i].message, vector.record_errors[i].message) << vector.name;
    }
  }
  EXPECT_GT(count, 100) << "testdata/batch_validator_vectors.txt was not found";
}

/// A batch that a few kilobytes of zstd make into 64 MB of values.
codec::Blob far_inflating() {
  protocol::RecordBatchOptions options;
  options.compression = codec::Compression::zstd;
  protocol::RecordBatchBuilder builder(options);
  const codec::Blob value(1'000'000, 'x');
  for (int i = 0; i < 64; ++i) builder.append(now_ms, codec::as_bytes("k"), value);
  return builder.build();
}

TEST(batch_validator, a_batch_that_inflates_far_is_accepted_and_kept_as_it_came) {
  codec::Blob bytes = far_inflating();
  const codec::Blob before = bytes;
  BatchInput input;
  input.records = bytes;
  input.request_version = 13;
  input.now_ms = now_ms;
  const BatchVerdict verdict = validate_batch(input, {});
  ASSERT_TRUE(verdict.ok()) << verdict.reason;
  EXPECT_EQ(bytes, before);
  EXPECT_EQ(verdict.record_count, 64);
}

TEST(batch_validator, a_batch_that_would_be_rebuilt_too_large_stops_early) {
  codec::Blob bytes = far_inflating();
  BatchInput input;
  input.records = bytes;
  input.request_version = 13;
  input.now_ms = now_ms;
  BatchPolicy policy;
  policy.compression = codec::Compression::none;
  const BatchVerdict verdict = validate_batch(input, policy);
  EXPECT_EQ(verdict.error, ErrorCode::message_too_large);
  EXPECT_LE(verdict.rebuilt.capacity(), 4u << 20);
}

TEST(batch_validator, the_list_of_refused_records_is_bounded_but_counted) {
  protocol::RecordBatchOptions options;
  options.compression = codec::Compression::lz4;
  protocol::RecordBatchBuilder builder(options);
  for (int i = 0; i < 20'000; ++i) builder.append(now_ms, std::nullopt, codec::as_bytes("v"));
  codec::Blob bytes = builder.build();
  BatchInput input;
  input.records = bytes;
  input.request_version = 13;
  input.now_ms = now_ms;
  BatchPolicy policy;
  policy.compacted = true;
  const BatchVerdict verdict = validate_batch(input, policy);
  EXPECT_EQ(verdict.error, ErrorCode::invalid_record);
  EXPECT_EQ(verdict.record_errors.size(), record_errors_max);
  EXPECT_NE(verdict.error_message->find("20000 record errors in total"), std::string::npos);
}

TEST(batch_validator, every_changed_byte_gets_an_answer) {
  for (const auto codec : {codec::Compression::none, codec::Compression::lz4}) {
    protocol::RecordBatchOptions options;
    options.compression = codec;
    protocol::RecordBatchBuilder builder(options);
    for (int i = 0; i < 3; ++i) builder.append(now_ms, codec::as_bytes("key"), codec::as_bytes("value"));
    const codec::Blob good = builder.build();
    for (std::size_t at = 0; at < good.size(); ++at) {
      codec::Blob bytes = good;
      bytes[at] ^= 0x40;
      BatchInput input;
      input.records = bytes;
      input.request_version = 13;
      input.now_ms = now_ms;
      const bool harmless = at >= 12 && at < 16;  // the leader's epoch
      EXPECT_EQ(validate_batch(input, {}).ok(), harmless) << at;
    }
  }
}

/// One record of this many bytes of value, which every codec shrinks to next to nothing.
codec::Blob large_batch(codec::Compression compression, std::size_t value_bytes) {
  protocol::RecordBatchOptions options;
  options.compression = compression;
  protocol::RecordBatchBuilder builder(options);
  const codec::Blob value(value_bytes, 'x');
  builder.append(now_ms, codec::as_bytes("k"), codec::Bytes(value));
  return builder.build();
}

BatchVerdict judged(codec::Blob& batch, const BatchPolicy& policy, const ValidationBounds& bounds) {
  return validate_batch({.records = batch, .request_version = 9, .now_ms = now_ms}, policy, bounds);
}

TEST(batch_validator, what_inflates_beyond_the_bound_is_put_off_and_untouched) {
  for (const auto compression :
       {codec::Compression::gzip, codec::Compression::snappy, codec::Compression::lz4, codec::Compression::zstd}) {
    auto batch = large_batch(compression, 3 << 20);
    const auto before = batch;
    BatchPolicy policy;
    policy.timestamp_type = protocol::TimestampType::log_append_time;
    const auto verdict = judged(batch, policy, short_validation);
    EXPECT_TRUE(verdict.put_off);
    EXPECT_FALSE(verdict.ok());
    EXPECT_EQ(verdict.error, ErrorCode::none);
    EXPECT_EQ(batch, before);
    const auto again = judged(batch, policy, {});
    EXPECT_TRUE(again.ok());
    EXPECT_EQ(again.record_count, 1);
    EXPECT_NE(batch, before) << "the append time was stamped";
  }
}

TEST(batch_validator, the_bounds_are_of_inflated_of_plain_and_of_rebuilt_bytes) {
  BatchPolicy policy;
  policy.max_message_bytes = 64 << 20;
  auto inflates_little = large_batch(codec::Compression::zstd, 900 << 10);
  EXPECT_TRUE(judged(inflates_little, policy, short_validation).ok());
  auto plain = large_batch(codec::Compression::none, 15 << 20);
  EXPECT_TRUE(judged(plain, policy, short_validation).ok());
  auto much = large_batch(codec::Compression::none, 17 << 20);
  EXPECT_TRUE(judged(much, policy, short_validation).put_off);
  policy.compression = codec::Compression::gzip;
  auto rebuilt = large_batch(codec::Compression::none, 10 << 10);
  EXPECT_TRUE(judged(rebuilt, policy, short_validation).ok());
  auto rebuilt_long = large_batch(codec::Compression::zstd, 20 << 10);
  EXPECT_TRUE(judged(rebuilt_long, policy, short_validation).put_off);
}

TEST(batch_validator, what_is_wrong_is_refused_once_it_is_read_as_far_as_that) {
  auto batch = large_batch(codec::Compression::zstd, 3 << 20);
  BatchPolicy policy;
  policy.max_decompressed_message_bytes = 1 << 20;
  const auto verdict = judged(batch, policy, short_validation);
  EXPECT_EQ(verdict.error, ErrorCode::invalid_record) << "a record's length is at its beginning";
  batch[30] ^= 1;
  EXPECT_EQ(judged(batch, policy, short_validation).error, ErrorCode::corrupt_message);
}

}  // namespace
}  // namespace dohle::log
