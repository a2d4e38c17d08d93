#include "server/metadata/metadata_log.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

constexpr const char* first_segment = "00000000000000000000.log";

std::vector<std::uint8_t> batch_at(std::int64_t offset, std::int32_t epoch) {
  return build_data_batch({{protocol::NoOpRecord{}, 0}}, offset, epoch, 1);
}

struct Opened {
  runtime::Result<std::unique_ptr<MetadataLog>> log;
  int batches = 0;
};

Opened open(testing::FakeDisk& disk) {
  Opened opened{{}, 0};
  opened.log = MetadataLog::open(disk.directory(), 0, [&](const MetadataBatch&) {
    ++opened.batches;
    return runtime::Status{};
  });
  return opened;
}

TEST(MetadataLog, WhatWasAppendedIsThereAfterACrash) {
  testing::FakeDisk disk;
  {
    auto opened = open(disk);
    ASSERT_TRUE((*opened.log)->begin(0, 1 << 20).has_value());
    ASSERT_TRUE((*opened.log)->append(batch_at(0, 1), 1, 1, 1000).has_value());
    ASSERT_TRUE((*opened.log)->append(batch_at(1, 3), 2, 3, 1000).has_value());
  }
  disk.crash();
  const auto opened = open(disk);
  ASSERT_TRUE(opened.log.has_value());
  EXPECT_EQ(opened.batches, 2);
  EXPECT_EQ((*opened.log)->end_offset(), 2);
  EXPECT_EQ((*opened.log)->last_epoch(), 3);
  // As Kafka writes them.
  EXPECT_EQ(*disk.directory()->read_file("leader-epoch-checkpoint"), "0\n2\n1 0\n3 1\n");
  EXPECT_EQ(*disk.directory()->read_file("partition.metadata"), "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ");
}

TEST(MetadataLog, ATornTailIsCutByBeginAndNotByOpen) {
  testing::FakeDisk disk;
  auto whole = batch_at(0, 1);
  const std::string content(whole.begin(), whole.end());
  write_file(*disk.directory(), first_segment, content + content.substr(0, 30));
  const auto opened = open(disk);
  ASSERT_TRUE(opened.log.has_value());
  EXPECT_EQ(opened.batches, 1);
  EXPECT_EQ(disk.directory()->read_file(first_segment)->size(), content.size() + 30);
  ASSERT_TRUE((*opened.log)->begin(0, 1 << 20).has_value());
  EXPECT_EQ(*disk.directory()->read_file(first_segment), content);
}

TEST(MetadataLog, AGapOrABrokenBatchBeforeTheLastSegmentIsRefused) {
  const auto second_batch = batch_at(5, 1);
  const std::string second(second_batch.begin(), second_batch.end());
  const auto first_batch = batch_at(0, 1);
  const std::string first(first_batch.begin(), first_batch.end());
  {
    testing::FakeDisk disk;
    write_file(*disk.directory(), first_segment, first);
    write_file(*disk.directory(), "00000000000000000005.log", second);
    EXPECT_EQ(open(disk).log.error().message, "/fake/00000000000000000005.log: the log ends at offset 1 before it");
  }
  {
    testing::FakeDisk disk;
    write_file(*disk.directory(), first_segment, first.substr(0, 50));
    write_file(*disk.directory(), "00000000000000000005.log", second);
    EXPECT_EQ(open(disk).log.error().message, "/fake/00000000000000000000.log: a broken batch at position 0");
  }
  {
    testing::FakeDisk disk;
    write_file(*disk.directory(), first_segment, first + second);
    EXPECT_EQ(open(disk).log.error().message,
              "/fake/00000000000000000000.log: a batch with base offset 5 where 1 is expected");
  }
}

TEST(MetadataLog, SegmentsRollBySize) {
  testing::FakeDisk disk;
  auto opened = open(disk);
  ASSERT_TRUE((*opened.log)->begin(0, 200).has_value());
  for (std::int64_t offset = 0; offset < 10; ++offset) {
    ASSERT_TRUE((*opened.log)->append(batch_at(offset, 1), offset + 1, 1, 1000).has_value());
  }
  disk.crash();
  const auto again = open(disk);
  ASSERT_TRUE(again.log.has_value());
  EXPECT_EQ(again.batches, 10);
  EXPECT_GT(disk.directory()->list()->size(), 4U);
}

TEST(MetadataLog, EveryPowerLossKeepsWhatWasAcknowledged) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    testing::FakeDisk disk(seed);
    std::int64_t acknowledged = 0;
    {
      auto opened = open(disk);
      ASSERT_TRUE((*opened.log)->begin(0, 300).has_value());
      for (std::int64_t offset = 0; offset < 8; ++offset) {
        ASSERT_TRUE((*opened.log)->append(batch_at(offset, 1), offset + 1, 1, 1000).has_value());
        acknowledged = offset + 1;
      }
      disk.fail_call(1, EIO, testing::DiskCall::sync);
      EXPECT_FALSE((*opened.log)->append(batch_at(8, 1), 9, 1, 1000).has_value());
    }
    disk.crash(testing::CrashMode::lose_some);
    disk.clear_failures();
    const auto opened = open(disk);
    ASSERT_TRUE(opened.log.has_value()) << seed << ": " << opened.log.error().message;
    EXPECT_GE((*opened.log)->end_offset(), acknowledged) << seed;
  }
}

}  // namespace
}  // namespace dohle::metadata
