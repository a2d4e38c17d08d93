// A shard's timers on its home reactor's wheel.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "server/coordinator/timers.h"
#include "server/runtime/reactor.h"
#include "server/runtime/timer_wheel.h"

namespace dohle::coordinator {

/// Home thread only, the destructor too (unless the reactor has ended).
class ReactorTimers final : public Timers {
 public:
  /// `fired` may arm and cancel any timer, and must not destroy this.
  ReactorTimers(runtime::Reactor& reactor, std::function<void(const TimerKey&)> fired)
      : reactor_(reactor), fired_(std::move(fired)) {}

  void arm(const TimerKey& key, std::int64_t delay_ms) override;
  void cancel(const TimerKey& key) override { timers_.erase(key); }
  bool is_armed(const TimerKey& key) const override { return timers_.contains(key); }
  void cancel_all() { timers_.clear(); }

 private:
  void expire(const TimerKey& key);

  runtime::Reactor& reactor_;
  std::function<void(const TimerKey&)> fired_;
  std::map<TimerKey, std::unique_ptr<runtime::Timer>> timers_;
};

}  // namespace dohle::coordinator
