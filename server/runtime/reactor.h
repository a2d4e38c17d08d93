// The io threads. Each reactor is one thread with its own event loop and its own timers; a connection and all that is
// done for it lives on one of them. Other threads reach it by post() only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "server/runtime/asio_forward.h"
#include "server/runtime/stop_signal.h"
#include "server/runtime/timer_wheel.h"

namespace dohle::runtime {

class Reactor {
 public:
  using Work = std::move_only_function<void()>;

  /// The reactor whose thread this is, nullptr on any other thread.
  static Reactor* current();

  explicit Reactor(int index, std::string thread_name);
  ~Reactor();
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  int index() const { return index_; }
  boost::asio::io_context& context();

  /// Runs `work` on this reactor's thread, soon, never inside this call. Any thread. A burst of posts from elsewhere
  /// wakes the thread once. Work posted after the reactor has ended is dropped.
  void post(Work work);

  /// Starts a coroutine on this reactor's thread; any thread. It is counted: stop() waits for its end. An exception
  /// that leaves it ends the process. Dropped unstarted if the reactor is stopping.
  void spawn(Awaitable<void> coroutine);

  // The rest is for the reactor's own thread.

  /// Calls the timer's function at `deadline_ms` of Clock::monotonic_ms, or up to 10 ms later.
  void arm(Timer& timer, std::int64_t deadline_ms);
  std::int64_t now_ms() const;
  /// Requested when the reactor stops: every wait on this reactor ends then.
  StopSignal& stopping();
  /// How many spawned coroutines have not ended.
  std::size_t active() const;

 private:
  friend class ReactorPool;
  struct Loop;  // Asio's part

  void start();
  /// Two steps, so that work may still post to other reactors while it ends: first all are asked, then all are joined.
  void request_stop();
  void join();

  void run();
  void drain();
  void schedule_tick();
  void end_if_idle();

  const int index_;
  const std::string thread_name_;
  std::unique_ptr<Loop> loop_;
};

/// All io threads of the process.
class ReactorPool {
 public:
  /// `count` is num.network.threads or what stands for it; at least 1. Threads are named `name`-0, `name`-1, ...
  explicit ReactorPool(int count, const std::string& name = "reactor");
  /// Stops, if nobody did.
  ~ReactorPool();

  void start();
  /// Cancels all waits, waits for all spawned coroutines to end, joins the threads. Whoever spawned work that waits for
  /// something else (a socket) has asked it to end before. Not from a reactor's thread. Idempotent.
  void stop();

  int size() const { return static_cast<int>(reactors_.size()); }
  Reactor& at(int index) { return *reactors_[static_cast<std::size_t>(index)]; }

 private:
  std::vector<std::unique_ptr<Reactor>> reactors_;
  bool running_ = false;
};

}  // namespace dohle::runtime
