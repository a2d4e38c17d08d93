#include "server/groups/load_balancer.h"

#include <algorithm>
#include <utility>

namespace dohle::groups {

std::int32_t LoadBalancer::start(const std::vector<std::int32_t>& members) {
  sorted_ = members;
  std::ranges::sort(sorted_, {}, [this](std::int32_t member) {
    return std::pair(counts_[static_cast<std::size_t>(member)], member);
  });
  const auto size = static_cast<std::int32_t>(sorted_.size());
  least_end_ = 0;
  least_count_ = count_at(0) - 1;
  next_least_ = 0;
  most_begin_ = size;
  most_end_ = size;
  most_count_ = count_at(size - 1) + 1;
  next_most_ = size - 1;
  return count_at(size - 1) - count_at(0);
}

std::int32_t LoadBalancer::next_least_loaded() {
  if (next_least_ >= least_end_) {
    // Everybody of this level has one more now: those that had as many before join them.
    ++least_count_;
    while (least_end_ < static_cast<std::int32_t>(sorted_.size()) && count_at(least_end_) == least_count_) ++least_end_;
    next_least_ = 0;
  }
  return sorted_[static_cast<std::size_t>(next_least_++)];
}

std::optional<std::int32_t> LoadBalancer::next_most_loaded() {
  if (next_most_ < most_begin_) {
    if (most_end_ <= most_begin_ && most_begin_ > 0) {
      most_count_ = count_at(most_begin_ - 1);
    } else {
      --most_count_;
    }
    while (most_begin_ > 0 && count_at(most_begin_ - 1) == most_count_) --most_begin_;
    next_most_ = most_end_ - 1;
  }
  if (next_most_ < 0) return std::nullopt;
  return sorted_[static_cast<std::size_t>(next_most_--)];
}

void LoadBalancer::exclude_most_loaded() {
  std::swap(sorted_[static_cast<std::size_t>(next_most_) + 1], sorted_[static_cast<std::size_t>(most_end_) - 1]);
  --most_end_;
}

}  // namespace dohle::groups
