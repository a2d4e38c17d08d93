#include "server/metadata/metadata_batch.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

/// Every batch of the file, read and built again, has the same bytes.
void check_file(const std::string& name) {
  const std::string content = read_sample(name);
  codec::Bytes left = codec::as_bytes(content);
  int count = 0;
  while (!left.empty()) {
    const std::size_t size = whole_batch_size(left);
    ASSERT_GT(size, 0U) << name;
    const auto batch = read_batch(left.first(size));
    ASSERT_TRUE(batch.has_value()) << name << ": " << batch.error().message;
    const auto built =
        batch->control
            ? build_control_batch(batch->control_messages, batch->base_offset, batch->epoch, batch->max_timestamp_ms)
            : build_data_batch(batch->records, batch->base_offset, batch->epoch, batch->max_timestamp_ms);
    EXPECT_EQ(built, std::vector<std::uint8_t>(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(size)))
        << name << " at offset " << batch->base_offset;
    left = left.subspan(size);
    ++count;
  }
  EXPECT_GE(count, 3);
}

TEST(MetadataBatch, KafkasOwnAreBuiltAgainByteForByte) {
  for (const char* sample : {"killed-dynamic", "stopped-dynamic", "stopped-static"}) {
    check_file(std::string(sample) + "/" + sample_log);
    check_file(std::string(sample) + "/" + sample_bootstrap);
  }
}

TEST(MetadataBatch, ATornOrDamagedOneIsNotWhole) {
  const std::string content = read_sample(std::string("formatted-static/") + sample_bootstrap);
  const codec::Bytes bytes = codec::as_bytes(content);
  const std::size_t size = whole_batch_size(bytes);
  ASSERT_GT(size, 0U);
  for (std::size_t length = 0; length < size; ++length) EXPECT_EQ(whole_batch_size(bytes.first(length)), 0U);
  for (std::size_t i = 16; i < size; ++i) {
    std::string damaged = content;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_EQ(whole_batch_size(codec::as_bytes(damaged)), 0U) << i;
  }
}

TEST(MetadataBatch, AnUnknownRecordInsideIsNamedWithItsOffset) {
  // A NoOp record's value is 01 14 00 00; type 0x15 at version 9 does not exist.
  auto bytes = build_data_batch({{protocol::NoOpRecord{}, 0}}, 5, 1, 0);
  MetadataRecord record{protocol::ZkMigrationStateRecord{}, 0};
  bytes = build_data_batch({record}, 5, 1, 0);
  auto value = encode_record(record);
  const auto at = std::search(bytes.begin(), bytes.end(), value.begin(), value.end());
  ASSERT_NE(at, bytes.end());
  at[1] = 0x7f;
  const auto batch = read_batch(bytes);
  ASSERT_FALSE(batch.has_value());
  EXPECT_EQ(batch.error().message, "offset 5: unknown metadata record type 127");
}

}  // namespace
}  // namespace dohle::metadata
