#include "server/log/log_directories.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "server/log/batch_samples.h"
#include "server/log/clean_shutdown_file.h"
#include "server/testing/fake_clock.h"
#include "server/testing/fake_disk.h"
#include "server/testing/scratch_directory.h"

namespace dohle::log {
namespace {

const auto topic_id = codec::Uuid::reserved(150);

class LogDirectoriesTest : public ::testing::Test {
 protected:
  LogDirectoriesTest() { reopen(); }

  /// As a new process would.
  void reopen() {
    directories_.reset();
    directories_ = std::make_unique<LogDirectories>(std::vector{disk_.directory("/a"), disk_.directory("/b")}, clock_);
  }
  LogDirectory* directory(std::size_t i) { return directories_->all()[i].get(); }

  std::vector<LoadedLog> load(LogDirectoriesOptions options = {}) {
    EXPECT_TRUE(directories_->start());
    auto loaded = directories_->load(std::move(options));
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    return loaded ? std::move(*loaded) : std::vector<LoadedLog>{};
  }
  LoadedLog create(const std::string& topic, std::int32_t partition = 0, LogDirectory* where = nullptr) {
    auto created = directories_->create({topic, partition}, topic_id, {}, where);
    EXPECT_TRUE(created) << (created ? "" : created.error().message);
    return created ? std::move(*created) : LoadedLog{};
  }
  static void append(Log& log, int records) {
    auto batch = samples::batch({.records = records});
    LeaderAppend append;
    append.batches = batch;
    ASSERT_TRUE(log.append_as_leader(append));
  }
  std::vector<std::string> names(const std::string& path) {
    std::vector<std::string> found;
    const auto entries = disk_.directory(path)->list();
    for (const auto& entry : *entries) found.push_back(entry.name);
    std::ranges::sort(found);
    return found;
  }

