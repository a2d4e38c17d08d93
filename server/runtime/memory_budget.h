// How much memory the requests of all connections may hold together. Bytes are counted as they arrive, not as they are
// announced. Small frames have a reserve of their own, so that the request that frees others is always read; and one
// large frame is always admitted, so that no frame that the size limit allows waits for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

namespace dohle::runtime {

class Waiter;

/// Thread-safe.
class MemoryBudget {
 public:
  struct Limits {
    std::uint64_t total_bytes = UINT64_MAX;      // queued.max.request.bytes, or what stands for it
    std::uint64_t reserve_bytes = 16 << 20;      // on top of it, for small frames only
    std::uint64_t small_frame_bytes = 64 << 10;  // a frame up to here is small
  };

  explicit MemoryBudget(const Limits& limits) : limits_(limits) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  /// What one frame holds. Gives it back when destroyed. One thread at a time.
  class Share {
   public:
    /// `budget` must outlive it. `frame_bytes`: as announced, decides if the frame is small.
    Share(MemoryBudget& budget, std::uint64_t frame_bytes);
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share() { give_back(); }

    /// Takes this much more. False if it has to wait: then the caller waits on `waiter`, which is woken when memory was
    /// given back, and tries again; nothing was taken.
    bool grow(std::uint64_t bytes, const std::shared_ptr<Waiter>& waiter);
    /// No longer interested in a wake-up.
    void stop_waiting();
    /// Gives all back (the frame was freed); it may grow anew.
    void give_back();

    std::uint64_t held_bytes() const { return held_bytes_; }

   private:
    friend class MemoryBudget;
    MemoryBudget& budget_;
    const bool small_;
    bool always_admitted_ = false;
    bool waiting_ = false;
    std::list<std::weak_ptr<Waiter>>::iterator position_;  // valid while waiting_; under the budget's lock
    std::uint64_t held_bytes_ = 0;
  };

  std::uint64_t held_bytes() const;
  /// Somebody waits: who holds memory and makes no progress should let go of it.
  bool under_pressure() const;

 private:
  void forget(Share& share);

  const Limits limits_;
  mutable std::mutex mutex_;
  std::uint64_t held_bytes_ = 0;
  bool large_admitted_ = false;  // the one large frame that is always admitted has been chosen
  std::list<std::weak_ptr<Waiter>> waiting_;
};

}  // namespace dohle::runtime
