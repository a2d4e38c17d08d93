// The cases of Kafka's TimeIndexTest.
#include "server/log/time_index.h"

#include "server/log/index_fixture.h"

namespace dohle::log {
namespace {

class TimeIndexTest : public IndexFixture {
 protected:
  void SetUp() override { ASSERT_TRUE(index_.activate(INT64_MAX)); }
  TimeIndex index_{file(), 45, 30 * 12};
};

TEST_F(TimeIndexTest, lookup_gives_the_entry_at_or_below) {
  EXPECT_EQ(*index_.lookup(100), (TimestampOffset{-1, 45}));
  EXPECT_EQ(*index_.last(), (TimestampOffset{-1, 45}));
  for (int i = 0; i < 9; ++i) ASSERT_TRUE(index_.append((i + 1) * 10, 45 + i));
  EXPECT_EQ(*index_.lookup(9), (TimestampOffset{-1, 45}));
  EXPECT_EQ(*index_.lookup(25), (TimestampOffset{20, 46}));
  EXPECT_EQ(*index_.lookup(30), (TimestampOffset{30, 47}));
  EXPECT_EQ(*index_.last(), (TimestampOffset{90, 53}));
}

TEST_F(TimeIndexTest, only_a_timestamp_that_grows_is_noted) {
  ASSERT_TRUE(index_.append(10, 46));
  ASSERT_TRUE(index_.append(10, 47));
  ASSERT_TRUE(index_.append(9, 48));
  ASSERT_TRUE(index_.append(11, 45));
  EXPECT_EQ(index_.entries().count(), 1U);
}

TEST_F(TimeIndexTest, one_slot_stays_free) {
  for (int i = 0; i < 28; ++i) ASSERT_TRUE(index_.append(i, 45 + i));
  EXPECT_FALSE(index_.full());
  ASSERT_TRUE(index_.append(28, 73));
  EXPECT_TRUE(index_.full());
}

TEST_F(TimeIndexTest, the_entries_are_kafkas) {
  ASSERT_TRUE(index_.append(0x0102030405060708, 45 + 9));
  EXPECT_EQ(*directory_->read_file("index"), std::string("\x01\x02\x03\x04\x05\x06\x07\x08\0\0\0\x09", 12));
}

TEST_F(TimeIndexTest, entries_at_and_above_the_end_go) {
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(index_.append(i, 50 + i));
  TimeIndex cut(file(), 45, 30 * 12);
  ASSERT_TRUE(cut.activate(54));
  EXPECT_EQ(*cut.last(), (TimestampOffset{3, 53}));
}

TEST_F(TimeIndexTest, sanity) {
  ASSERT_TRUE(index_.append(10, 46));
  ASSERT_TRUE(index_.append(20, 47));
  EXPECT_TRUE(index_.sanity_check(24));
  EXPECT_FALSE(index_.sanity_check(25));
  auto file = directory_->open("index", {});
  ASSERT_TRUE((*file)->write_at(codec::Bytes(codec::Blob(12)), 12));
  TimeIndex zero_tail(this->file(), 45, 30 * 12);
  zero_tail.entries().set_closed(24);
  EXPECT_EQ(zero_tail.sanity_check(24).error().kind, runtime::ErrorKind::corrupt);
}

}  // namespace
}  // namespace dohle::log
