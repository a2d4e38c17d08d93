#include "server/log/disk_marks.h"

#include <gtest/gtest.h>

namespace dohle::log {
namespace {

constexpr std::uint64_t mib = 1 << 20;

TEST(DiskMarks, the_first_mark_is_one_per_cent_and_no_more_than_256_mib) {
  EXPECT_EQ(first_mark_bytes(1000 * mib), 10 * mib);
  EXPECT_EQ(first_mark_bytes(25'600 * mib), 256 * mib);
  EXPECT_EQ(first_mark_bytes(1'000'000 * mib), 256 * mib);
}

TEST(DiskMarks, levels_are_reached_at_the_mark_and_left_an_eighth_above_it) {
  const auto level = [](std::uint64_t free_bytes, SpaceLevel before) {
    return space_level({.total_bytes = 80'000, .free_bytes = free_bytes}, before);  // marks at 800 and 400
  };
  EXPECT_EQ(level(800, SpaceLevel::enough), SpaceLevel::enough);
  EXPECT_EQ(level(799, SpaceLevel::enough), SpaceLevel::low);
  EXPECT_EQ(level(899, SpaceLevel::low), SpaceLevel::low);
  EXPECT_EQ(level(900, SpaceLevel::low), SpaceLevel::enough);
  EXPECT_EQ(level(399, SpaceLevel::enough), SpaceLevel::critical);
  EXPECT_EQ(level(449, SpaceLevel::critical), SpaceLevel::critical);
  EXPECT_EQ(level(450, SpaceLevel::critical), SpaceLevel::low);
  EXPECT_EQ(level(900, SpaceLevel::critical), SpaceLevel::enough);
}

}  // namespace
}  // namespace dohle::log
