// How an answer comes from a coordinator's home thread to the connection's coroutine.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "server/coordinator/outcome.h"
#include "server/runtime/stop_signal.h"
#include "server/runtime/waiter.h"

namespace dohle::api {

/// Made and awaited on the connection's reactor; its reply may be called on any thread, once, or dropped.
template <typename Response>
class Promise {
 public:
  Promise() : slot_(std::make_shared<Slot>()) { slot_->waiter = runtime::Waiter::create(); }

  /// Once.
  coordinator::Reply<Response> reply() {
    return [slot = slot_](Response response) {
      slot->response = std::move(response);
      slot->waiter->wake();
    };
  }

  /// Nothing when `closing` was requested first: nobody hears the answer.
  boost::asio::awaitable<std::optional<Response>> wait(runtime::StopSignal& closing) {
    const auto reason = co_await slot_->waiter->wait(runtime::Waiter::no_deadline_ms, &closing);
    if (reason != runtime::WakeReason::woken) co_return std::nullopt;
    co_return std::move(slot_->response);
  }

 private:
  /// The response is written before the waiter is woken, and read after.
  struct Slot {
    std::optional<Response> response;
    std::shared_ptr<runtime::Waiter> waiter;
  };
  std::shared_ptr<Slot> slot_;
};

}  // namespace dohle::api
