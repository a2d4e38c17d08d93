// What a request parks on: a long poll, an append that waits for its followers or its fsync, a join of a group.
//
//   auto waiter = Waiter::create();
//   partition.add_waiter(waiter);              // register first,
//   while (!partition.has(min_bytes)) {        // then look: what changed between is not lost
//     WakeReason reason = co_await waiter->wait(deadline_ms, &session.closing);
//     if (reason != WakeReason::woken) break;
//   }
//   partition.remove_waiter(waiter);
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "server/runtime/asio_forward.h"
#include "server/runtime/stop_signal.h"
#include "server/runtime/timer_wheel.h"

namespace dohle::runtime {

class Reactor;

enum class WakeReason {
  woken,      // somebody called wake()
  deadline,   // nobody did in time
  cancelled,  // the stop signal was requested, or the reactor stops
};

/// Lives on the reactor where it was created; only wake() may be called elsewhere.
class Waiter : public std::enable_shared_from_this<Waiter> {
 public:
  static constexpr std::int64_t no_deadline_ms = TimerWheel::never_ms;

  /// On a reactor's thread.
  static std::shared_ptr<Waiter> create();

  /// Returns at once if wake() was called since the last wait returned. `deadline_ms` is a time of Clock::monotonic_ms,
  /// met up to 10 ms late. One wait at a time. The caller keeps the waiter and `stop` alive meanwhile.
  Awaitable<WakeReason> wait(std::int64_t deadline_ms, StopSignal* stop = nullptr);

  /// Any thread, any number of times, under any lock: the coroutine never runs inside this call. Many calls before the
  /// coroutine runs count as one.
  void wake();

 private:
  class Listener final : public StopListener {
   public:
    explicit Listener(Waiter& waiter) : waiter_(waiter) {}
    void on_stop_requested() override { waiter_.finish_later(WakeReason::cancelled); }

   private:
    Waiter& waiter_;
  };

  explicit Waiter(Reactor& reactor);

  void park(std::move_only_function<void(WakeReason)> resume, std::int64_t deadline_ms, StopSignal* stop);
  /// On the reactor's thread: ends the wait that is under way, if there is one.
  void finish(WakeReason reason);
  void finish_later(WakeReason reason);

  Reactor& reactor_;
  std::atomic<bool> woken_{false};
  std::move_only_function<void(WakeReason)> resume_;  // set while parked
  Timer timer_;
  Listener on_stop_{*this};
  Listener on_reactor_stop_{*this};
};

}  // namespace dohle::runtime
