#include "server/log/index_entries.h"

#include "server/log/big_endian.h"
#include "server/log/index_fixture.h"

namespace dohle::log {
namespace {

constexpr std::size_t any_number = 1 << 20;

class IndexEntriesTest : public IndexFixture {
 protected:
  static std::int64_t key(const std::uint8_t* entry) { return load_big_endian<std::int64_t>(entry); }
  static runtime::Status append(IndexEntries& entries, std::int64_t number) {
    std::array<std::uint8_t, 8> entry;
    store_big_endian(entry.data(), number);
    return entries.append(entry);
  }
};

TEST_F(IndexEntriesTest, many_entries_are_found_in_memory_and_in_the_file) {
  IndexEntries active(file(), 8);
  ASSERT_TRUE(active.activate(any_number));
  constexpr std::int64_t count = 5000;
  for (std::int64_t i = 0; i < count; ++i) ASSERT_TRUE(append(active, i * 10));
  IndexEntries closed(file(), 8);
  closed.set_closed(count * 8);
  IndexEntries again(file(), 8);
  ASSERT_TRUE(again.activate(any_number));
  for (const IndexEntries* entries : {&active, &closed, &again}) {
    ASSERT_EQ(entries->count(), 5000U);
    EXPECT_EQ(*entries->find_last_not_above(-1, key), -1);
    for (const std::int64_t target : {0, 1, 9, 10, 4095, 4096, 31990, 49989, 49990, 60000}) {
      EXPECT_EQ(*entries->find_last_not_above(target, key), std::min(target / 10, count - 1)) << target;
    }
    EXPECT_EQ(key(entries->read(4321)->data()), 43210);
  }
}

TEST_F(IndexEntriesTest, what_is_past_the_limit_is_cut_off) {
  IndexEntries first(file(), 8);
  ASSERT_TRUE(first.activate(any_number));
  for (std::int64_t i = 0; i < 10; ++i) ASSERT_TRUE(append(first, i));
  IndexEntries second(file(), 8);
  ASSERT_TRUE(second.activate(6));
  EXPECT_EQ(second.count(), 6U);
  EXPECT_EQ(file_bytes(), 48U);
  ASSERT_TRUE(second.truncate(2));
  ASSERT_TRUE(append(second, 77));
  EXPECT_EQ(file_bytes(), 24U);
  EXPECT_EQ(key(second.read(2)->data()), 77);
}

TEST_F(IndexEntriesTest, an_entry_that_finds_no_room_leaves_whole_entries) {
  IndexEntries entries(file(), 8);
  ASSERT_TRUE(entries.activate(any_number));
  ASSERT_TRUE(append(entries, 1));
  disk_.set_capacity(disk_.used_bytes() + 3);
  const auto status = append(entries, 2);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, runtime::ErrorKind::no_space);
  EXPECT_EQ(entries.count(), 1U);
  EXPECT_EQ(file_bytes(), 8U);
  disk_.set_capacity(1 << 20);
  EXPECT_TRUE(append(entries, 2));
}

TEST_F(IndexEntriesTest, a_file_that_is_shorter_than_it_was_is_corrupt) {
  IndexEntries closed(file(), 8);
  closed.set_closed(16);
  EXPECT_FALSE(closed.read(0));
  ASSERT_TRUE(directory_->open("index", {.create = true}));
  EXPECT_EQ(closed.read(0).error().kind, runtime::ErrorKind::corrupt);
}

}  // namespace
}  // namespace dohle::log
