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
    return [sender = Sender(slot_)](Response response) mutable { sender.send(std::move(response)); };
  }

  /// Nothing when `closing` was requested first: nobody hears the answer. A reply that was dropped is never there:
  /// `forgotten` says so, and the wait goes on until `closing`.
  boost::asio::awaitable<std::optional<Response>> wait(runtime::StopSignal& closing, bool* forgotten = nullptr) {
    auto reason = co_await slot_->waiter->wait(runtime::Waiter::no_deadline_ms, &closing);
    if (reason == runtime::WakeReason::woken && !slot_->response) {
      if (forgotten != nullptr) *forgotten = true;
      reason = co_await slot_->waiter->wait(runtime::Waiter::no_deadline_ms, &closing);
    }
    if (reason != runtime::WakeReason::woken) co_return std::nullopt;
    co_return std::move(slot_->response);
  }

 private:
  /// The response is written before the waiter is woken, and read after.
  struct Slot {
    std::optional<Response> response;
    std::shared_ptr<runtime::Waiter> waiter;
  };

  /// Wakes who waits, once: with the response, or without one when it is dropped.
  class Sender {
   public:
    explicit Sender(std::shared_ptr<Slot> slot) : slot_(std::move(slot)) {}
    Sender(Sender&&) noexcept = default;
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;
    ~Sender() {
      if (slot_ != nullptr) slot_->waiter->wake();
    }
    void send(Response response) {
      slot_->response = std::move(response);
      std::exchange(slot_, nullptr)->waiter->wake();
    }

   private:
    std::shared_ptr<Slot> slot_;
  };

  std::shared_ptr<Slot> slot_;
};

}  // namespace dohle::api
