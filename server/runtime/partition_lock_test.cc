#include "server/runtime/partition_lock.h"

#include <gtest/gtest.h>

#include <thread>

namespace dohle::runtime {
namespace {

TEST(PartitionLock, one_at_a_time_also_when_the_wait_is_longer_than_the_spin) {
  PartitionLock lock;
  int counter = 0;
  lock.lock();
  std::thread other([&] {
    std::lock_guard held(lock);
    ++counter;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(counter, 0);
  bool taken = true;
  std::thread([&] { taken = lock.try_lock(); }).join();
  EXPECT_FALSE(taken);
  lock.unlock();
  other.join();
  EXPECT_EQ(counter, 1);
}

TEST(PartitionLock, no_increment_is_lost) {
  PartitionLock lock;
  int counter = 0;
  auto count = [&] {
    for (int i = 0; i < 50'000; ++i) {
      std::lock_guard held(lock);
      ++counter;
    }
  };
  std::thread one(count);
  std::thread two(count);
  one.join();
  two.join();
  EXPECT_EQ(counter, 100'000);
}

}  // namespace
}  // namespace dohle::runtime
