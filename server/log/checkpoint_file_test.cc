#include "server/log/checkpoint_file.h"

#include <gtest/gtest.h>

#include "server/testing/fake_disk.h"

namespace dohle::log {
namespace {

TEST(CheckpointFile, reads_what_kafka_writes) {
  const auto offsets = parse_offset_checkpoint("0\n2\nappendtime 0 10\n__transaction_state 3 76\n");
  ASSERT_TRUE(offsets);
  EXPECT_EQ(*offsets, (PartitionOffsets{{{"appendtime", 0}, 10}, {{"__transaction_state", 3}, 76}}));
  EXPECT_EQ(format_offset_checkpoint({{{"trimmed", 0}, 50}}), "0\n1\ntrimmed 0 50\n");
  EXPECT_EQ(format_offset_checkpoint({}), "0\n0\n");
}

TEST(CheckpointFile, any_white_space_separates_and_an_empty_file_has_no_entries) {
  EXPECT_EQ(parse_offset_checkpoint("0\r\n1\r\na\t1  2\r\n")->at({"a", 1}), 2);
  EXPECT_TRUE(parse_offset_checkpoint("")->empty());
  EXPECT_TRUE(parse_offset_checkpoint("0\n")->empty());
}

TEST(CheckpointFile, anything_else_is_corrupt) {
  for (const char* bad : {"1\n0\n", "x\n0\n", "0\nx\n", "0\n2\na 0 1\n", "0\n0\na 0 1\n", "0\n1\na 0\n",
                          "0\n1\na x 1\n", "0\n1\na 0 1 2\n", "0\n1\n\n", "0\n1\na 0 99999999999999999999\n"}) {
    const auto offsets = parse_offset_checkpoint(bad);
    ASSERT_FALSE(offsets) << bad;
    EXPECT_EQ(offsets.error().kind, runtime::ErrorKind::corrupt);
  }
}

TEST(CheckpointFile, is_on_the_disk_when_it_was_written) {
  dohle::testing::FakeDisk disk;
  auto directory = disk.directory();
  EXPECT_TRUE(read_offset_checkpoint(*directory, recovery_point_checkpoint)->empty());
  ASSERT_TRUE(write_offset_checkpoint(*directory, recovery_point_checkpoint, {{{"a", 1}, 7}}));
  disk.crash();
  EXPECT_EQ(read_offset_checkpoint(*disk.directory(), recovery_point_checkpoint)->at({"a", 1}), 7);
}

TEST(CheckpointFile, a_disk_that_fails_is_told) {
  dohle::testing::FakeDisk disk;
  auto directory = disk.directory();
  disk.fail_all(EIO, dohle::testing::DiskCall::write);
  EXPECT_FALSE(write_offset_checkpoint(*directory, recovery_point_checkpoint, {{{"a", 1}, 7}}));
}

}  // namespace
}  // namespace dohle::log
