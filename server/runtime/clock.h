// Time as a value that tests can set. Wall clock in milliseconds since 1970, as Kafka writes it; monotonic for
// timeouts.
#pragma once

#include <cstdint>

namespace dohle::runtime {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t wall_ms() const = 0;
  virtual std::int64_t monotonic_ms() const = 0;
};

/// The system's clock; lives for ever; any thread.
Clock& system_clock();

}  // namespace dohle::runtime
