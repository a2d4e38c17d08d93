#include "server/groups/partition_assignor.h"

#include <algorithm>

#include "server/groups/range_assignor.h"
#include "server/groups/uniform_assignor.h"
#include "server/groups/uniform_heterogeneous_assignment.h"

namespace dohle::groups {

bool same_partitions(const TopicPartitionSets& a, const TopicPartitionSets& b) {
  const auto sorted = [](TopicPartitionSets sets) {
    for (auto& [topic, partitions] : sets) std::ranges::sort(partitions);
    std::ranges::sort(sets);
    return sets;
  };
  return a.size() == b.size() && (a == b || sorted(a) == sorted(b));
}

std::optional<AssignorKind> parse_assignor(std::string_view name) {
  if (name == "uniform") return AssignorKind::uniform;
  if (name == "range") return AssignorKind::range;
  return std::nullopt;
}

std::string_view assignor_name(AssignorKind kind) {
  return kind == AssignorKind::uniform ? "uniform" : "range";
}

GroupAssignment assign_partitions(AssignorKind kind, const AssignableGroup& group) {
  if (group.members.empty()) return std::vector<TopicPartitionSets>{};
  if (kind == AssignorKind::range) return assign_ranges(group);
  return group.homogeneous ? assign_uniformly(group) : assign_uniformly_across_subscriptions(group);
}

}  // namespace dohle::groups
