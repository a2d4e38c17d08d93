#include "server/log/disk_marks.h"

#include <gtest/gtest.h>

namespace dohle::log {
namespace {

constexpr std::uint64_t mib = 1 << 20;

TEST(DiskMarks, the_first_mark_is_one_per_cent_and_no_more_than_256_mib) {
  EXPECT_EQ(disk_marks(1000 * mib, {}), (DiskMarks{10 * mib, 5 * mib}));
  EXPECT_EQ(disk_marks(25'600 * mib, {}), (DiskMarks{256 * mib, 128 * mib}));
  EXPECT_EQ(disk_marks(1'000'000 * mib, {}), (DiskMarks{256 * mib, 128 * mib}));
}

TEST(DiskMarks, what_is_configured_holds_and_the_second_is_not_above_the_first) {
  EXPECT_EQ(disk_marks(1000 * mib, {{"disk.low.bytes", "5000"}}), (DiskMarks{5000, 2500}));
  EXPECT_EQ(disk_marks(1000 * mib, {{"disk.low.bytes", "5000"}, {"disk.critical.bytes", "100"}}),
            (DiskMarks{5000, 100}));
  EXPECT_EQ(disk_marks(1000 * mib, {{"disk.low.bytes", "0"}, {"disk.critical.bytes", "100"}}), (DiskMarks{0, 0}));
  EXPECT_EQ(disk_marks(1000 * mib, {{"disk.low.bytes", "many"}}), (DiskMarks{10 * mib, 5 * mib}));
}

TEST(SpaceGauge, looks_once_a_second) {
  SpaceGauge gauge("/");
  EXPECT_EQ(gauge.level(0, {{"disk.low.bytes", "0"}}), SpaceLevel::enough);
  const config::ConfigMap everything{{"disk.low.bytes", "9000000000000000000"}};
  EXPECT_EQ(gauge.level(999, everything), SpaceLevel::enough);
  EXPECT_EQ(gauge.level(1000, everything), SpaceLevel::critical);
  EXPECT_EQ(SpaceGauge("/no/such/path").level(0, everything), SpaceLevel::enough) << "nobody can tell";
}

TEST(DiskMarks, levels_are_reached_at_the_mark_and_left_an_eighth_above_it) {
  const auto level = [](std::uint64_t free_bytes, SpaceLevel before) {
    return space_level({.total_bytes = 80'000, .free_bytes = free_bytes}, {800, 400}, before);
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
