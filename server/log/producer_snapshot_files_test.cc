#include "server/log/producer_snapshot_files.h"

#include <gtest/gtest.h>

#include "server/testing/fake_disk.h"

namespace dohle::log {
namespace {

class ProducerSnapshotFilesTest : public ::testing::Test {
 protected:
  void take(std::int64_t offset) {
    state_.set_end_offset(offset);
    ASSERT_TRUE(files_.take(state_, true));
  }
  ProducerSnapshotFiles listed() { return {directory_, *directory_->list()}; }

  dohle::testing::FakeDisk disk_;
  std::shared_ptr<runtime::Directory> directory_ = disk_.directory();
  ProducerSnapshotFiles files_{directory_, {}};
  ProducerState state_;
};

TEST(OffsetOfFileName, is_the_number_before_the_first_dot) {
  EXPECT_EQ(offset_of_file_name("00000000000000000120.snapshot"), 120);
  EXPECT_EQ(offset_of_file_name("00000000000000000007.log.swap"), 7);
  EXPECT_FALSE(offset_of_file_name("leader-epoch-checkpoint"));
  EXPECT_FALSE(offset_of_file_name("partition.metadata"));
  EXPECT_FALSE(offset_of_file_name("00000000000000000074-0000000001.checkpoint"));
  EXPECT_FALSE(offset_of_file_name("123"));
}

TEST_F(ProducerSnapshotFilesTest, one_is_taken_when_the_state_has_moved) {
  EXPECT_EQ(*files_.take(state_, true), std::nullopt);
  state_.set_end_offset(5);
  EXPECT_EQ(*files_.take(state_, true), "00000000000000000005.snapshot");
  EXPECT_EQ(*files_.take(state_, true), std::nullopt);
  EXPECT_EQ(listed().latest(), 5);
}

TEST_F(ProducerSnapshotFilesTest, reload_takes_the_latest_good_one_and_removes_those_outside) {
  take(5);
  state_.load({[] {
                ProducerEntry entry;
                entry.producer_id = 3;
                entry.add_batch(0, {0, 6, 0, 1});
                return entry;
              }()},
              1);
  take(7);
  take(9);
  auto file = directory_->open("00000000000000000009.snapshot", {});
  ASSERT_TRUE((*file)->truncate(3));
  take(12);
  ProducerState state;
  ASSERT_TRUE(files_.reload(state, 5, 10, 1));
  EXPECT_EQ(state.end_offset(), 7);
  EXPECT_TRUE(state.producers().contains(3));
  EXPECT_EQ(listed().offsets(), (std::set<std::int64_t>{7}));
}

TEST_F(ProducerSnapshotFilesTest, strays_go_but_for_the_one_above_all_segments) {
  for (const std::int64_t offset : {2, 4, 6, 8, 9}) take(offset);
  ASSERT_TRUE(files_.remove_strays({0, 4}));
  EXPECT_EQ(listed().offsets(), (std::set<std::int64_t>{4, 9}));
  ASSERT_TRUE(files_.remove_strays({0, 20}));
  EXPECT_EQ(listed().offsets(), (std::set<std::int64_t>{}));
}

TEST_F(ProducerSnapshotFilesTest, a_deleted_one_keeps_its_file_for_a_while) {
  take(5);
  EXPECT_EQ(*files_.mark_deleted(5), "00000000000000000005.snapshot.deleted");
  EXPECT_EQ(*files_.mark_deleted(5), std::nullopt);
  EXPECT_TRUE(*directory_->exists("00000000000000000005.snapshot.deleted"));
  EXPECT_FALSE(listed().latest());
}

TEST_F(ProducerSnapshotFilesTest, a_disk_that_fails_is_told) {
  state_.set_end_offset(5);
  disk_.fail_all(ENOSPC, dohle::testing::DiskCall::write);
  const auto taken = files_.take(state_, true);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().kind, runtime::ErrorKind::no_space);
}

}  // namespace
}  // namespace dohle::log