  dohle::testing::FakeDisk disk_;
  dohle::testing::FakeClock clock_;
  std::unique_ptr<LogDirectories> directories_;
};

TEST_F(LogDirectoriesTest, ANewLogGoesWhereTheFewestAre) {
  load();
  EXPECT_EQ(create("t", 0).directory, directory(0));
  EXPECT_EQ(create("t", 1).directory, directory(1));
  EXPECT_EQ(create("t", 2).directory, directory(0));
  EXPECT_EQ(create("t", 3, directory(0)).directory, directory(0));
  EXPECT_EQ(create("t", 4).directory, directory(1));
  directory(1)->online = false;
  EXPECT_EQ(create("t", 5).directory, directory(0));
  directory(0)->online = false;
  const auto refused = directories_->create({"t", 6}, topic_id, {}, nullptr);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "No log directory is online");
}

TEST_F(LogDirectoriesTest, LogsComeBackWithIdsAndCheckpoints) {
  load();
  auto created = create("t", 3);
  append(*created.log, 5);
  ASSERT_TRUE(created.log->close());
  ASSERT_TRUE(directories_->write_checkpoint(*directory(0), high_watermark_checkpoint, {{{"t", 3}, 4}}));
  ASSERT_TRUE(directories_->write_checkpoint(*directory(0), log_start_checkpoint, {{{"t", 3}, 2}}));
  ASSERT_TRUE(directories_->write_clean_shutdown(17));
  created = {};

  reopen();
  const auto loaded = load();
  ASSERT_EQ(loaded.size(), 1u);
  EXPECT_EQ(loaded[0].directory, directory(0));
  EXPECT_EQ(loaded[0].partition, (TopicPartition{"t", 3}));
  EXPECT_EQ(loaded[0].topic_id, topic_id);
  EXPECT_EQ(loaded[0].log->log_end_offset(), 5);
  EXPECT_EQ(loaded[0].log->high_watermark(), 4);
  EXPECT_EQ(loaded[0].log->log_start_offset(), 2);
}

TEST_F(LogDirectoriesTest, AMarkerCountsOnceAndOnlyIfAllAgree) {
  load();
  ASSERT_TRUE(directories_->write_clean_shutdown(17));
  EXPECT_TRUE(std::ranges::count(names("/a"), ".kafka_cleanshutdown"));
  reopen();
  ASSERT_TRUE(directories_->start());
  EXPECT_EQ(directories_->previous_broker_epoch(), 17);
  // A crash from now on is one.
  reopen();
  ASSERT_TRUE(directories_->start());
  EXPECT_EQ(directories_->previous_broker_epoch(), std::nullopt);

  ASSERT_TRUE(write_clean_shutdown(*disk_.directory("/a"), 17));
  ASSERT_TRUE(write_clean_shutdown(*disk_.directory("/b"), 18));
  reopen();
  ASSERT_TRUE(directories_->start());
  EXPECT_EQ(directories_->previous_broker_epoch(), std::nullopt);
}

TEST_F(LogDirectoriesTest, AnOfflineDirectoryGetsNoMarker) {
  load();
  directory(1)->online = false;
  ASSERT_TRUE(directories_->write_clean_shutdown(17));
  EXPECT_TRUE(std::ranges::count(names("/a"), ".kafka_cleanshutdown"));
  EXPECT_FALSE(std::ranges::count(names("/b"), ".kafka_cleanshutdown"));
}

TEST_F(LogDirectoriesTest, ABrokenCheckpointIsReadAsZero) {
  load();
  auto created = create("t");
  append(*created.log, 5);
  ASSERT_TRUE(created.log->close());
  ASSERT_TRUE(disk_.directory("/a")->replace_file(high_watermark_checkpoint, "0\n1\ngarbage\n"));
  created = {};
  reopen();
  const auto loaded = load();
  ASSERT_EQ(loaded.size(), 1u);
  EXPECT_EQ(loaded[0].log->high_watermark(), 0);
  EXPECT_EQ(loaded[0].log->log_end_offset(), 5);
}

TEST_F(LogDirectoriesTest, ADeletedPartitionGoesAfterItsDelay) {
  load();
  auto created = create("t");
  append(*created.log, 1);
  ASSERT_TRUE(directories_->retire(*created.directory, {"t", 0}, *created.log, false));
  auto left = names("/a");
  EXPECT_FALSE(std::ranges::count(left, "t-0"));
  const auto deleted = std::ranges::find_if(left, [](const auto& name) { return name.ends_with("-delete"); });
  ASSERT_NE(deleted, left.end());
  // Who still holds the log can read it.
  EXPECT_TRUE(created.log->read({.offset = 0, .size_bytes_max = 1000, .bound_offset = 1}));
  const auto delay_ms = LogConfig{}.file_delete_delay_ms;
  directories_->remove_due(clock_.monotonic_ms() + delay_ms - 1);
  EXPECT_TRUE(std::ranges::count(names("/a"), *deleted));
  directories_->remove_due(clock_.monotonic_ms() + delay_ms);
  EXPECT_FALSE(std::ranges::count(names("/a"), *deleted));
}

TEST_F(LogDirectoriesTest, WhatACrashLeftToDeleteIsDeletedAfterTheNextStart) {
  load();
  auto created = create("t");
  ASSERT_TRUE(directories_->retire(*created.directory, {"t", 0}, *created.log, false));
  created = {};
  reopen();
  EXPECT_TRUE(load().empty());
  directories_->remove_due(clock_.monotonic_ms() + LogConfig{}.file_delete_delay_ms);
  for (const auto& name : names("/a")) EXPECT_FALSE(name.ends_with("-delete")) << name;
}

TEST_F(LogDirectoriesTest, StraysAndTheMetadataLogAreLeftAlone) {
  load();
  auto created = create("t");
  ASSERT_TRUE(directories_->retire(*created.directory, {"t", 0}, *created.log, true));
  created = {};
  ASSERT_TRUE(disk_.directory("/b")->subdirectory("__cluster_metadata-0", true));
  reopen();
  EXPECT_TRUE(load().empty());
  directories_->remove_due(clock_.monotonic_ms() + 10 * LogConfig{}.file_delete_delay_ms);
  const auto left = names("/a");
  EXPECT_TRUE(std::ranges::any_of(left, [](const auto& name) { return name.ends_with("-stray"); }));
}

TEST_F(LogDirectoriesTest, LogsAreLoadedWithTheirTopicsConfiguration) {
  load();
  create("big");
  create("small");
  reopen();
  LogDirectoriesOptions options;
  options.config_of = [](const std::string& topic) {
    LogConfig config;
    config.segment_bytes = topic == "small" ? 1000 : 2000;
    return config;
  };
  for (const auto& one : load(options)) {
    EXPECT_EQ(one.log->config().segment_bytes, one.partition.topic == "small" ? 1000 : 2000);
  }
}

TEST_F(LogDirectoriesTest, ALogThatCannotBeReadIsTheErrorOfTheLoad) {
  load();
  create("t");
  reopen();
  ASSERT_TRUE(directories_->start());
  disk_.fail_all(EIO, dohle::testing::DiskCall::read);
  EXPECT_FALSE(directories_->load({}));
}

TEST_F(LogDirectoriesTest, DirectoriesAreFoundByTheirIds) {
  directory(1)->id = codec::Uuid::reserved(101);
  EXPECT_EQ(directories_->find(codec::Uuid::reserved(101)), directory(1));
  EXPECT_EQ(directories_->find(codec::Uuid::reserved(102)), nullptr);
}

TEST(LogDirectories, ADirectoryIsForOneProcess) {
  const dohle::testing::ScratchDirectory scratch;
  dohle::testing::FakeClock clock;
  auto first = LogDirectories::open({scratch.path() + "/logs"}, clock);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ((*first)->all()[0]->path, scratch.path() + "/logs");
  const auto second = LogDirectories::open({scratch.path() + "/logs"}, clock);
  EXPECT_FALSE(second);
  first->reset();
  EXPECT_TRUE(LogDirectories::open({scratch.path() + "/logs"}, clock));
}

}  // namespace
}  // namespace dohle::log
