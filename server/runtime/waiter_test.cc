#include "server/runtime/waiter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <future>
#include <mutex>
#include <thread>

#include "server/runtime/reactor.h"

namespace dohle::runtime {
namespace {

class WaiterTest : public ::testing::Test {
 protected:
  void SetUp() override { pool_.start(); }
  void TearDown() override { pool_.stop(); }

  ReactorPool pool_{2};
};

struct Parked {
  std::promise<std::shared_ptr<Waiter>> waiter;
  std::promise<WakeReason> reason;
};

Awaitable<void> park(Parked& parked, std::int64_t in_ms, StopSignal* stop) {
  auto waiter = Waiter::create();
  parked.waiter.set_value(waiter);
  std::int64_t deadline_ms = in_ms == Waiter::no_deadline_ms ? in_ms : Reactor::current()->now_ms() + in_ms;
  WakeReason reason = co_await waiter->wait(deadline_ms, stop);
  parked.reason.set_value(reason);
}

TEST_F(WaiterTest, is_woken_from_another_thread) {
  Parked parked;
  pool_.at(0).spawn(park(parked, Waiter::no_deadline_ms, nullptr));
  auto waiter = parked.waiter.get_future().get();
  waiter->wake();
  waiter->wake();
  EXPECT_EQ(parked.reason.get_future().get(), WakeReason::woken);
  waiter->wake();  // nobody waits any more
}

TEST_F(WaiterTest, meets_its_deadline) {
  Parked parked;
  auto start = std::chrono::steady_clock::now();
  pool_.at(0).spawn(park(parked, 30, nullptr));
  EXPECT_EQ(parked.reason.get_future().get(), WakeReason::deadline);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(29));
}

TEST_F(WaiterTest, a_deadline_that_has_passed_does_not_park) {
  Parked parked;
  pool_.at(0).spawn(park(parked, -5, nullptr));
  EXPECT_EQ(parked.reason.get_future().get(), WakeReason::deadline);
}

TEST_F(WaiterTest, the_stop_signal_of_a_connection_cancels_it) {
  Parked parked;
  StopSignal closing;
  pool_.at(0).spawn(park(parked, Waiter::no_deadline_ms, &closing));
  parked.waiter.get_future().get();
  pool_.at(0).post([&] { closing.request(); });
  EXPECT_EQ(parked.reason.get_future().get(), WakeReason::cancelled);
  Parked late;
  pool_.at(0).spawn(park(late, Waiter::no_deadline_ms, &closing));
  EXPECT_EQ(late.reason.get_future().get(), WakeReason::cancelled);
}

Awaitable<void> wake_before_wait(std::promise<std::vector<WakeReason>>& seen) {
  auto waiter = Waiter::create();
  waiter->wake();
  std::vector<WakeReason> reasons;
  std::int64_t far_ms = Reactor::current()->now_ms() + 30;
  reasons.push_back(co_await waiter->wait(far_ms));
  reasons.push_back(co_await waiter->wait(far_ms));
  seen.set_value(reasons);
}

TEST_F(WaiterTest, a_wake_before_the_wait_counts_once) {
  std::promise<std::vector<WakeReason>> seen;
  pool_.at(0).spawn(wake_before_wait(seen));
  EXPECT_EQ(seen.get_future().get(), (std::vector<WakeReason>{WakeReason::woken, WakeReason::deadline}));
}

Awaitable<void> wake_same_thread(std::shared_ptr<Waiter> waiter, std::atomic<bool>& in_call, std::atomic<bool>& ended) {
  in_call = true;
  waiter->wake();
  EXPECT_FALSE(ended);
  in_call = false;
  co_return;
}

Awaitable<void> park_and_look(std::promise<std::shared_ptr<Waiter>>& given, std::atomic<bool>& in_call,
                              std::atomic<bool>& ended, std::promise<void>& done) {
  auto waiter = Waiter::create();
  given.set_value(waiter);
  WakeReason reason = co_await waiter->wait(Waiter::no_deadline_ms);
  EXPECT_EQ(reason, WakeReason::woken);
  EXPECT_FALSE(in_call);
  ended = true;
  done.set_value();
}

TEST_F(WaiterTest, a_wake_on_the_same_thread_does_not_run_the_coroutine_inside_the_call) {
  std::promise<std::shared_ptr<Waiter>> given;
  std::promise<void> done;
  std::atomic<bool> in_call{false};
  std::atomic<bool> ended{false};
  pool_.at(0).spawn(park_and_look(given, in_call, ended, done));
  auto waiter = given.get_future().get();
  pool_.at(0).spawn(wake_same_thread(waiter, in_call, ended));
  done.get_future().get();
}

/// A queue as a partition is one for its readers: wake all who are registered, under the lock.
struct Feed {
  std::mutex mutex;
  int end = 0;
  std::shared_ptr<Waiter> waiting;

  void append() {
    std::lock_guard lock(mutex);
    ++end;
    if (waiting) waiting->wake();
  }
  int read() {
    std::lock_guard lock(mutex);
    return end;
  }
  void add(std::shared_ptr<Waiter> waiter) {
    std::lock_guard lock(mutex);
    waiting = std::move(waiter);
  }
};

Awaitable<void> follow(Feed& feed, int target, std::promise<int>& missed) {
  int deadlines = 0;
  int seen = 0;
  while (seen < target) {
    auto waiter = Waiter::create();
    feed.add(waiter);
    int now = feed.read();
    while (now == seen) {
      std::int64_t deadline_ms = Reactor::current()->now_ms() + 5000;
      WakeReason reason = co_await waiter->wait(deadline_ms);
      if (reason == WakeReason::deadline) ++deadlines;
      now = feed.read();
    }
    seen = now;
  }
  missed.set_value(deadlines);
}

TEST_F(WaiterTest, register_then_look_again_misses_no_append) {
  Feed feed;
  std::promise<int> missed;
  constexpr int appends = 20'000;
  pool_.at(0).spawn(follow(feed, appends, missed));
  std::thread writer([&] {
    for (int i = 0; i < appends; ++i) feed.append();
  });
  EXPECT_EQ(missed.get_future().get(), 0);
  writer.join();
}

}  // namespace
}  // namespace dohle::runtime
