#include "server/testing/fake_disk.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace dohle::testing {
namespace {

using codec::as_bytes;
using runtime::ErrorKind;

TEST(FakeDisk, a_crash_loses_files_whose_directory_was_not_synced) {
  FakeDisk disk;
  auto directory = disk.directory();
  auto file = directory->open("a", {.create = true}).value();
  ASSERT_TRUE(file->write_at(as_bytes("hello"), 0));
  ASSERT_TRUE(file->sync());
  disk.crash();
  EXPECT_FALSE(disk.directory()->exists("a").value());
}

TEST(FakeDisk, a_crash_keeps_what_was_synced_and_kills_open_handles) {
  FakeDisk disk;
  auto directory = disk.directory();
  auto file = directory->open("a", {.create = true}).value();
  ASSERT_TRUE(file->write_at(as_bytes("hello"), 0));
  ASSERT_TRUE(file->sync());
  ASSERT_TRUE(directory->sync());
  ASSERT_TRUE(file->write_at(as_bytes("lost"), 5));
  disk.crash();
  EXPECT_EQ(file->sync().error().kind, ErrorKind::closed);
  EXPECT_EQ(file->size().error().kind, ErrorKind::closed);
  EXPECT_EQ(directory->list().error().kind, ErrorKind::closed);
  EXPECT_EQ(disk.directory()->read_file("a").value(), "hello");
}

TEST(FakeDisk, a_killed_process_loses_nothing_that_it_wrote) {
  FakeDisk disk;
  auto file = disk.directory()->open("a", {.create = true}).value();
  ASSERT_TRUE(file->write_at(as_bytes("hello"), 0));
  disk.crash(CrashMode::kill_process);
  EXPECT_FALSE(file->write_at(as_bytes("x"), 0));
  EXPECT_EQ(disk.directory()->read_file("a").value(), "hello");
}

TEST(FakeDisk, renames_and_removals_are_undone_unless_the_directory_was_synced) {
  FakeDisk disk;
  ASSERT_TRUE(disk.directory()->replace_file("a", "1"));
  ASSERT_TRUE(disk.directory()->rename("a", "b"));
  disk.crash();
  EXPECT_EQ(disk.directory()->read_file("a").value(), "1");
  ASSERT_TRUE(disk.directory()->remove("a"));
  disk.crash();
  EXPECT_EQ(disk.directory()->read_file("a").value(), "1");
  ASSERT_TRUE(disk.directory()->remove("a"));
  ASSERT_TRUE(disk.directory()->sync());
  disk.crash();
  EXPECT_FALSE(disk.directory()->exists("a").value());
}

TEST(FakeDisk, replacing_a_file_leaves_the_old_or_the_new_content_wherever_power_fails) {
  for (std::uint64_t nth = 1;; ++nth) {
    FakeDisk disk(nth);
    ASSERT_TRUE(disk.directory()->replace_file("a", "old"));
    disk.fail_call(nth, EIO, std::nullopt);
    bool replaced = disk.directory()->replace_file("a", "newer").has_value();
    disk.crash(CrashMode::lose_some);
    std::string left = disk.directory()->read_file("a").value();
    if (replaced) {
      EXPECT_EQ(left, "newer");
      EXPECT_GT(nth, 5u);
      break;
    }
    EXPECT_TRUE(left == "old" || left == "newer") << left;
  }
}

TEST(FakeDisk, the_chosen_call_fails_once_with_the_chosen_error) {
  FakeDisk disk;
  auto file = disk.directory()->open("a", {.create = true}).value();
  disk.fail_call(2, EIO, DiskCall::write, 2);
  ASSERT_TRUE(file->write_at(as_bytes("ab"), 0));
  ASSERT_TRUE(file->size());
  auto failed = file->write_at(as_bytes("cdef"), 2);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().system_error, EIO);
  EXPECT_EQ(disk.directory()->read_file("a").value(), "abcd");
  ASSERT_TRUE(file->write_at(as_bytes("cdef"), 2));
  EXPECT_EQ(disk.calls(DiskCall::write), 3u);
}

TEST(FakeDisk, every_kind_of_call_can_fail_until_told_otherwise) {
  FakeDisk disk;
  auto directory = disk.directory();
  auto file = directory->open("a", {.create = true}).value();
  disk.fail_all(EIO);
  std::uint8_t byte = 0;
  EXPECT_FALSE(file->read_at({&byte, 1}, 0));
  EXPECT_FALSE(file->write_at(as_bytes("x"), 0));
  EXPECT_FALSE(file->truncate(0));
  EXPECT_FALSE(file->size());
  EXPECT_FALSE(file->sync());
  EXPECT_FALSE(file->reserve(10));
  EXPECT_FALSE(directory->open("a", {}));
  EXPECT_FALSE(directory->list());
  EXPECT_FALSE(directory->exists("a"));
  EXPECT_FALSE(directory->rename("a", "b"));
  EXPECT_FALSE(directory->remove("a"));
  EXPECT_FALSE(directory->subdirectory("d", true));
  EXPECT_FALSE(directory->sync());
  EXPECT_FALSE(directory->replace_file("b", ""));
  EXPECT_FALSE(directory->remove_tree("d"));
  std::uint64_t before = disk.calls();
  disk.clear_failures();
  EXPECT_TRUE(file->write_at(as_bytes("x"), 0));
  EXPECT_EQ(disk.calls(), before + 1);
}

TEST(FakeDisk, a_full_disk_takes_what_fits_and_says_no_space) {
  FakeDisk disk;
  auto file = disk.directory()->open("a", {.create = true}).value();
  disk.set_capacity(6);
  ASSERT_TRUE(file->write_at(as_bytes("abcd"), 0));
  auto full = file->write_at(as_bytes("efgh"), 4);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().kind, ErrorKind::no_space);
  EXPECT_EQ(disk.used_bytes(), 6u);
  EXPECT_TRUE(file->write_at(as_bytes("ABCD"), 0));
  EXPECT_EQ(file->reserve(100).error().kind, ErrorKind::no_space);
  ASSERT_TRUE(file->truncate(0));
  EXPECT_TRUE(file->write_at(as_bytes("efgh"), 0));
}

TEST(FakeDisk, a_slow_call_takes_its_time_and_holds_up_no_other) {
  FakeDisk disk;
  auto file = *disk.directory()->open("file", {.create = true});
  disk.slow_down(DiskCall::sync, std::chrono::milliseconds(300));
  const auto began = std::chrono::steady_clock::now();
  std::thread syncing([&] { EXPECT_TRUE(file->sync()); });
  EXPECT_TRUE(file->size());
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(250));
  syncing.join();
  EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(300));
}

}  // namespace
}  // namespace dohle::testing
