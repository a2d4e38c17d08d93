// A few numbers that one writer changes together and many readers read together, without a lock (a sequence lock).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace dohle::log {

/// One writer at a time; readers on any thread.
template <std::size_t n>
class PublishedNumbers {
 public:
  using Numbers = std::array<std::int64_t, n>;

  explicit PublishedNumbers(const Numbers& initial = {}) { store(initial); }

  void store(const Numbers& numbers) {
    const std::uint64_t version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    // Release: who sees one of the new numbers also sees that the version is odd.
    for (std::size_t i = 0; i < n; ++i) numbers_[i].store(numbers[i], std::memory_order_release);
    version_.store(version + 2, std::memory_order_release);
  }

  Numbers load() const {
    for (;;) {
      const std::uint64_t before = version_.load(std::memory_order_acquire);
      Numbers numbers;
      for (std::size_t i = 0; i < n; ++i) numbers[i] = numbers_[i].load(std::memory_order_acquire);
      if (before % 2 == 0 && version_.load(std::memory_order_relaxed) == before) return numbers;
    }
  }

  /// One of them alone, which needs no agreement with the others.
  std::int64_t get(std::size_t i) const { return numbers_[i].load(std::memory_order_acquire); }

 private:
  std::atomic<std::uint64_t> version_{0};
  std::array<std::atomic<std::int64_t>, n> numbers_{};
};

/// Where the next record goes: its offset, and the position in the segment that is active.
struct LogEnd {
  std::int64_t offset = 0;
  std::int64_t segment_base_offset = 0;
  std::int64_t position_bytes = 0;
};

class PublishedEnd {
 public:
  void store(const LogEnd& end) { numbers_.store({end.offset, end.segment_base_offset, end.position_bytes}); }
  LogEnd load() const {
    const auto numbers = numbers_.load();
    return {numbers[0], numbers[1], numbers[2]};
  }
  std::int64_t offset() const { return numbers_.get(0); }

 private:
  PublishedNumbers<3> numbers_;
};

}  // namespace dohle::log
