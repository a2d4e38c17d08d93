// The members of one topic by how many partitions they have: the next one to give to, the next one to take from.
// Source: UniformHeterogeneousAssignmentBuilder.MemberAssignmentBalancer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace dohle::groups {

/// Walks up from the members with the smallest counts and down from those with the largest, a level at a time; the
/// counts themselves are read only where a level is widened.
class LoadBalancer {
 public:
  /// `counts` by member outlives this, and its owner changes it as partitions move.
  explicit LoadBalancer(const std::vector<std::int32_t>& counts) : counts_(counts) {}

  /// Starts over with these members (not none). Returns the largest count minus the smallest.
  std::int32_t start(const std::vector<std::int32_t>& members);
  std::int32_t next_least_loaded();
  /// Nothing: there is nobody left.
  std::optional<std::int32_t> next_most_loaded();
  /// The member that next_most_loaded() gave last has nothing to give.
  void exclude_most_loaded();
  bool is_balanced() const { return most_count_ - least_count_ <= 1; }

 private:
  std::int32_t count_at(std::int32_t index) const {
    return counts_[static_cast<std::size_t>(sorted_[static_cast<std::size_t>(index)])];
  }

  const std::vector<std::int32_t>& counts_;
  std::vector<std::int32_t> sorted_;  // members by count, then by index
  std::int32_t least_end_ = 0;
  std::int32_t least_count_ = -1;
  std::int32_t next_least_ = 0;
  std::int32_t most_begin_ = 0;
  std::int32_t most_end_ = 0;
  std::int32_t most_count_ = 1;
  std::int32_t next_most_ = -1;
};

}  // namespace dohle::groups
