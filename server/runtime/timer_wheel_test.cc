#include "server/runtime/timer_wheel.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

namespace dohle::runtime {
namespace {

TEST(TimerWheel, a_timer_fires_at_its_deadline_and_not_before) {
  TimerWheel wheel(1000);
  int fired = 0;
  Timer timer([&] { ++fired; });
  wheel.arm(timer, 1055);
  EXPECT_EQ(wheel.next_ms(), 1060);
  wheel.advance(1054);
  EXPECT_EQ(fired, 0);
  EXPECT_TRUE(timer.armed());
  wheel.advance(1060);
  EXPECT_EQ(fired, 1);
  EXPECT_FALSE(timer.armed());
  wheel.advance(5000);
  EXPECT_EQ(fired, 1);
}

TEST(TimerWheel, an_empty_wheel_needs_no_advance) {
  TimerWheel wheel(0);
  EXPECT_EQ(wheel.next_ms(), TimerWheel::never_ms);
  Timer timer([] {});
  wheel.arm(timer, 600'000);
  // Far away: the next look is when it moves down a wheel, not in ten milliseconds.
  EXPECT_GT(wheel.next_ms(), 400'000);
  EXPECT_LE(wheel.next_ms(), 600'000);
}

TEST(TimerWheel, a_cancelled_or_destroyed_timer_does_not_fire) {
  TimerWheel wheel(0);
  int fired = 0;
  Timer cancelled([&] { ++fired; });
  auto destroyed = std::make_unique<Timer>([&] { ++fired; });
  wheel.arm(cancelled, 50);
  wheel.arm(*destroyed, 50);
  cancelled.cancel();
  cancelled.cancel();
  destroyed.reset();
  wheel.advance(1000);
  EXPECT_EQ(fired, 0);
}

TEST(TimerWheel, arming_again_moves_the_deadline) {
  TimerWheel wheel(0);
  int fired = 0;
  Timer timer([&] { ++fired; });
  wheel.arm(timer, 50);
  wheel.arm(timer, 5000);
  wheel.advance(4990);
  EXPECT_EQ(fired, 0);
  wheel.advance(5000);
  EXPECT_EQ(fired, 1);
}

TEST(TimerWheel, a_deadline_in_the_past_fires_at_the_next_tick) {
  TimerWheel wheel(1000);
  int fired = 0;
  Timer timer([&] { ++fired; });
  wheel.arm(timer, 3);
  wheel.advance(1010);
  EXPECT_EQ(fired, 1);
}

TEST(TimerWheel, a_callback_may_arm_cancel_and_destroy_timers_of_the_same_tick) {
  TimerWheel wheel(0);
  int again = 0;
  int never = 0;
  Timer victim([&] { ++never; });
  auto doomed = std::make_unique<Timer>([&] { ++never; });
  std::unique_ptr<Timer> self;
  self = std::make_unique<Timer>([&] {
    victim.cancel();
    doomed.reset();
    self.reset();
  });
  Timer repeating([&] {
    if (++again < 3) wheel.arm(repeating, again * 10 + 50);
  });
  wheel.arm(*self, 50);
  wheel.arm(victim, 50);
  wheel.arm(*doomed, 50);
  wheel.arm(repeating, 50);
  wheel.advance(2000);
  EXPECT_EQ(never, 0);
  EXPECT_EQ(again, 3);
}

TEST(TimerWheel, a_deadline_beyond_the_last_wheel_is_kept) {
  TimerWheel wheel(0);
  std::int64_t week_ms = std::int64_t{7} * 24 * 3600 * 1000;
  int fired = 0;
  Timer timer([&] { ++fired; });
  wheel.arm(timer, week_ms);
  int advances = 0;
  while (wheel.next_ms() < week_ms) {
    wheel.advance(wheel.next_ms());
    ++advances;
    ASSERT_EQ(fired, 0);
  }
  wheel.advance(week_ms);
  EXPECT_EQ(fired, 1);
  EXPECT_LT(advances, 1000);
}

TEST(TimerWheel, random_timers_all_fire_within_one_tick_of_their_deadline) {
  std::mt19937_64 random(11);
  std::int64_t now_ms = 123'456;
  TimerWheel wheel(now_ms);
  struct Entry {
    std::unique_ptr<Timer> timer;
    std::int64_t deadline_ms;
    bool fired = false;
  };
  std::vector<Entry> entries(2000);
  int left = 0;
  for (Entry& entry : entries) {
    int magnitude = static_cast<int>(random() % 27);
    entry.deadline_ms = now_ms + static_cast<std::int64_t>(random() % (std::uint64_t{1} << magnitude));
    entry.timer = std::make_unique<Timer>([&entry, &now_ms, &left] {
      entry.fired = true;
      --left;
      EXPECT_GE(now_ms, entry.deadline_ms);
    });
    wheel.arm(*entry.timer, entry.deadline_ms);
    ++left;
  }
  while (left > 0) {
    std::int64_t next_ms = wheel.next_ms();
    ASSERT_NE(next_ms, TimerWheel::never_ms);
    now_ms = std::max(now_ms, next_ms);
    wheel.advance(now_ms);
    for (const Entry& entry : entries) {
      ASSERT_TRUE(entry.fired || entry.deadline_ms + 2 * TimerWheel::tick_ms > now_ms);
    }
  }
  EXPECT_EQ(wheel.next_ms(), TimerWheel::never_ms);
}

}  // namespace
}  // namespace dohle::runtime
