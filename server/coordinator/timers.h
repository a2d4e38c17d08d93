// Timers of a state machine, by name: heartbeats, joins, expiry. When one fires, the runtime calls the shard's
// on_timer() as it calls any operation. Source: org.apache.kafka.coordinator.common.runtime.CoordinatorTimer.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace dohle::coordinator {

/// `kind` is the shard's own enum; `id` a group or a transactional id, `sub_id` a member or empty.
struct TimerKey {
  std::int32_t kind = 0;
  std::string id;
  std::string sub_id;
  auto operator<=>(const TimerKey&) const = default;
};

/// Only for a shard that is active: none is armed while it loads, and all are cancelled when it is unloaded.
class Timers {
 public:
  virtual ~Timers() = default;
  /// Fires once, `delay_ms` from now (up to 20 ms later). Arming again replaces the former deadline.
  virtual void arm(const TimerKey& key, std::int64_t delay_ms) = 0;
  virtual void cancel(const TimerKey& key) = 0;
  virtual bool is_armed(const TimerKey& key) const = 0;
};

}  // namespace dohle::coordinator
