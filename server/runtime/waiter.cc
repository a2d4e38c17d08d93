#include "server/runtime/waiter.h"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "server/runtime/check.h"
#include "server/runtime/reactor.h"

namespace dohle::runtime {

Waiter::Waiter(Reactor& reactor) : reactor_(reactor), timer_([this] { finish(WakeReason::deadline); }) {}

std::shared_ptr<Waiter> Waiter::create() {
  Reactor* reactor = Reactor::current();
  CHECK(reactor != nullptr);
  return std::shared_ptr<Waiter>(new Waiter(*reactor));
}

Awaitable<WakeReason> Waiter::wait(std::int64_t deadline_ms, StopSignal* stop) {
  CHECK(Reactor::current() == &reactor_);
  CHECK(!resume_);
  // The caller may let go of us as soon as he is resumed.
  std::shared_ptr<Waiter> self = shared_from_this();
  if (woken_.exchange(false, std::memory_order_acq_rel)) co_return WakeReason::woken;
  if ((stop != nullptr && stop->requested()) || reactor_.stopping().requested()) co_return WakeReason::cancelled;
  if (deadline_ms <= reactor_.now_ms()) co_return WakeReason::deadline;
  auto initiate = [this, deadline_ms, stop](auto handler) { park(std::move(handler), deadline_ms, stop); };
  WakeReason reason = co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(WakeReason)>(
      initiate, boost::asio::use_awaitable);
  co_return reason;
}

void Waiter::park(std::move_only_function<void(WakeReason)> resume, std::int64_t deadline_ms, StopSignal* stop) {
  resume_ = std::move(resume);
  if (deadline_ms != no_deadline_ms) reactor_.arm(timer_, deadline_ms);
  if (stop != nullptr) stop->add(on_stop_);
  reactor_.stopping().add(on_reactor_stop_);
}

void Waiter::wake() {
  if (woken_.exchange(true, std::memory_order_acq_rel)) return;
  reactor_.post([self = shared_from_this()] {
    // Between wake() and now the coroutine may have taken the news by itself.
    if (self->resume_ && self->woken_.exchange(false, std::memory_order_acq_rel)) self->finish(WakeReason::woken);
  });
}

void Waiter::finish_later(WakeReason reason) {
  reactor_.post([self = shared_from_this(), reason] { self->finish(reason); });
}

void Waiter::finish(WakeReason reason) {
  if (!resume_) return;
  std::shared_ptr<Waiter> self = shared_from_this();
  timer_.cancel();
  if (on_stop_.is_linked()) on_stop_.unlink();
  if (on_reactor_stop_.is_linked()) on_reactor_stop_.unlink();
  auto resume = std::exchange(resume_, nullptr);
  resume(reason);
}

}  // namespace dohle::runtime
