#include "server/log/log_loader.h"

#include <array>

#include "server/log/log_fixture.h"

namespace dohle::log {
namespace {

using dohle::testing::CrashMode;
using dohle::testing::DiskCall;

class LogLoading : public LogFixture {
 protected:
  void write_file(const std::string& name, std::string_view text) {
    auto file = options_.directory->open(name, {.create = true});
    ASSERT_TRUE(file);
    ASSERT_TRUE((*file)->truncate(0));
    ASSERT_TRUE((*file)->write_at(codec::as_bytes(text), 0));
  }
  std::string read_file(const std::string& name) { return options_.directory->read_file(name).value_or("(none)"); }
  void fill(int batches = 10) {
    options_.config.segment_bytes = 400;
    open();
    for (int i = 0; i < batches; ++i) {
      append({.records = 2, .value_bytes = 30, .producer_id = 1, .producer_epoch = 0, .sequence = i * 2});
    }
  }
};

TEST_F(LogLoading, a_new_directory_is_an_empty_log) {
  options_.log_start_offset = 7;
  open();
  EXPECT_EQ(log_->log_start_offset(), 7);
  EXPECT_EQ(log_->log_end_offset(), 7);
  EXPECT_TRUE(has_file("00000000000000000007.log"));
  EXPECT_TRUE(has_file("00000000000000000007.index"));
  EXPECT_TRUE(has_file("00000000000000000007.timeindex"));
  EXPECT_FALSE(has_file("00000000000000000007.txnindex"));
}

TEST_F(LogLoading, after_a_clean_stop_nothing_is_scanned) {
  fill();
  ASSERT_TRUE(log_->close());
  options_.clean_shutdown = true;
  // A byte of a batch's records is turned: a scan would see it.
  auto file = options_.directory->open("00000000000000000000.log", {});
  const std::uint8_t wrong = 0xff;
  ASSERT_TRUE((*file)->write_at(codec::Bytes(&wrong, 1), 70));
  open();
  EXPECT_EQ(log_->log_end_offset(), 20);
  EXPECT_EQ(log_->recovery_point(), 20);
  EXPECT_EQ(log_->producers().producers().at(1).last_sequence(), 19);
  EXPECT_EQ(
      append({.records = 2, .value_bytes = 30, .producer_id = 1, .producer_epoch = 0, .sequence = 20}).first_offset,
      20);
}

TEST_F(LogLoading, b189_a_retry_after_kill_is_still_a_duplicate) {
  fill();
  disk_.crash(CrashMode::kill_process);
  open();
  // The last batch: as in Kafka a snapshot, which recovery begins from, keeps no more of a producer.
  const auto again = append({.records = 2, .value_bytes = 30, .producer_id = 1, .producer_epoch = 0, .sequence = 18});
  EXPECT_TRUE(again.duplicate);
  EXPECT_EQ(again.first_offset, 18);
}

TEST_F(LogLoading, b190_a_torn_tail_is_cut_and_the_rest_stays) {
  fill();
  const auto size = log_->segments()->active().size_bytes();
  log_.reset();
  auto file = options_.directory->open("00000000000000000016.log", {});
  ASSERT_TRUE((*file)->truncate(size - 3));
  open();
  EXPECT_EQ(log_->log_end_offset(), 18);
  EXPECT_EQ(log_->producers().producers().at(1).last_sequence(), 17);
  EXPECT_EQ(read_all(0).size(), 9U);
}

TEST_F(LogLoading, a_torn_write_whose_offset_never_reached_the_disk_is_cut) {
  fill();
  const auto size = log_->segments()->active().size_bytes();
  log_.reset();
  // The last batch begins at the end of a page that was lost; the checksum does not cover its offset.
  auto file = options_.directory->open("00000000000000000016.log", {});
  const std::array<std::uint8_t, 8> zeros{};
  ASSERT_TRUE((*file)->write_at(zeros, size / 2));
  open();
  EXPECT_EQ(log_->log_end_offset(), 18);
  EXPECT_EQ(read_all(0).size(), 9U);
}

TEST_F(LogLoading, what_follows_a_bad_batch_goes) {
  fill();
  log_.reset();
  auto file = options_.directory->open("00000000000000000004.log", {});
  const std::uint8_t wrong = 0xff;
  ASSERT_TRUE((*file)->write_at(codec::Bytes(&wrong, 1), 70));
  open();
  EXPECT_EQ(log_->log_end_offset(), 4);
  EXPECT_EQ(segment_bases(), (std::vector<std::int64_t>{0, 4}));
  EXPECT_TRUE(has_file("00000000000000000008.log.deleted"));
  ASSERT_TRUE(log_->remove_deleted_files(true));
  EXPECT_FALSE(has_file("00000000000000000008.log.deleted"));
}

TEST_F(LogLoading, only_what_is_beyond_the_recovery_point_is_read) {
  fill();
  ASSERT_TRUE(log_->flush(16));
  EXPECT_EQ(log_->recovery_point(), 16);
  options_.recovery_point = 16;
  log_.reset();
  auto file = options_.directory->open("00000000000000000004.log", {});
  const std::uint8_t wrong = 0xff;
  ASSERT_TRUE((*file)->write_at(codec::Bytes(&wrong, 1), 70));
  open();
  EXPECT_EQ(log_->log_end_offset(), 20) << "the bad byte lies below";
}

TEST_F(LogLoading, missing_and_impossible_indexes_are_made_again) {
  fill();
  ASSERT_TRUE(log_->close());
  options_.clean_shutdown = true;
  const std::string index = read_file("00000000000000000004.index");
  const std::string time_index = read_file("00000000000000000008.timeindex");
  ASSERT_FALSE(index.empty());
  ASSERT_TRUE(options_.directory->remove("00000000000000000004.index"));
  write_file("00000000000000000008.timeindex", "odd");
  write_file("00000000000000000099.index", "an index without a log");
  open();
  EXPECT_EQ(read_file("00000000000000000004.index"), index);
  EXPECT_EQ(read_file("00000000000000000008.timeindex"), time_index);
  EXPECT_FALSE(has_file("00000000000000000099.index"));
  EXPECT_EQ(read_all(0).size(), 10U);
}

TEST_F(LogLoading, the_zero_tail_of_kafkas_index_after_a_kill_is_no_entry) {
  fill(1);
  log_.reset();
  write_file("00000000000000000000.index", std::string(4096, '\0'));
  write_file("00000000000000000000.timeindex", std::string(4092, '\0'));
  open();
  EXPECT_EQ(read_all(0).size(), 1U);
  EXPECT_EQ(read_file("00000000000000000000.index").size(), 0U);
  EXPECT_EQ(read_file("00000000000000000000.timeindex").size(), 12U);
}

TEST_F(LogLoading, leftovers_of_cleaning_and_deletion_go) {
  fill();
  ASSERT_TRUE(log_->close());
  options_.clean_shutdown = true;
  write_file("00000000000000000000.log.cleaned", "x");
  write_file("00000000000000000000.log.swap", "made before the round was complete");
  write_file("00000000000000000004.log.deleted", "x");
  write_file("00000000000000000004-0000000001.checkpoint.deleted", "not ours");
  open();
  EXPECT_FALSE(has_file("00000000000000000000.log.cleaned"));
  EXPECT_FALSE(has_file("00000000000000000000.log.swap"));
  EXPECT_FALSE(has_file("00000000000000000004.log.deleted"));
  EXPECT_TRUE(has_file("00000000000000000004-0000000001.checkpoint.deleted"));
  EXPECT_EQ(log_->log_end_offset(), 20);
}

TEST_F(LogLoading, a_swap_that_was_complete_is_finished) {
  fill();
  ASSERT_TRUE(log_->close());
  options_.clean_shutdown = true;
  // Segments 0 and 4 were cleaned into one, from which the batch at 2 is gone.
  std::string merged = read_file("00000000000000000000.log");
  merged = merged.substr(0, merged.size() / 2) + read_file("00000000000000000004.log");
  write_file("00000000000000000000.log.swap", merged);
  write_file("00000000000000000000.index.swap", "");
  write_file("00000000000000000000.timeindex.swap", "");
  open();
  EXPECT_EQ(segment_bases(), (std::vector<std::int64_t>{0, 8, 12, 16}));
  EXPECT_EQ(read_all(0).size(), 9U);
  EXPECT_FALSE(has_file("00000000000000000000.log.swap"));
  EXPECT_FALSE(has_file("00000000000000000004.index"));
}

TEST_F(LogLoading, a_log_that_ends_below_its_start_begins_anew_there) {
  fill();
  ASSERT_TRUE(log_->close());
  options_.log_start_offset = 30;
  open();
  EXPECT_EQ(log_->log_start_offset(), 30);
  EXPECT_EQ(log_->log_end_offset(), 30);
  EXPECT_TRUE(log_->leader_epochs().empty());
}

TEST_F(LogLoading, a_corrupt_snapshot_is_passed_over) {
  fill();
  ASSERT_TRUE(log_->close());
  options_.clean_shutdown = true;
  write_file("00000000000000000020.snapshot", "garbage");
  open();
  EXPECT_EQ(log_->producers().producers().at(1).last_sequence(), 19)
      << "from the snapshot before, and the batches since";
}

TEST_F(LogLoading, epochs_that_the_file_lacks_come_from_the_batches) {
  open();
  append({.records = 1}, 3);
  append({.records = 1}, 5);
  disk_.crash(CrashMode::kill_process);
  auto directory = *disk_.directory()->subdirectory("topic-0", false);
  ASSERT_TRUE(directory->remove(LeaderEpochCache::file_name));
  open();
  EXPECT_EQ(log_->leader_epochs().entries(), (std::vector<EpochStart>{{3, 0}, {5, 1}}));
}

TEST_F(LogLoading, what_can_not_be_read_is_an_error) {
  fill();
  log_.reset();
  write_file(LeaderEpochCache::file_name, "7\n");
  auto log = try_open();
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().kind, runtime::ErrorKind::corrupt);
  ASSERT_TRUE(options_.directory->remove(LeaderEpochCache::file_name));
  for (const DiskCall call : {DiskCall::list, DiskCall::open, DiskCall::read, DiskCall::truncate}) {
    disk_.fail_all(EIO, call);
    auto failed = try_open();
    disk_.clear_failures();
    ASSERT_FALSE(failed) << static_cast<int>(call);
    EXPECT_EQ(failed.error().kind, runtime::ErrorKind::io);
  }
}

}  // namespace
}  // namespace dohle::log
