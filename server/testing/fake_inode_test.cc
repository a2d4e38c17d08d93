#include "server/testing/fake_inode.h"

#include <gtest/gtest.h>

#include <set>

namespace dohle::testing {
namespace {

std::string text(const FakeInode& inode) {
  std::string content(inode.size_bytes(), '?');
  inode.read({reinterpret_cast<std::uint8_t*>(content.data()), content.size()}, 0);
  return content;
}

TEST(FakeInode, a_crash_gives_back_what_was_synced) {
  FakeInode file(false);
  file.write(codec::as_bytes("hello"), 0);
  file.sync_content();
  file.write(codec::as_bytes("J"), 0);
  file.write(codec::as_bytes(" world"), 5);
  EXPECT_EQ(text(file), "Jello world");
  file.crash(nullptr);
  EXPECT_EQ(text(file), "hello");
}

TEST(FakeInode, a_truncation_that_was_not_synced_is_undone_and_one_that_was_holds) {
  FakeInode file(false);
  file.write(codec::as_bytes("hello"), 0);
  file.sync_content();
  file.truncate(1);
  file.crash(nullptr);
  EXPECT_EQ(text(file), "hello");
  file.truncate(1);
  file.sync_content();
  file.write(codec::as_bytes("ip"), 1);
  file.crash(nullptr);
  EXPECT_EQ(text(file), "h");
}

TEST(FakeInode, bytes_between_truncate_and_rewrite_are_synced_too) {
  FakeInode file(false);
  file.write(codec::as_bytes("abcdef"), 0);
  file.sync_content();
  file.truncate(2);
  file.write(codec::as_bytes("z"), 5);
  file.sync_content();
  file.crash(nullptr);
  EXPECT_EQ(text(file), std::string("ab\0\0\0z", 6));
}

TEST(FakeInode, after_a_failed_sync_the_next_one_does_not_save_the_data) {
  FakeInode file(false);
  file.write(codec::as_bytes("hello"), 0);
  file.fail_sync();
  file.sync_content();
  file.crash(nullptr);
  EXPECT_EQ(text(file), "");
}

TEST(FakeInode, a_random_crash_keeps_the_synced_part_and_tears_the_rest_in_many_ways) {
  std::mt19937_64 random(7);
  std::set<std::string> outcomes;
  for (int turn = 0; turn < 200; ++turn) {
    FakeInode file(false);
    file.write(codec::as_bytes(std::string(5000, 's')), 0);
    file.sync_content();
    file.write(codec::as_bytes(std::string(10'000, 'n')), 5000);
    file.crash(&random);
    std::string left = text(file);
    ASSERT_GE(left.size(), 5000u);
    ASSERT_LE(left.size(), 15'000u);
    ASSERT_EQ(left.substr(0, 5000), std::string(5000, 's'));
    outcomes.insert(left);
  }
  EXPECT_GT(outcomes.size(), 20u);
}

TEST(FakeInode, a_random_crash_keeps_a_beginning_of_a_directorys_changes) {
  std::mt19937_64 random(7);
  std::set<std::size_t> outcomes;
  for (int turn = 0; turn < 100; ++turn) {
    FakeInode directory(true);
    for (const char* name : {"a", "b", "c"}) directory.link(name, std::make_shared<FakeInode>(false));
    directory.crash(&random);
    outcomes.insert(directory.entries().size());
    std::size_t left = directory.entries().size();
    EXPECT_EQ(directory.find("a") != nullptr, left >= 1);
    EXPECT_EQ(directory.find("b") != nullptr, left >= 2);
    EXPECT_EQ(directory.find("c") != nullptr, left >= 3);
  }
  EXPECT_EQ(outcomes, (std::set<std::size_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace dohle::testing
