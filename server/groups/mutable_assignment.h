// A member's target assignment while an assignor changes it. Source: AssignorHelpers.
#pragma once

#include "server/groups/java_hash_map.h"
#include "server/groups/partition_assignor.h"

namespace dohle::groups {

/// Kafka copies a member's assignment only when it changes it, and the copy iterates in another order than the
/// original; so do we.
class MutableAssignment {
 public:
  explicit MutableAssignment(const TopicPartitionSets& original) : original_(original) {}

  /// The deep copy, made once.
  JavaHashMap<codec::Uuid, JavaHashSet<std::int32_t>>& copy() {
    if (copied_) return map_;
    copied_ = true;
    map_ = JavaHashMap<codec::Uuid, JavaHashSet<std::int32_t>>(JavaCapacity::initial(original_.size()));
    for (const auto& [topic, partitions] : original_) map_.put(topic, JavaHashSet<std::int32_t>::of(partitions));
    return map_;
  }

  /// Takes the partition away, and the topic with its last one.
  void remove(const codec::Uuid& topic, std::int32_t partition) {
    auto& assignment = copy();
    auto* partitions = assignment.find(topic);
    if (partitions == nullptr) return;
    partitions->erase(partition);
    if (partitions->empty()) assignment.erase(topic);
  }

  TopicPartitionSets result() const {
    if (!copied_) return original_;
    TopicPartitionSets sets;
    sets.reserve(map_.size());
    for (const auto& [topic, partitions] : map_) sets.emplace_back(topic, partitions.keys());
    return sets;
  }

 private:
  const TopicPartitionSets& original_;
  bool copied_ = false;
  JavaHashMap<codec::Uuid, JavaHashSet<std::int32_t>> map_;
};

}  // namespace dohle::groups
