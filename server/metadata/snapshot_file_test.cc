#include "server/metadata/snapshot_file.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

TEST(SnapshotFile, NamesAreKafkas) {
  EXPECT_EQ(snapshot_file_name({0, 0}), "00000000000000000000-0000000000.checkpoint");
  EXPECT_EQ(parse_snapshot_file_name("00000000000000000026-0000000003.checkpoint"), (SnapshotId{26, 3}));
  for (const char* name : {"00000000000000000026-0000000003.checkpoint.part", "bootstrap.checkpoint", "x.checkpoint",
                           "0000000000000000002x-0000000003.checkpoint"}) {
    EXPECT_EQ(parse_snapshot_file_name(name), std::nullopt) << name;
  }
}

/// Clears what depends on the time: base and maximum timestamps and the CRC of each batch.
std::vector<std::uint8_t> without_times(codec::Bytes file) {
  std::vector<std::uint8_t> bytes(file.begin(), file.end());
  std::size_t position = 0;
  while (position < bytes.size()) {
    const std::size_t size = whole_batch_size(codec::Bytes(file).subspan(position));
    EXPECT_GT(size, 0U);
    if (size == 0) break;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(position) + 17, 4, 0);
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(position) + 27, 16, 0);
    position += size;
  }
  return bytes;
}

TEST(SnapshotFile, WhatStorageToolWroteIsReadAndWrittenTheSame) {
  for (const char* sample : {"formatted-dynamic", "formatted-static"}) {
    const std::string content = read_sample(std::string(sample) + "/" + sample_bootstrap);
    const auto snapshot = parse_snapshot(codec::as_bytes(content), bootstrap_snapshot_id, "f");
    ASSERT_TRUE(snapshot.has_value()) << snapshot.error().message;
    const bool dynamic = std::string(sample) == "formatted-dynamic";
    EXPECT_EQ(snapshot->kraft_version, dynamic ? 1 : 0);
    EXPECT_EQ(snapshot->voters.has_value(), dynamic);
    EXPECT_EQ(snapshot->records.size(), 6U);
    EXPECT_EQ(without_times(format_snapshot(*snapshot, 12345)), without_times(codec::as_bytes(content))) << sample;
  }
}

TEST(SnapshotFile, ABrokenOneIsRefused) {
  const std::string content = read_sample(std::string("formatted-dynamic/") + sample_bootstrap);
  const auto line_of = [](const std::string& text) {
    const auto snapshot = parse_snapshot(codec::as_bytes(text), bootstrap_snapshot_id, "f");
    return snapshot ? "" : snapshot.error().message;
  };
  EXPECT_EQ(line_of(content.substr(0, 419)), "f: a snapshot without footer");
  EXPECT_EQ(line_of(content.substr(0, 420)), "f: a broken snapshot");
  EXPECT_EQ(line_of(content.substr(166)), "f: a snapshot without header");
  EXPECT_EQ(line_of(""), "f: a snapshot without header");
  EXPECT_EQ(line_of(content + content.substr(0, 166)), "f: a broken snapshot");
}

TEST(SnapshotFile, ManyRecordsGoIntoSeveralBatches) {
  Snapshot snapshot;
  snapshot.id = {10'000, 1};
  for (int i = 0; i < 10'000; ++i) {
    protocol::TopicRecord record;
    record.name = "t" + std::to_string(i);
    snapshot.records.push_back({std::move(record), 0});
  }
  testing::FakeDisk disk;
  ASSERT_TRUE(write_snapshot(*disk.directory(), snapshot, 1).has_value());
  disk.crash();
  const auto directory = disk.directory();
  EXPECT_EQ(*list_snapshots(*directory), std::vector<SnapshotId>{snapshot.id});
  const auto read = read_snapshot(*directory, snapshot.id);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->records, snapshot.records);
}

TEST(SnapshotFile, AFailedWriteLeavesNone) {
  for (const auto call : {testing::DiskCall::write, testing::DiskCall::sync, testing::DiskCall::rename}) {
    testing::FakeDisk disk;
    disk.fail_all(EIO, call);
    Snapshot snapshot;
    snapshot.id = {1, 1};
    EXPECT_FALSE(write_snapshot(*disk.directory(), snapshot, 1).has_value());
    disk.clear_failures();
    EXPECT_TRUE(list_snapshots(*disk.directory())->empty());
  }
}

}  // namespace
}  // namespace dohle::metadata
