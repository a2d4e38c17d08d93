#include "server/runtime/disk_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <future>
#include <latch>

#include "server/runtime/reactor.h"

namespace dohle::runtime {
namespace {

TEST(DiskPool, does_what_is_queued_before_it_stops_and_nothing_after) {
  DiskPool pool("disk", {});
  std::atomic<int> done{0};
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(pool.submit(Lane::upkeep, [&] { ++done; }));
  pool.stop();
  EXPECT_EQ(done, 100);
  EXPECT_FALSE(pool.submit(Lane::upkeep, [&] { ++done; }));
  pool.stop();
  EXPECT_EQ(done, 100);
}

TEST(DiskPool, a_lane_never_waits_for_another) {
  DiskPool pool("disk", {});
  std::latch release(1);
  std::promise<void> synced;
  ASSERT_TRUE(pool.submit(Lane::upkeep, [&] { release.wait(); }));
  ASSERT_TRUE(pool.submit(Lane::fsync, [&] { synced.set_value(); }));
  synced.get_future().get();
  release.count_down();
}

TEST(DiskPool, a_lane_has_at_most_its_threads_and_its_queue) {
  DiskPool::Limits limits;
  limits.fsync = {.threads_max = 2, .queue_max = 3};
  DiskPool pool("disk", limits);
  std::latch release(1);
  std::latch both(2);
  std::atomic<int> running{0};
  auto work = [&] {
    ++running;
    both.count_down();
    release.wait();
  };
  auto quick = [&] { ++running; };
  ASSERT_TRUE(pool.submit(Lane::fsync, work));
  ASSERT_TRUE(pool.submit(Lane::fsync, work));
  both.wait();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(pool.submit(Lane::fsync, quick));
  EXPECT_FALSE(pool.submit(Lane::fsync, quick));
  EXPECT_EQ(running, 2);
  release.count_down();
  pool.stop();
  EXPECT_EQ(running, 5);
}

Awaitable<void> run_some(DiskPool& pool, int count, std::promise<int>& sum) {
  int total = 0;
  Reactor* home = Reactor::current();
  for (int i = 0; i < count; ++i) {
    int result = 0;
    bool on_reactor = true;
    auto work = [&] {
      result = i;
      on_reactor = Reactor::current() != nullptr;
    };
    bool ran = co_await pool.run(Lane::read, work);
    EXPECT_TRUE(ran);
    EXPECT_FALSE(on_reactor);
    EXPECT_EQ(Reactor::current(), home);
    total += result;
  }
  sum.set_value(total);
}

TEST(DiskPool, a_coroutine_comes_back_to_its_reactor_with_the_result) {
  DiskPool pool("disk", {});
  ReactorPool reactors(2);
  reactors.start();
  std::promise<int> one;
  std::promise<int> two;
  reactors.at(0).spawn(run_some(pool, 500, one));
  reactors.at(1).spawn(run_some(pool, 500, two));
  EXPECT_EQ(one.get_future().get(), 499 * 500 / 2);
  EXPECT_EQ(two.get_future().get(), 499 * 500 / 2);
  reactors.stop();
}

Awaitable<void> run_refused(DiskPool& pool, std::promise<bool>& answer) {
  bool touched = false;
  auto work = [&] { touched = true; };
  bool ran = co_await pool.run(Lane::read, work);
  answer.set_value(ran || touched);
}

TEST(DiskPool, a_coroutine_is_told_when_its_work_was_refused) {
  DiskPool pool("disk", {});
  pool.stop();
  ReactorPool reactors(1);
  reactors.start();
  std::promise<bool> answer;
  reactors.at(0).spawn(run_refused(pool, answer));
  EXPECT_FALSE(answer.get_future().get());
  reactors.stop();
}

TEST(DiskPool, reactors_stop_only_when_the_work_in_the_pool_has_ended) {
  DiskPool pool("disk", {});
  ReactorPool reactors(1);
  reactors.start();
  std::promise<int> sum;
  reactors.at(0).spawn(run_some(pool, 200, sum));
  std::promise<void> started;
  reactors.at(0).post([&] { started.set_value(); });
  started.get_future().get();
  reactors.stop();
  EXPECT_EQ(sum.get_future().get(), 199 * 200 / 2);
}

}  // namespace
}  // namespace dohle::runtime
