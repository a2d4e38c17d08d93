#include "server/runtime/clock.h"

#include <gtest/gtest.h>

#include <ctime>

namespace dohle::runtime {
namespace {

TEST(Clock, wall_time_counts_milliseconds_since_1970) {
  std::int64_t before_ms = static_cast<std::int64_t>(std::time(nullptr)) * 1000;
  std::int64_t now_ms = system_clock().wall_ms();
  EXPECT_GE(now_ms, before_ms - 1);
  EXPECT_LT(now_ms, before_ms + 60'000);
}

TEST(Clock, monotonic_time_moves_with_time_that_passes) {
  std::int64_t before_ms = system_clock().monotonic_ms();
  timespec pause{0, 20'000'000};
  nanosleep(&pause, nullptr);
  EXPECT_GE(system_clock().monotonic_ms() - before_ms, 19);
}

}  // namespace
}  // namespace dohle::runtime
