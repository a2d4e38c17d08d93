// Threads for what may take long: fsync, cold reads, opening, deleting, recovery, compaction, inflating. One pool per
// log directory, so that a slow disk holds up only itself; lanes, so that a compaction never stands before an fsync.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "server/runtime/asio_forward.h"

namespace dohle::runtime {

/// `compute`: no disk, but more of the processor than a reactor should spend in one go.
enum class Lane { fsync, read, upkeep, compute };

/// Thread-safe.
class DiskPool {
 public:
  using Work = std::move_only_function<void()>;

  struct LaneLimits {
    int threads_max = 1;
    std::size_t queue_max = 10'000;
  };
  struct Limits {
    LaneLimits fsync{4, 10'000};
    LaneLimits read{4, 10'000};
    LaneLimits upkeep{1, 100'000};
    LaneLimits compute{2, 10'000};
  };

  /// Threads are started when there is work for them, and named `name`-fsync and so on.
  DiskPool(std::string name, const Limits& limits);
  /// Stops, if nobody did.
  ~DiskPool();
  DiskPool(const DiskPool&) = delete;
  DiskPool& operator=(const DiskPool&) = delete;

  /// Runs `work` on a thread of the lane. False, and nothing is run, if the lane's queue is full or the pool is
  /// stopped.
  bool submit(Lane lane, Work work);

  /// From a coroutine on a reactor: runs `work` in the pool and returns on the reactor when it is done. False as
  /// submit. `work` hands results over by reference to what the awaiting coroutine owns:
  ///
  ///   Status synced;
  ///   auto work = [&] { synced = file->sync(); };
  ///   bool ran = co_await pool.run(Lane::fsync, work);
  Awaitable<bool> run(Lane lane, Work work);

  /// Takes no new work, does what is queued, joins the threads. Idempotent; not from a thread of the pool.
  void stop();

 private:
  struct LaneState {
    LaneLimits limits;
    const char* suffix = "";
    std::deque<Work> queue;
    std::vector<std::thread> threads;
    int idle = 0;
    std::condition_variable changed;
  };

  void serve(LaneState& lane);

  const std::string name_;
  std::mutex mutex_;
  bool stopping_ = false;
  std::array<LaneState, 4> lanes_;
};

}  // namespace dohle::runtime
