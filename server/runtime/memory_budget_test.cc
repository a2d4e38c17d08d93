#include "server/runtime/memory_budget.h"

#include <gtest/gtest.h>

#include <boost/asio/awaitable.hpp>
#include <future>

#include "server/runtime/reactor.h"
#include "server/runtime/waiter.h"

namespace dohle::runtime {
namespace {

constexpr MemoryBudget::Limits limits{.total_bytes = 1000, .reserve_bytes = 100, .small_frame_bytes = 50};

TEST(MemoryBudget, counts_what_shares_hold_and_gets_it_back) {
  MemoryBudget budget(limits);
  {
    MemoryBudget::Share share(budget, 500);
    EXPECT_TRUE(share.grow(200, nullptr));
    EXPECT_TRUE(share.grow(300, nullptr));
    EXPECT_EQ(budget.held_bytes(), 500u);
    share.give_back();
    EXPECT_EQ(budget.held_bytes(), 0u);
    EXPECT_TRUE(share.grow(10, nullptr));
  }
  EXPECT_EQ(budget.held_bytes(), 0u);
}

TEST(MemoryBudget, one_large_frame_is_always_admitted_and_the_second_waits) {
  MemoryBudget budget(limits);
  MemoryBudget::Share full(budget, 1000);
  ASSERT_TRUE(full.grow(1000, nullptr));
  MemoryBudget::Share first(budget, 5000);
  MemoryBudget::Share second(budget, 5000);
  EXPECT_TRUE(first.grow(100, nullptr));
  EXPECT_TRUE(first.grow(4900, nullptr));
  EXPECT_FALSE(second.grow(100, nullptr));
  EXPECT_TRUE(budget.under_pressure());
  second.stop_waiting();
  EXPECT_FALSE(budget.under_pressure());
  EXPECT_FALSE(second.grow(100, nullptr));
  first.give_back();
  EXPECT_TRUE(second.grow(100, nullptr));
  EXPECT_FALSE(budget.under_pressure());
}

TEST(MemoryBudget, small_frames_have_a_reserve_that_large_ones_cannot_take) {
  MemoryBudget budget(limits);
  MemoryBudget::Share exempt(budget, 5000);
  MemoryBudget::Share full(budget, 900);
  ASSERT_TRUE(full.grow(990, nullptr));
  ASSERT_TRUE(exempt.grow(20, nullptr));
  MemoryBudget::Share large(budget, 51);
  EXPECT_FALSE(large.grow(1, nullptr));
  MemoryBudget::Share small(budget, 50);
  EXPECT_TRUE(small.grow(50, nullptr));
  MemoryBudget::Share another(budget, 50);
  EXPECT_FALSE(another.grow(50, nullptr));
}

TEST(MemoryBudget, without_a_limit_everything_fits) {
  MemoryBudget budget({});
  MemoryBudget::Share share(budget, 10);
  MemoryBudget::Share large(budget, 100 << 20);
  EXPECT_TRUE(share.grow(10, nullptr));
  EXPECT_TRUE(large.grow(100 << 20, nullptr));
}

TEST(MemoryBudget, a_share_that_waits_may_be_destroyed) {
  MemoryBudget budget(limits);
  MemoryBudget::Share exempt(budget, 5000);
  ASSERT_TRUE(exempt.grow(5000, nullptr));
  {
    MemoryBudget::Share waits(budget, 5000);
    EXPECT_FALSE(waits.grow(1, nullptr));
  }
  EXPECT_FALSE(budget.under_pressure());
}

Awaitable<void> take(MemoryBudget& budget, std::promise<void>& refused, std::promise<WakeReason>& admitted) {
  MemoryBudget::Share share(budget, 5000);
  auto waiter = Waiter::create();
  EXPECT_FALSE(share.grow(100, waiter));
  refused.set_value();
  WakeReason reason = WakeReason::deadline;
  while (!share.grow(100, waiter)) reason = co_await waiter->wait(Waiter::no_deadline_ms);
  admitted.set_value(reason);
}

TEST(MemoryBudget, who_waits_is_woken_when_memory_comes_back) {
  MemoryBudget budget(limits);
  auto exempt = std::make_unique<MemoryBudget::Share>(budget, 5000);
  ASSERT_TRUE(exempt->grow(5000, nullptr));
  ReactorPool reactors(1);
  reactors.start();
  std::promise<void> refused;
  std::promise<WakeReason> admitted;
  reactors.at(0).spawn(take(budget, refused, admitted));
  refused.get_future().get();
  exempt.reset();
  admitted.get_future().get();
  reactors.stop();
  EXPECT_EQ(budget.held_bytes(), 0u);
}

}  // namespace
}  // namespace dohle::runtime
