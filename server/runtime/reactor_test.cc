#include "server/runtime/reactor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <future>
#include <memory>
#include <thread>

#include "server/runtime/waiter.h"

namespace dohle::runtime {
namespace {

TEST(Reactor, posted_work_runs_on_the_reactors_own_thread) {
  ReactorPool pool(2);
  pool.start();
  EXPECT_EQ(Reactor::current(), nullptr);
  for (int index = 0; index < 2; ++index) {
    std::promise<Reactor*> seen;
    pool.at(index).post([&] { seen.set_value(Reactor::current()); });
    EXPECT_EQ(seen.get_future().get(), &pool.at(index));
  }
  pool.stop();
}

TEST(Reactor, work_posted_from_many_threads_runs_once_each_and_in_each_threads_order) {
  ReactorPool pool(1);
  pool.start();
  constexpr int each = 5000;
  std::vector<int> last(3, -1);
  std::atomic<int> done{0};
  std::vector<std::thread> threads;
  for (int who = 0; who < 3; ++who) {
    threads.emplace_back([&, who] {
      for (int number = 0; number < each; ++number) {
        pool.at(0).post([&, who, number] {
          EXPECT_EQ(last[static_cast<std::size_t>(who)], number - 1);
          last[static_cast<std::size_t>(who)] = number;
          ++done;
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  pool.stop();
  EXPECT_EQ(done, 3 * each);
}

TEST(Reactor, work_that_posts_is_not_run_inside_the_call) {
  ReactorPool pool(1);
  pool.start();
  std::promise<bool> inside;
  pool.at(0).post([&] {
    auto in_call = std::make_shared<bool>(true);
    pool.at(0).post([&inside, in_call] { inside.set_value(*in_call); });
    *in_call = false;
  });
  EXPECT_FALSE(inside.get_future().get());
  pool.stop();
}

TEST(Reactor, a_timer_fires_on_time_and_an_earlier_one_comes_first) {
  ReactorPool pool(1);
  pool.start();
  Reactor& reactor = pool.at(0);
  std::vector<int> order;
  std::promise<std::int64_t> late_ms;
  std::unique_ptr<Timer> first;
  std::unique_ptr<Timer> second;
  reactor.post([&] {
    std::int64_t deadline_ms = reactor.now_ms() + 60;
    second = std::make_unique<Timer>([&, deadline_ms] {
      order.push_back(2);
      late_ms.set_value(reactor.now_ms() - deadline_ms);
    });
    first = std::make_unique<Timer>([&] { order.push_back(1); });
    reactor.arm(*second, deadline_ms);
    reactor.arm(*first, deadline_ms - 40);
  });
  std::int64_t late = late_ms.get_future().get();
  EXPECT_GE(late, 0);
  EXPECT_LT(late, 1000);  // 10 on an idle machine
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  pool.stop();
}

Awaitable<void> park_until_stop(std::atomic<int>& state) {
  state = 1;
  auto waiter = Waiter::create();
  WakeReason reason = co_await waiter->wait(Waiter::no_deadline_ms);
  state = reason == WakeReason::cancelled ? 2 : 3;
}

TEST(Reactor, stop_cancels_what_waits_and_joins_it) {
  ReactorPool pool(2);
  pool.start();
  std::vector<std::atomic<int>> states(10);
  for (std::size_t i = 0; i < states.size(); ++i) pool.at(static_cast<int>(i % 2)).spawn(park_until_stop(states[i]));
  while (states.back() != 1 || states[8] != 1) std::this_thread::yield();
  pool.stop();
  for (auto& state : states) EXPECT_EQ(state, 2);
}

Awaitable<void> note(std::atomic<int>& count) {
  ++count;
  co_return;
}

TEST(Reactor, after_stop_nothing_is_run_and_nothing_leaks) {
  ReactorPool pool(1);
  pool.start();
  pool.stop();
  pool.stop();
  std::atomic<int> count{0};
  pool.at(0).spawn(note(count));
  pool.at(0).post([&] { ++count; });
  EXPECT_EQ(count, 0);
}

Awaitable<void> throw_something() {
  throw std::runtime_error("nobody caught me");
  co_return;
}

TEST(ReactorDeathTest, an_exception_that_leaves_a_coroutine_ends_the_process) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        ReactorPool pool(1);
        pool.start();
        pool.at(0).spawn(throw_something());
        std::this_thread::sleep_for(std::chrono::seconds(5));
      },
      "CHECK failed");
}

}  // namespace
}  // namespace dohle::runtime
