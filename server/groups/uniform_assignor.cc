#include "server/groups/uniform_assignor.h"

#include <algorithm>
#include <utility>

#include "server/groups/mutable_assignment.h"

namespace dohle::groups {

namespace {

class UniformAssignment {
 public:
  explicit UniformAssignment(const AssignableGroup& group) : group_(group) {
    // Its order of iteration, and so its capacity, decides which topics are handed out first.
    JavaHashSet<codec::Uuid> topics(JavaCapacity::set_of_collection(group.members.front().subscribed_name_count));
    for (const auto& topic : group.members.front().subscribed_topics) topics.add(topic);
    topics_ = topics.keys();
    for (const auto& member : group.members) assignments_.emplace_back(member.assignment);
  }

  GroupAssignment build() {
    std::vector<TopicPartitionSets> results(group_.members.size());
    if (topics_.empty()) return results;
    std::int32_t total = 0;
    for (const auto& topic : topics_) {
      const auto count = group_.partition_count(topic);
      if (count < 0) {
        return std::unexpected("Members are subscribed to topic " + topic.to_string() +
                               " which doesn't exist in the topic metadata.");
      }
      total += count;
      for (std::int32_t partition = 0; partition < count; ++partition) {
        if (!group_.is_assigned(topic, partition)) unassigned_.emplace_back(topic, partition);
      }
    }
    const auto member_count = static_cast<std::int32_t>(group_.members.size());
    quota_min_ = total / member_count;
    extra_left_ = total % member_count;
    for (std::size_t index = 0; index < group_.members.size(); ++index) keep(index);
    if (!hand_out()) return std::unexpected("Partitions were left unassigned");
    for (std::size_t index = 0; index < results.size(); ++index) results[index] = assignments_[index].result();
    return results;
  }

 private:
  /// Lets a member keep what it has, up to its quota, and notes how many more it takes.
  void keep(std::size_t index) {
    bool has_extra = extra_left_ > 0;
    std::int32_t quota = quota_min_ + (has_extra ? 1 : 0);
    for (const auto& [topic, partitions] : group_.members[index].assignment) {
      if (std::ranges::find(topics_, topic) == topics_.end()) {
        assignments_[index].copy().erase(topic);
        continue;
      }
      const auto size = static_cast<std::int32_t>(partitions.size());
      if (size <= quota) {
        quota -= size;
        continue;
      }
      for (const auto partition : partitions) {
        if (quota > 0) {
          --quota;
          continue;
        }
        assignments_[index].remove(topic, partition);
        unassigned_.emplace_back(topic, partition);
      }
    }
    // Somebody else may have the extra partition, unless only as many members are left as there are extra ones.
    if (quota > 0 && has_extra && static_cast<std::int32_t>(group_.members.size() - index) > extra_left_) {
      --quota;
      has_extra = false;
    }
    if (quota > 0) unfilled_.emplace_back(index, quota);
    if (has_extra) --extra_left_;
  }

  bool hand_out() {
    std::size_t next = 0;
    for (const auto& [index, quota] : unfilled_) {
      auto& assignment = assignments_[index].copy();
      for (std::int32_t i = 0; i < quota && next < unassigned_.size(); ++i, ++next) {
        const auto& [topic, partition] = unassigned_[next];
        assignment.compute_if_absent(topic, [] { return JavaHashSet<std::int32_t>(); }).add(partition);
      }
    }
    return next == unassigned_.size();
  }

  const AssignableGroup& group_;
  std::vector<codec::Uuid> topics_;
  std::vector<MutableAssignment> assignments_;  // by member
  std::vector<std::pair<codec::Uuid, std::int32_t>> unassigned_;
  std::vector<std::pair<std::size_t, std::int32_t>> unfilled_;  // member, and how many it takes
  std::int32_t quota_min_ = 0;
  std::int32_t extra_left_ = 0;
};

}  // namespace

GroupAssignment assign_uniformly(const AssignableGroup& group) {
  return UniformAssignment(group).build();
}

}  // namespace dohle::groups
