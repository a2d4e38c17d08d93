// A clock that stands still until a test moves it. Any thread may read it.
#pragma once

#include <atomic>
#include <cstdint>

#include "server/runtime/clock.h"

namespace dohle::testing {

class FakeClock final : public runtime::Clock {
 public:
  explicit FakeClock(std::int64_t wall_ms = 1'700'000'000'000) : wall_ms_(wall_ms) {}

  std::int64_t wall_ms() const override { return wall_ms_.load(); }
  std::int64_t monotonic_ms() const override { return monotonic_ms_.load(); }

  /// Both clocks move.
  void advance_ms(std::int64_t ms) {
    wall_ms_ += ms;
    monotonic_ms_ += ms;
  }
  /// Only the wall clock jumps, as when somebody sets the time.
  void set_wall_ms(std::int64_t ms) { wall_ms_ = ms; }

 private:
  std::atomic<std::int64_t> wall_ms_;
  std::atomic<std::int64_t> monotonic_ms_{1'000'000};
};

}  // namespace dohle::testing
