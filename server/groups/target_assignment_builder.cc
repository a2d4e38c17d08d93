#include "server/groups/target_assignment_builder.h"

#include <utility>

#include "server/groups/consumer_group_records.h"

namespace dohle::groups {

namespace {

struct MemberView {
  const ConsumerGroupMember* member;
  /// nullptr: it has none.
  const TopicPartitionSets* target;
};

/// The group's members as they will be, in the order of Kafka's HashMap of their specifications.
JavaHashMap<std::string, MemberView> members_of(const TargetRequest& request) {
  const auto& group = request.group;
  const auto& changed = request.member;
  const auto* replaced = changed.instance_id ? group.find_static_member(*changed.instance_id) : nullptr;
  if (replaced != nullptr && replaced->id == changed.id) replaced = nullptr;
  JavaHashMap<std::string, MemberView> views;
  for (const auto& [id, member] : group.members()) {
    if (replaced != nullptr && id == replaced->id) continue;
    views.put(id, {id == changed.id ? &changed : &member, group.targets().find(id)});
  }
  if (views.contains(changed.id)) return views;
  views.put(changed.id, {&changed, group.targets().find(replaced != nullptr ? replaced->id : changed.id)});
  return views;
}

AssignableMember assignable(const TargetRequest& request, const MemberView& view) {
  AssignableMember member;
  member.id = view.member->id;
  member.instance_id = view.member->instance_id;
  member.rack_id = view.member->rack_id;
  const auto names = request.group.subscription_of(*view.member);
  member.subscribed_name_count = names.size();
  for (const auto& name : names) {
    if (const auto* topic = request.image.topics->find(name)) member.subscribed_topics.push_back(topic->id);
  }
  if (view.target != nullptr) member.assignment = *view.target;
  return member;
}

}  // namespace

std::expected<TargetAssignment, std::string> build_target(const TargetRequest& request) {
  const auto views = members_of(request);
  AssignableGroup group;
  group.homogeneous = request.homogeneous;
  for (const auto& [id, view] : views) group.members.push_back(assignable(request, view));
  group.is_assigned = [&request](const codec::Uuid& topic, std::int32_t partition) {
    return request.group.is_in_a_target(topic, partition);
  };
  group.partition_count = [&request](const codec::Uuid& id) {
    const auto* topic = request.image.topics->find(id);
    return topic == nullptr ? -1 : static_cast<std::int32_t>(topic->partitions.size());
  };
  auto assigned = assign_partitions(request.assignor, group);
  if (!assigned) return std::unexpected(std::move(assigned.error()));

  TargetAssignment result;
  std::size_t index = 0;
  for (const auto& [id, view] : views) {
    auto& target = (*assigned)[index++];
    if (view.target == nullptr || !same_partitions(target, *view.target)) {
      result.records.push_back(target_assignment_record(request.group.id(), id, target));
    }
    if (id == request.member.id) result.target = std::move(target);
  }
  result.records.push_back(target_assignment_metadata_record(request.group.id(), request.epoch, request.now_ms));
  return result;
}

}  // namespace dohle::groups
