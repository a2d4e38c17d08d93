#include "server/testing/fake_clock.h"

#include <gtest/gtest.h>

namespace dohle::testing {
namespace {

TEST(FakeClock, moves_only_when_told) {
  FakeClock clock(5000);
  std::int64_t start_ms = clock.monotonic_ms();
  clock.advance_ms(30);
  EXPECT_EQ(clock.wall_ms(), 5030);
  EXPECT_EQ(clock.monotonic_ms(), start_ms + 30);
  clock.set_wall_ms(1);
  EXPECT_EQ(clock.wall_ms(), 1);
  EXPECT_EQ(clock.monotonic_ms(), start_ms + 30);
}

}  // namespace
}  // namespace dohle::testing
