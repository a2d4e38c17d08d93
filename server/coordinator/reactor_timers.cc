#include "server/coordinator/reactor_timers.h"

#include <algorithm>

namespace dohle::coordinator {

void ReactorTimers::arm(const TimerKey& key, std::int64_t delay_ms) {
  auto& timer = timers_[key];
  if (timer == nullptr) timer = std::make_unique<runtime::Timer>([this, key] { expire(key); });
  reactor_.arm(*timer, reactor_.now_ms() + std::max<std::int64_t>(delay_ms, 0));
}

void ReactorTimers::expire(const TimerKey& key) {
  // The timer, and with it the key that it captured, lives until the shard has been called: it may arm it again.
  auto node = timers_.extract(key);
  fired_(node.key());
}

}  // namespace dohle::coordinator
