// Counts what is under way, so that somebody can wait until nothing is: connections at stop, pieces of work on several
// threads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace dohle::runtime {

/// Thread-safe. Whoever waited for zero may destroy it.
class Tally {
 public:
  explicit Tally(std::size_t count = 0) : count_(count) {}
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;

  void add() {
    std::lock_guard lock(mutex_);
    ++count_;
  }
  void done() {
    // Told under the lock: the waiter cannot return, and destroy us, before this call lets go of it.
    std::lock_guard lock(mutex_);
    if (--count_ == 0) zero_.notify_all();
  }

  std::size_t count() const {
    std::lock_guard lock(mutex_);
    return count_;
  }

  /// Blocks; not on a reactor's thread.
  void wait_zero() {
    std::unique_lock lock(mutex_);
    zero_.wait(lock, [this] { return count_ == 0; });
  }
  /// False if it took longer than `patience`.
  bool wait_zero_for(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    return zero_.wait_for(lock, patience, [this] { return count_ == 0; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable zero_;
  std::size_t count_;
};

}  // namespace dohle::runtime
