#include "server/groups/current_assignment_builder.h"

#include <algorithm>
#include <utility>

namespace dohle::groups {

namespace {

class CurrentAssignmentBuilder {
 public:
  CurrentAssignmentBuilder(const ConsumerGroupMember& member, const Reconciliation& reconciliation)
      : member_(member), to_(reconciliation) {}

  std::optional<ConsumerGroupMember> build() const {
    switch (member_.state) {
      case MemberState::stable:
        if (member_.epoch != to_.target_epoch) return next(member_.epoch);
        return to_.subscription_changed ? drop_unsubscribed() : member_;
      case MemberState::unrevoked_partitions:
        if (!still_owns(member_.pending_revocation)) return next(member_.epoch);
        return to_.subscription_changed ? drop_unsubscribed() : member_;
      case MemberState::unreleased_partitions:
        return next(member_.epoch);
      case MemberState::unknown:
        if (!to_.owned || !to_.owned->empty()) return std::nullopt;
        return next(to_.target_epoch);
    }
    return member_;
  }

 private:
  /// A member that does not say what it owns may own everything.
  bool still_owns(const OwnedPartitions& partitions) const {
    if (!to_.owned) return true;
    return std::ranges::any_of(*to_.owned, [&partitions](const auto& topic) {
      const auto* epochs = partitions.find(topic.topic_id);
      return epochs != nullptr &&
             std::ranges::any_of(topic.partitions, [epochs](auto partition) { return epochs->contains(partition); });
    });
  }

  /// The subscription changed, but not the target: what is not subscribed to has to go at once.
  ConsumerGroupMember drop_unsubscribed() const {
    auto assigned = OwnedPartitions::copy_of(member_.assigned);
    auto pending = OwnedPartitions::copy_of(member_.pending_revocation);
    bool dropped = false;
    if (to_.subscribed_topics.empty() && member_.pending_revocation.empty()) {
      // Counts as a change even if it had nothing.
      assigned = {};
      pending = member_.assigned;
      dropped = true;
    } else {
      for (const auto& [topic, epochs] : member_.assigned) {
        if (to_.subscribed_topics.contains(topic)) continue;
        dropped = true;
        assigned.erase(topic);
        if (auto* existing = pending.find(topic)) {
          for (const auto& [partition, epoch] : epochs) existing->put(partition, epoch);
        } else {
          pending.put(topic, epochs);
        }
      }
    }
    if (!dropped) return member_;
    auto updated = member_;
    updated.advance_to(member_.epoch);
    updated.assigned = std::move(assigned);
    if (!pending.empty() && still_owns(pending)) {
      updated.state = MemberState::unrevoked_partitions;
      updated.pending_revocation = std::move(pending);
    }
    return updated;
  }

  struct Parts {
    OwnedPartitions kept;
    OwnedPartitions to_revoke;
    JavaHashMap<codec::Uuid, JavaHashSet<std::int32_t>> to_assign;
    bool unreleased = false;
  };

  void split(const codec::Uuid& topic, Parts& parts) const {
    static const std::vector<std::int32_t> nothing;
    static const PartitionEpochs nowhere;
    const auto in_target = std::ranges::find(to_.target, topic, &TopicPartitionSets::value_type::first);
    const bool wanted = in_target != to_.target.end() && to_.subscribed_topics.contains(topic);
    const auto& target = wanted ? in_target->second : nothing;
    const auto* found = member_.assigned.find(topic);
    const auto& current = found == nullptr ? nowhere : *found;

    auto kept = PartitionEpochs::copy_of(current);
    auto to_revoke = PartitionEpochs::copy_of(current);
    for (const auto& [partition, epoch] : current) {
      (std::ranges::find(target, partition) == target.end() ? kept : to_revoke).erase(partition);
    }
    auto to_assign = JavaHashSet<std::int32_t>::of(target);
    const auto* own_pending = member_.pending_revocation.find(topic);
    for (const auto partition : target) {
      if (kept.contains(partition)) {
        to_assign.erase(partition);
        continue;
      }
      // What the member itself is giving back is nobody else's.
      const bool own = own_pending != nullptr && own_pending->contains(partition);
      if (own || to_.partition_epoch(topic, partition) == -1) continue;
      to_assign.erase(partition);
      parts.unreleased = true;
    }
    if (!kept.empty()) parts.kept.put(topic, std::move(kept));
    if (!to_revoke.empty()) parts.to_revoke.put(topic, std::move(to_revoke));
    if (!to_assign.empty()) parts.to_assign.put(topic, std::move(to_assign));
  }

  ConsumerGroupMember next(std::int32_t epoch) const {
    JavaHashSet<codec::Uuid> topics(JavaCapacity::set_of_collection(to_.target.size()));
    for (const auto& [topic, partitions] : to_.target) topics.add(topic);
    for (const auto& [topic, epochs] : member_.assigned) topics.add(topic);
    Parts parts;
    for (const auto& topic : topics.keys()) split(topic, parts);

    auto updated = member_;
    if (!parts.to_revoke.empty() && still_owns(parts.to_revoke)) {
      updated.state = MemberState::unrevoked_partitions;
      updated.advance_to(epoch);
      updated.assigned = std::move(parts.kept);
      updated.pending_revocation = std::move(parts.to_revoke);
      return updated;
    }
    for (const auto& [topic, partitions] : parts.to_assign) {
      auto& epochs = parts.kept.compute_if_absent(topic, [] { return PartitionEpochs(); });
      for (const auto partition : partitions.keys()) epochs.put(partition, to_.target_epoch);
    }
    updated.state = parts.unreleased ? MemberState::unreleased_partitions : MemberState::stable;
    updated.advance_to(to_.target_epoch);
    updated.assigned = std::move(parts.kept);
    updated.pending_revocation = {};
    return updated;
  }

  const ConsumerGroupMember& member_;
  const Reconciliation& to_;
};

}  // namespace

std::optional<ConsumerGroupMember> reconcile(const ConsumerGroupMember& member, const Reconciliation& reconciliation) {
  return CurrentAssignmentBuilder(member, reconciliation).build();
}

}  // namespace dohle::groups
