#include "server/runtime/timer_wheel.h"

#include <algorithm>
#include <bit>

namespace dohle::runtime {

void TimerWheel::arm(Timer& timer, std::int64_t deadline_ms) {
  timer.cancel();
  timer.deadline_ms_ = deadline_ms;
  insert(timer);
}

void TimerWheel::insert(Timer& timer) {
  // Rounded up: a timer is never early. Far beyond the last wheel it is put as far as that goes, and on from there.
  std::int64_t tick = timer.deadline_ms_ / tick_ms + (timer.deadline_ms_ % tick_ms > 0 ? 1 : 0);
  tick = std::clamp(tick, now_tick_ + 1, now_tick_ + farthest_ticks);
  std::int64_t distance = tick - now_tick_;
  int level = 0;
  while (distance >> ((level + 1) * slot_bits) != 0) ++level;
  auto slot = static_cast<std::size_t>((tick >> (level * slot_bits)) & (slots - 1));
  wheels_[level][slot].push_back(timer);
  occupied_[level] |= std::uint64_t{1} << slot;
}

std::int64_t TimerWheel::next_tick() const {
  std::int64_t nearest = INT64_MAX;
  for (int level = 0; level < levels; ++level) {
    if (occupied_[level] == 0) continue;
    std::int64_t position = now_tick_ >> (level * slot_bits);
    // The slot after the present one becomes bit 0.
    std::uint64_t ahead = std::rotr(occupied_[level], static_cast<int>((position + 1) & (slots - 1)));
    nearest = std::min(nearest, (position + 1 + std::countr_zero(ahead)) << (level * slot_bits));
  }
  return nearest;
}

std::int64_t TimerWheel::next_ms() const {
  std::int64_t tick = next_tick();
  return tick == INT64_MAX ? never_ms : tick * tick_ms;
}

void TimerWheel::advance(std::int64_t now_ms) {
  std::int64_t target = now_ms / tick_ms;
  while (now_tick_ < target) {
    now_tick_ = std::min(next_tick(), target);
    for (int level = 1; level < levels; ++level) {
      if ((now_tick_ & ((std::int64_t{1} << (level * slot_bits)) - 1)) != 0) break;
      cascade(level);
    }
    auto slot = static_cast<std::size_t>(now_tick_ & (slots - 1));
    if ((occupied_[0] >> slot & 1) == 0) continue;
    occupied_[0] &= ~(std::uint64_t{1} << slot);
    Slot due;
    due.swap(wheels_[0][slot]);
    fire(due);
  }
}

void TimerWheel::cascade(int level) {
  auto slot = static_cast<std::size_t>((now_tick_ >> (level * slot_bits)) & (slots - 1));
  occupied_[level] &= ~(std::uint64_t{1} << slot);
  Slot moved;
  moved.swap(wheels_[level][slot]);
  Slot due;
  while (!moved.empty()) {
    Timer& timer = moved.front();
    moved.pop_front();
    if (timer.deadline_ms_ <= now_tick_ * tick_ms) {
      due.push_back(timer);
    } else {
      insert(timer);
    }
  }
  fire(due);
}

void TimerWheel::fire(Slot& due) {
  // One at a time from the front: a callback may cancel, arm or destroy any timer, those in `due` too.
  while (!due.empty()) {
    Timer& timer = due.front();
    due.pop_front();
    if (timer.deadline_ms_ > now_tick_ * tick_ms) {
      insert(timer);  // a deadline farther than the wheel is long
      continue;
    }
    auto expired = timer.expired_;
    expired();
  }
}

}  // namespace dohle::runtime
