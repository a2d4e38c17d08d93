// The cases of Kafka's OffsetIndexTest.
#include "server/log/offset_index.h"

#include "server/log/index_fixture.h"

namespace dohle::log {
namespace {

class OffsetIndexTest : public IndexFixture {
 protected:
  OffsetIndex index_{file(), 45, 30 * 8};
};

TEST_F(OffsetIndexTest, lookup_gives_the_entry_at_or_below) {
  ASSERT_TRUE(index_.activate(INT64_MAX));
  EXPECT_EQ(*index_.lookup(92), (OffsetPosition{45, 0}));
  for (int i = 0; i < 30; ++i) EXPECT_TRUE(*index_.append(45 + i * 2 + 1, static_cast<std::uint32_t>(i * 10)));
  EXPECT_TRUE(index_.full());
  EXPECT_EQ(*index_.lookup(45), (OffsetPosition{45, 0})) << "below the first entry";
  EXPECT_EQ(*index_.lookup(46), (OffsetPosition{46, 0}));
  EXPECT_EQ(*index_.lookup(49), (OffsetPosition{48, 10}));
  EXPECT_EQ(*index_.lookup(1000), (OffsetPosition{104, 290}));
  EXPECT_EQ(*index_.first_at_or_after(10), (OffsetPosition{48, 10}));
  EXPECT_EQ(*index_.first_at_or_after(11), (OffsetPosition{50, 20}));
  EXPECT_EQ(*index_.first_at_or_after(291), std::nullopt);
}

TEST_F(OffsetIndexTest, offsets_grow) {
  ASSERT_TRUE(index_.activate(INT64_MAX));
  EXPECT_TRUE(*index_.append(51, 0));
  EXPECT_FALSE(*index_.append(51, 1));
  EXPECT_FALSE(*index_.append(50, 1));
  EXPECT_EQ(index_.entries().count(), 1U);
}

TEST_F(OffsetIndexTest, the_entries_are_kafkas) {
  ASSERT_TRUE(index_.activate(INT64_MAX));
  ASSERT_TRUE(*index_.append(45 + 0x01020304, 0x7fffffff));
  EXPECT_EQ(*directory_->read_file("index"), std::string("\x01\x02\x03\x04\x7f\xff\xff\xff"));
}

TEST_F(OffsetIndexTest, entries_at_and_above_the_end_go) {
  ASSERT_TRUE(index_.activate(INT64_MAX));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(index_.append(50 + i, static_cast<std::uint32_t>(i)));
  OffsetIndex cut(file(), 45, 30 * 8);
  ASSERT_TRUE(cut.activate(54));
  EXPECT_EQ(*cut.last(), (OffsetPosition{53, 3}));
  EXPECT_TRUE(*cut.append(54, 9));
}

TEST_F(OffsetIndexTest, sanity) {
  EXPECT_TRUE(index_.sanity_check(0));
  EXPECT_FALSE(index_.sanity_check(7));
  ASSERT_TRUE(index_.activate(INT64_MAX));
  EXPECT_TRUE(index_.can_append(45));
  EXPECT_FALSE(index_.can_append(44));
  EXPECT_TRUE(index_.can_append(45LL + INT32_MAX));
  EXPECT_FALSE(index_.can_append(46LL + INT32_MAX));
}

}  // namespace
}  // namespace dohle::log
