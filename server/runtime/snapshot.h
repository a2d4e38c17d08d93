// An immutable value that one writer replaces and many threads read: the metadata image. Publishing takes a mutex;
// reading compares a counter and, as long as nothing was published, touches nothing that other threads write.
//
// Not std::atomic<std::shared_ptr>: g++ 12.2's has a data race that ThreadSanitizer finds.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace dohle::runtime {

/// Thread-safe. A thread's cached copy may keep an old value alive until that thread reads the next one.
template <typename T>
class Snapshot {
 public:
  explicit Snapshot(std::shared_ptr<const T> initial) : value_(std::move(initial)) {}
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  /// Readers that start after it returns see `value`.
  void publish(std::shared_ptr<const T> value) {
    std::lock_guard lock(mutex_);
    value_.swap(value);
    version_.fetch_add(1, std::memory_order_release);
  }

  /// The newest value. Hold it for one request; what was read before a co_await is read again after it.
  std::shared_ptr<const T> current() const {
    Cached& cached = thread_cache();
    if (cached.snapshot_id != id_ || cached.version != version_.load(std::memory_order_acquire)) refresh(cached);
    return cached.value;
  }

  /// How often publish was called.
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

 private:
  struct Cached {
    std::uint64_t snapshot_id = 0;
    std::uint64_t version = 0;
    std::shared_ptr<const T> value;
  };

  static Cached& thread_cache() {
    // One for each T: programs have one Snapshot of a type, tests may have more and then reload more often.
    thread_local Cached cached;
    return cached;
  }

  static std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last_id{0};
    return last_id.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  void refresh(Cached& cached) const {
    std::shared_ptr<const T> value;
    {
      std::lock_guard lock(mutex_);
      value = value_;
      cached.version = version_.load(std::memory_order_relaxed);
    }
    cached.snapshot_id = id_;
    // A reference count of the thread's own, so that readers on different cores don't share its cache line.
    auto own = std::make_shared<std::shared_ptr<const T>>(std::move(value));
    const T* pointer = own->get();
    cached.value = std::shared_ptr<const T>(std::move(own), pointer);
  }

  const std::uint64_t id_ = next_id();  // an address may be used again, an id not
  mutable std::mutex mutex_;
  std::atomic<std::uint64_t> version_{0};
  std::shared_ptr<const T> value_;
};

}  // namespace dohle::runtime
