#include "server/runtime/disk_pool.h"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <system_error>

#include "server/runtime/check.h"
#include "server/runtime/log_line.h"
#include "server/runtime/reactor.h"
#include "server/runtime/thread.h"

namespace dohle::runtime {

DiskPool::DiskPool(std::string name, const Limits& limits) : name_(std::move(name)) {
  lanes_[static_cast<std::size_t>(Lane::fsync)].limits = limits.fsync;
  lanes_[static_cast<std::size_t>(Lane::fsync)].suffix = "-fsync";
  lanes_[static_cast<std::size_t>(Lane::read)].limits = limits.read;
  lanes_[static_cast<std::size_t>(Lane::read)].suffix = "-read";
  lanes_[static_cast<std::size_t>(Lane::upkeep)].limits = limits.upkeep;
  lanes_[static_cast<std::size_t>(Lane::upkeep)].suffix = "-upkeep";
  lanes_[static_cast<std::size_t>(Lane::compute)].limits = limits.compute;
  lanes_[static_cast<std::size_t>(Lane::compute)].suffix = "-compute";
  for (LaneState& lane : lanes_) CHECK(lane.limits.threads_max >= 1);
}

DiskPool::~DiskPool() {
  stop();
}

bool DiskPool::submit(Lane which, Work work) {
  LaneState& lane = lanes_[static_cast<std::size_t>(which)];
  std::lock_guard lock(mutex_);
  if (stopping_ || lane.queue.size() >= lane.limits.queue_max) return false;
  bool may_start = lane.threads.size() < static_cast<std::size_t>(lane.limits.threads_max);
  if (lane.queue.size() >= static_cast<std::size_t>(lane.idle) && may_start) {
    try {
      lane.threads.emplace_back([this, &lane] { serve(lane); });
    } catch (const std::system_error& refused) {
      // The threads that are there will get to it; without any, there is nobody to do it.
      log_error("dohle.runtime.DiskPool", "Cannot start a thread for {}{}: {}", name_, lane.suffix, refused.what());
      if (lane.threads.empty()) return false;
    }
  }
  lane.queue.push_back(std::move(work));
  lane.changed.notify_one();
  return true;
}

void DiskPool::serve(LaneState& lane) {
  name_thread(name_ + lane.suffix);
  std::unique_lock lock(mutex_);
  while (true) {
    ++lane.idle;
    lane.changed.wait(lock, [&] { return stopping_ || !lane.queue.empty(); });
    --lane.idle;
    if (lane.queue.empty()) return;
    Work work = std::move(lane.queue.front());
    lane.queue.pop_front();
    lock.unlock();
    work();
    work = nullptr;  // what it holds is let go without the lock
    lock.lock();
  }
}

void DiskPool::stop() {
  std::vector<std::thread> threads;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    for (LaneState& lane : lanes_) {
      lane.changed.notify_all();
      for (std::thread& thread : lane.threads) threads.push_back(std::move(thread));
      lane.threads.clear();
    }
  }
  for (std::thread& thread : threads) thread.join();
}

Awaitable<bool> DiskPool::run(Lane lane, Work work) {
  Reactor* reactor = Reactor::current();
  CHECK(reactor != nullptr);
  // Submitted from the awaited operation itself, so that the coroutine is suspended before anybody can resume it.
  auto initiate = [this, reactor, lane, &work](auto handler) {
    auto resume = std::make_shared<decltype(handler)>(std::move(handler));
    auto in_pool = [reactor, resume, &work]() mutable {
      work();
      reactor->post([resume = std::move(resume)] { (*resume)(true); });
    };
    if (!submit(lane, std::move(in_pool))) {
      reactor->post([resume = std::move(resume)] { (*resume)(false); });
    }
  };
  bool ran = co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(bool)>(
      initiate, boost::asio::use_awaitable);
  co_return ran;
}

}  // namespace dohle::runtime
