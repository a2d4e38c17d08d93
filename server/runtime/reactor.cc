#include "server/runtime/reactor.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "server/runtime/check.h"
#include "server/runtime/clock.h"
#include "server/runtime/log_line.h"
#include "server/runtime/thread.h"

namespace dohle::runtime {
namespace {

thread_local Reactor* current_reactor = nullptr;

}  // namespace

struct Reactor::Loop {
  boost::asio::io_context context{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{context.get_executor()};
  boost::asio::steady_timer ticker{context};
  std::int64_t ticker_ms = TimerWheel::never_ms;  // when the ticker fires
  bool advancing = false;
  TimerWheel wheel{system_clock().monotonic_ms()};
  StopSignal stopping;
  std::size_t active = 0;
  std::thread thread;

  std::mutex mutex;
  std::vector<Work> posted;  // under the mutex
  bool ended = false;        // under the mutex
  std::vector<Work> running;
};

Reactor* Reactor::current() {
  return current_reactor;
}

Reactor::Reactor(int index, std::string thread_name)
    : index_(index), thread_name_(std::move(thread_name)), loop_(std::make_unique<Loop>()) {}

Reactor::~Reactor() {
  CHECK(!loop_->thread.joinable());
}

boost::asio::io_context& Reactor::context() {
  return loop_->context;
}
StopSignal& Reactor::stopping() {
  return loop_->stopping;
}
std::size_t Reactor::active() const {
  return loop_->active;
}
std::int64_t Reactor::now_ms() const {
  return system_clock().monotonic_ms();
}

void Reactor::start() {
  loop_->thread = std::thread([this] { run(); });
}

void Reactor::run() {
  name_thread(thread_name_);
  current_reactor = this;
  loop_->context.run();
  current_reactor = nullptr;
}

void Reactor::post(Work work) {
  bool first = false;
  {
    std::lock_guard lock(loop_->mutex);
    if (loop_->ended) return;
    first = loop_->posted.empty();
    loop_->posted.push_back(std::move(work));
  }
  // Whoever finds the list empty wakes the thread; the others ride along.
  if (first) boost::asio::post(loop_->context, [this] { drain(); });
}

void Reactor::drain() {
  {
    std::lock_guard lock(loop_->mutex);
    loop_->running.swap(loop_->posted);
  }
  for (Work& work : loop_->running) work();
  loop_->running.clear();
}

void Reactor::spawn(Awaitable<void> coroutine) {
  auto ended = [this](std::exception_ptr thrown) {
    if (thrown) {
      // A bug of ours: whoever spawned it has no way to learn of it, and its state is unknown.
      try {
        std::rethrow_exception(thrown);
      } catch (const std::exception& exception) {
        log_error("dohle.runtime.Reactor", "A coroutine ended with an exception: {}", exception.what());
      }
      CHECK(!"a coroutine ended with an exception");
    }
    --loop_->active;
    end_if_idle();
  };
  auto begin = [this, ended, coroutine = std::move(coroutine)]() mutable {
    if (loop_->stopping.requested()) return;
    ++loop_->active;
    boost::asio::co_spawn(loop_->context, std::move(coroutine), ended);
  };
  post(std::move(begin));
}

void Reactor::arm(Timer& timer, std::int64_t deadline_ms) {
  loop_->wheel.arm(timer, deadline_ms);
  if (!loop_->advancing) schedule_tick();
}

void Reactor::schedule_tick() {
  std::int64_t next_ms = loop_->wheel.next_ms();
  // An earlier tick that is already under way looks again when it comes.
  if (next_ms >= loop_->ticker_ms) return;
  loop_->ticker_ms = next_ms;
  loop_->ticker.expires_at(std::chrono::steady_clock::time_point(std::chrono::milliseconds(next_ms)));
  loop_->ticker.async_wait([this](const boost::system::error_code& failed) {
    if (failed) return;  // replaced by an earlier one
    loop_->ticker_ms = TimerWheel::never_ms;
    loop_->advancing = true;
    loop_->wheel.advance(now_ms());
    loop_->advancing = false;
    schedule_tick();
  });
}

void Reactor::request_stop() {
  post([this] {
    loop_->stopping.request();
    end_if_idle();
  });
}

void Reactor::end_if_idle() {
  if (!loop_->stopping.requested() || loop_->active > 0) return;
  boost::asio::post(loop_->context, [this] {
    // What was posted up to here still runs; it can spawn nothing any more.
    while (true) {
      {
        std::lock_guard lock(loop_->mutex);
        if (loop_->posted.empty()) {
          loop_->ended = true;
          break;
        }
      }
      drain();
    }
    loop_->guard.reset();
    loop_->context.stop();
  });
}

void Reactor::join() {
  if (loop_->thread.joinable()) loop_->thread.join();
}

ReactorPool::ReactorPool(int count, const std::string& name) {
  CHECK(count >= 1);
  for (int index = 0; index < count; ++index) {
    reactors_.push_back(std::make_unique<Reactor>(index, name + "-" + std::to_string(index)));
  }
}

ReactorPool::~ReactorPool() {
  stop();
}

void ReactorPool::start() {
  CHECK(!running_);
  running_ = true;
  for (auto& reactor : reactors_) reactor->start();
}

void ReactorPool::stop() {
  if (!running_) return;
  CHECK(Reactor::current() == nullptr);
  running_ = false;
  for (auto& reactor : reactors_) reactor->request_stop();
  for (auto& reactor : reactors_) reactor->join();
}

}  // namespace dohle::runtime
