#include "server/log/partition_metadata_file.h"

#include <gtest/gtest.h>

#include "server/testing/fake_disk.h"

namespace dohle::log {
namespace {

TEST(PartitionMetadataFile, is_kafkas_two_lines) {
  const auto id = codec::Uuid::parse("gK7TfY_RSI2bUXxuHNYDhw");
  EXPECT_EQ(format_partition_metadata(*id), "version: 0\ntopic_id: gK7TfY_RSI2bUXxuHNYDhw");
  EXPECT_EQ(*parse_partition_metadata("version: 0\ntopic_id: gK7TfY_RSI2bUXxuHNYDhw"), *id);
  EXPECT_EQ(*parse_partition_metadata("version: 1\r\ntopic_id:   gK7TfY_RSI2bUXxuHNYDhw\n"), *id);
}

TEST(PartitionMetadataFile, other_texts_are_corrupt) {
  for (const char* bad : {"", "version: 0", "version: -1\ntopic_id: gK7TfY_RSI2bUXxuHNYDhw", "version: 0\ntopic_id: x",
                          "version:0\ntopic_id: gK7TfY_RSI2bUXxuHNYDhw", "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA",
                          "version: 0\ngK7TfY_RSI2bUXxuHNYDhw"}) {
    EXPECT_FALSE(parse_partition_metadata(bad)) << bad;
  }
}

TEST(PartitionMetadataFile, is_written_and_read) {
  dohle::testing::FakeDisk disk;
  auto directory = disk.directory();
  EXPECT_EQ(*read_partition_metadata(*directory), std::nullopt);
  const codec::Uuid id = codec::Uuid::random();
  ASSERT_TRUE(write_partition_metadata(*directory, id));
  disk.crash();
  EXPECT_EQ(*read_partition_metadata(*disk.directory()), id);
}

}  // namespace
}  // namespace dohle::log
