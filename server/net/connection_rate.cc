#include "server/net/connection_rate.h"

#include <algorithm>
#include <cmath>

namespace dohle::net {

void ConnectionRate::record(std::int64_t now_ms) {
  if (samples_.empty()) samples_.push_back({now_ms, now_ms, 0});
  if (now_ms - samples_[current_].start_ms >= windows_.size_ms) {
    current_ = (current_ + 1) % (static_cast<std::size_t>(windows_.count) + 1);
    if (current_ >= samples_.size()) samples_.emplace_back();
    samples_[current_] = {now_ms, now_ms, 0};
  }
  ++samples_[current_].count;
  samples_[current_].last_event_ms = now_ms;
}

void ConnectionRate::forget_old(std::int64_t now_ms) {
  for (Sample& sample : samples_) {
    if (now_ms - sample.last_event_ms >= windows_.count * windows_.size_ms) sample = {now_ms, now_ms, 0};
  }
}

std::int64_t ConnectionRate::window_ms(std::int64_t now_ms) const {
  std::int64_t oldest_ms = now_ms;
  for (const Sample& sample : samples_) oldest_ms = std::min(oldest_ms, sample.start_ms);
  std::int64_t elapsed_ms = now_ms - oldest_ms;
  // A young rate counts as if there had been nothing before, for all windows but the last.
  std::int64_t full_min = windows_.count - 1;
  std::int64_t full = elapsed_ms / windows_.size_ms;
  if (full < full_min) elapsed_ms += (full_min - full) * windows_.size_ms;
  return std::max<std::int64_t>(elapsed_ms, 1);
}

std::int64_t ConnectionRate::wait_ms(std::int64_t now_ms, std::int64_t per_second_max) {
  forget_old(now_ms);
  std::int64_t total = 1;
  for (const Sample& sample : samples_) total += sample.count;
  auto window = static_cast<double>(window_ms(now_ms));
  double rate = static_cast<double>(total) * 1000 / window;
  auto bound = static_cast<double>(std::max<std::int64_t>(per_second_max, 1));
  if (rate <= bound) return 0;
  auto wait_ms = static_cast<std::int64_t>(std::llround((rate - bound) / bound * window));
  return std::clamp<std::int64_t>(wait_ms, 1, windows_.size_ms);
}

}  // namespace dohle::net
