#include "server/metadata/quorum_node.h"

#include <gtest/gtest.h>

#include "server/metadata/meta_properties.h"
#include "server/metadata/metadata_log.h"
#include "server/metadata/quorum_state.h"
#include "server/metadata/sample_test_support.h"
#include "server/metadata/snapshot_file.h"
#include "server/metadata/storage_format.h"

namespace dohle::metadata {
namespace {

codec::Uuid directory_id_of(runtime::Directory& directory) {
  return *(*read_meta_properties(directory))->directory_id;
}

runtime::Result<std::unique_ptr<QuorumNode>> open(testing::FakeDisk& disk, runtime::Clock& clock, bool dynamic = true) {
  return QuorumNode::open(disk.directory(), sample_options(directory_id_of(*disk.directory()), dynamic), clock);
}

/// The log in words: one line for each batch.
std::vector<std::string> log_lines(testing::FakeDisk& disk) {
  std::vector<std::string> lines;
  const auto directory = *disk.directory()->subdirectory("__cluster_metadata-0", false);
  const auto log = MetadataLog::open(directory, 0, [&](const MetadataBatch& batch) {
    std::string line = std::to_string(batch.epoch) + ":";
    static constexpr const char* names[] = {"LeaderChange", "SnapshotHeader", "SnapshotFooter", "KRaftVersion",
                                            "Voters"};
    for (const auto& message : batch.control_messages) line += std::string(" ") + names[message.index()];
    for (const auto& record : batch.records) {
      std::string name = record_name(record.message);
      line += " " + name.substr(0, name.size() - 6);
    }
    lines.push_back(std::move(line));
    return runtime::Status{};
  });
  EXPECT_TRUE(log.has_value());
  return lines;
}

// The first three batches are those of stopped-dynamic's log.
TEST(QuorumNode, TheFirstStartWritesWhatKafkasFirstStartWrites) {
  testing::FakeClock clock;
  testing::FakeDisk disk;
  copy_sample("formatted-dynamic", *disk.directory());
  {
    auto node = open(disk, clock);
    ASSERT_TRUE(node.has_value()) << node.error().message;
    ASSERT_TRUE((*node)->activate().has_value());
    EXPECT_EQ((*node)->leader_epoch(), 1);
    EXPECT_EQ((*node)->kraft_version(), 1);
    EXPECT_EQ((*node)->last_applied_offset(), 12);
    EXPECT_EQ((*node)->next_offset(), 13);
  }
  EXPECT_EQ(log_lines(disk),
            (std::vector<std::string>{"1: LeaderChange KRaftVersion Voters",
                                      "1: BeginTransaction FeatureLevel FeatureLevel FeatureLevel FeatureLevel "
                                      "FeatureLevel FeatureLevel Config EndTransaction",
                                      "1: RegisterController"}));
  const auto directory = *disk.directory()->subdirectory("__cluster_metadata-0", false);
  EXPECT_EQ(*directory->read_file("quorum-state"), read_sample("stopped-dynamic/__cluster_metadata-0/quorum-state"));
}

TEST(QuorumNode, WithStaticVotersThereAreNone) {
  testing::FakeClock clock;
  testing::FakeDisk disk;
  copy_sample("formatted-static", *disk.directory());
  auto node = open(disk, clock, false);
  ASSERT_TRUE(node.has_value()) << node.error().message;
  ASSERT_TRUE((*node)->activate().has_value());
  EXPECT_EQ(log_lines(disk).front(), "1: LeaderChange");
  const auto directory = *disk.directory()->subdirectory("__cluster_metadata-0", false);
  EXPECT_EQ(*directory->read_file("quorum-state"), read_sample("stopped-static/__cluster_metadata-0/quorum-state"));
}

TEST(QuorumNode, AStartOnKafkasDirectoryTakesTheNextEpochAndRepeatsNoVoters) {
  testing::FakeClock clock;
  testing::FakeDisk disk;
  copy_sample("killed-dynamic", *disk.directory());
  const auto before = log_lines(disk).size();
  auto node = open(disk, clock);
  ASSERT_TRUE(node.has_value()) << node.error().message;
  ASSERT_TRUE((*node)->activate().has_value());
  EXPECT_EQ((*node)->leader_epoch(), 3);
  const auto lines = log_lines(disk);
  ASSERT_EQ(lines.size(), before + 2);
  EXPECT_EQ(lines[before], "3: LeaderChange");
  EXPECT_EQ(lines[before + 1], "3: RegisterController");
}

TEST(QuorumNode, AnotherControllerListenerIsWrittenAsNewVoters) {
  testing::FakeClock clock;
  testing::FakeDisk disk;
  copy_sample("stopped-dynamic", *disk.directory());
  auto options = sample_options(directory_id_of(*disk.directory()));
  options.controller_endpoints.front().port = 31000;
  auto node = QuorumNode::open(disk.directory(), options, clock);
  ASSERT_TRUE(node.has_value());
  ASSERT_TRUE((*node)->activate().has_value());
  const auto lines = log_lines(disk);
  EXPECT_EQ(lines[lines.size() - 2], "2: LeaderChange KRaftVersion Voters");
}

TEST(QuorumNode, WhatItDoesNotUnderstandIsRefusedAndNothingIsTouched) {
  testing::FakeClock clock;
  testing::FakeDisk disk;
  copy_sample("stopped-dynamic", *disk.directory());
  const auto directory = *disk.directory()->subdirectory("__cluster_metadata-0", false);
  std::string log = *directory->read_file("00000000000000000000.log");
  protocol::FeatureLevelRecord feature;
  feature.name = "metadata.version";
  feature.feature_level = 40;
  const auto batch = build_data_batch({{feature, 0}}, 85, 1, 0);
  log.append(batch.begin(), batch.end());
  log += "torn";
  write_file(*directory, "00000000000000000000.log", log);
  const auto node = open(disk, clock);
  ASSERT_FALSE(node.has_value());
  EXPECT_EQ(
      node.error().message,
      "/fake/__cluster_metadata-0/00000000000000000000.log: offset 85: feature metadata.version is at level 40, but "
      "this server supports 7 to 33 only");
  EXPECT_EQ(*directory->read_file("00000000000000000000.log"), log);
}

TEST(QuorumNode, AForeignVoterSetIsRefused) {
  testing::FakeClock clock;
  testing::FakeDisk disk;
  copy_sample("stopped-dynamic", *disk.directory());
  const auto node = QuorumNode::open(disk.directory(), sample_options(codec::Uuid::random()), clock);
  ASSERT_FALSE(node.has_value());
  EXPECT_EQ(node.error().kind, runtime::ErrorKind::invalid);
  testing::FakeDisk other;
  copy_sample("formatted-static", *other.directory());
  EXPECT_FALSE(open(other, clock, true).has_value());
}

TEST(QuorumNode, AnOpenTransactionIsAbortedAndTheBootstrapWrittenAgain) {
  testing::FakeClock clock;
  testing::FakeDisk disk;
  copy_sample("formatted-dynamic", *disk.directory());
  const auto directory = *disk.directory()->subdirectory("__cluster_metadata-0", false);
  protocol::FeatureLevelRecord feature;
  feature.name = "metadata.version";
  feature.feature_level = 33;
  const auto batch = build_data_batch({{protocol::BeginTransactionRecord{}, 0}, {feature, 0}}, 0, 1, 0);
  write_file(*directory, "00000000000000000000.log", std::string(batch.begin(), batch.end()));
  auto node = open(disk, clock);
  ASSERT_TRUE(node.has_value());
  EXPECT_EQ((*node)->image()->features->metadata_version, std::nullopt);
  ASSERT_TRUE((*node)->activate().has_value());
  EXPECT_EQ(log_lines(disk)[2].substr(0, 35), "2: AbortTransaction BeginTransactio");
  EXPECT_EQ((*node)->image()->features->metadata_version, 33);
}

TEST(QuorumNode, ASnapshotReplacesTheLogBeforeIt) {
  testing::FakeClock clock;
  testing::FakeDisk disk;
  copy_sample("stopped-dynamic", *disk.directory());
  const auto directory = *disk.directory()->subdirectory("__cluster_metadata-0", false);
  {
    auto node = open(disk, clock);
    ASSERT_TRUE((*node)->activate().has_value());
    ASSERT_TRUE((*node)->write_snapshot().has_value());
  }
  EXPECT_EQ(list_snapshots(*directory)->back(), (SnapshotId{87, 2}));
  ASSERT_TRUE(directory->remove("00000000000000000000.log").has_value());
  auto node = open(disk, clock);
  ASSERT_TRUE(node.has_value()) << node.error().message;
  EXPECT_EQ((*node)->image()->topics->size(), 6U);
  ASSERT_TRUE((*node)->activate().has_value());
  EXPECT_EQ((*node)->leader_epoch(), 3);
  EXPECT_EQ((*node)->next_offset(), 89);
}

TEST(QuorumNode, ASnapshotComesWithTheInterval) {
  testing::FakeClock clock;
  testing::FakeDisk disk;
  copy_sample("formatted-dynamic", *disk.directory());
  auto node = open(disk, clock);
  ASSERT_TRUE((*node)->activate().has_value());
  const auto directory = *disk.directory()->subdirectory("__cluster_metadata-0", false);
  EXPECT_EQ(list_snapshots(*directory)->size(), 1U);
  clock.advance_ms(3'600'000);
  ASSERT_TRUE((*node)->commit({{protocol::NoOpRecord{}, 0}}).has_value());
  EXPECT_EQ(list_snapshots(*directory)->size(), 2U);
}

/// Power is lost after each call of the start: the next start never reuses an epoch that is in the log.
TEST(QuorumNode, NoEpochIsUsedTwiceWhereverTheStartIsCutOff) {
  for (std::uint64_t nth = 1; nth < 60; ++nth) {
    testing::FakeClock clock;
    testing::FakeDisk disk(nth);
    copy_sample("stopped-dynamic", *disk.directory());
    disk.fail_call(nth, EIO);
    std::int32_t epoch = 0;
    bool done = false;
    if (auto node = open(disk, clock)) {
      done = (*node)->activate().has_value();
      epoch = (*node)->leader_epoch();
    }
    disk.clear_failures();
    disk.crash(testing::CrashMode::lose_some);
    auto node = open(disk, clock);
    ASSERT_TRUE(node.has_value()) << nth << ": " << node.error().message;
    EXPECT_EQ((*node)->image()->topics->size(), 6U) << nth;
    const auto logged = log_lines(disk).back();
    ASSERT_TRUE((*node)->activate().has_value()) << nth;
    const bool used = epoch > 0 && logged.starts_with(std::to_string(epoch) + ":");
    EXPECT_TRUE((!used && !done) || (*node)->leader_epoch() > epoch) << nth;
  }
}

}  // namespace
}  // namespace dohle::metadata
