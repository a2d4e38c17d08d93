// The lock of a partition: held for a few microseconds, often wanted by two reactors at once. Parking costs 30 us and
// more on a virtual machine, so it spins for about 20 us first (measured: performance.md 2.7).
#pragma once

#include <mutex>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace dohle::runtime {

/// A leaf: nothing else is locked under it, and it is never held over a co_await, an fsync or a callback.
class PartitionLock {
 public:
  void lock() {
    for (int attempt = 0; attempt < spins_max; ++attempt) {
      if (mutex_.try_lock()) return;
      pause();
    }
    mutex_.lock();
  }
  bool try_lock() { return mutex_.try_lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  static constexpr int spins_max = 400;

  static void pause() {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("isb");
#endif
  }

  std::mutex mutex_;
};

}  // namespace dohle::runtime
