// Many timers with coarse deadlines (10 ms), most of which are cancelled before they expire: long polls, idle
// connections, sessions. Arming and cancelling are O(1); a wheel that holds only far deadlines asks to be advanced
// rarely, an empty one never.
#pragma once

#include <array>
#include <boost/intrusive/list.hpp>
#include <cstdint>
#include <functional>

namespace dohle::runtime {

/// Belongs to whoever waits; cancels itself when it is destroyed. Not movable. Same thread as its wheel.
class Timer : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  /// `expired` may arm this timer again, and may destroy it.
  explicit Timer(std::function<void()> expired) : expired_(std::move(expired)) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  bool armed() const { return is_linked(); }
  void cancel() {
    if (is_linked()) unlink();
  }
  std::int64_t deadline_ms() const { return deadline_ms_; }

 private:
  friend class TimerWheel;
  std::function<void()> expired_;
  std::int64_t deadline_ms_ = 0;
};

/// Pure: knows no clock. Four wheels of 64 slots, each slot of one as long as a turn of the one below; a timer moves
/// down as its time comes nearer.
class TimerWheel {
 public:
  static constexpr std::int64_t tick_ms = 10;
  static constexpr std::int64_t never_ms = INT64_MAX;

  explicit TimerWheel(std::int64_t now_ms) : now_tick_(now_ms / tick_ms) {}

  /// Expires at the first advance to `deadline_ms` or later (at most one tick late). Arming again moves the deadline.
  void arm(Timer& timer, std::int64_t deadline_ms);

  /// Fires what is due, in the order of ticks.
  void advance(std::int64_t now_ms);

  /// When advance has to be called next, never_ms if no timer is armed. May be early (a cancelled timer's time).
  std::int64_t next_ms() const;

 private:
  static constexpr int levels = 4;
  static constexpr int slot_bits = 6;
  static constexpr std::int64_t slots = 1 << slot_bits;
  static constexpr std::int64_t farthest_ticks = (std::int64_t{1} << (levels * slot_bits)) - 1;

  using Slot = boost::intrusive::list<Timer, boost::intrusive::constant_time_size<false>>;

  void insert(Timer& timer);
  void cascade(int level);
  void fire(Slot& due);
  std::int64_t next_tick() const;

  std::int64_t now_tick_;
  std::array<std::array<Slot, slots>, levels> wheels_;
  std::array<std::uint64_t, levels> occupied_{};  // a bit is set if the slot may hold a timer
};

}  // namespace dohle::runtime
