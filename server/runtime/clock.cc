#include "server/runtime/clock.h"

#include <chrono>

namespace dohle::runtime {
namespace {

class SystemClock final : public Clock {
 public:
  std::int64_t wall_ms() const override {
    auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since_1970).count();
  }

  std::int64_t monotonic_ms() const override {
    auto since_boot = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since_boot).count();
  }
};

}  // namespace

Clock& system_clock() {
  // Without state, hence shared; it is a constant more than a singleton.
  static SystemClock clock;
  return clock;
}

}  // namespace dohle::runtime
