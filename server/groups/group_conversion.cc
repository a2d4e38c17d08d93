#include "server/groups/group_conversion.h"

#include <utility>

#include "server/groups/consumer_group_records.h"
#include "server/groups/embedded_consumer_protocol.h"
#include "server/groups/group_records.h"
#include "server/groups/java_hash_order.h"
#include "server/groups/topic_metadata_hash.h"

namespace dohle::groups {

using protocol::ErrorCode;

namespace {

std::unexpected<GroupFailure> not_upgraded(const ClassicGroup& group, const std::string& why) {
  return std::unexpected(GroupFailure{ErrorCode::group_id_not_found, "Cannot upgrade classic group " + group.id() +
                                                                         " to consumer group because " + why});
}

std::unexpected<GroupFailure> malformed(const ClassicGroup& group) {
  return not_upgraded(group, "the embedded consumer protocol is malformed.");
}

/// By topic, in the order of Java's HashMap.
using AssignedTopics = JavaHashMap<codec::Uuid, JavaHashSet<std::int32_t>>;

GroupResult<AssignedTopics> assigned_topics(const ClassicGroup& group, const ClassicGroupMember& member,
                                            const metadata::MetadataImage& image) {
  AssignedTopics topics;
  // It has joined and not synced yet.
  if (member.assignment.empty()) return topics;
  const auto assignment = parse_assignment(member.assignment);
  if (!assignment) return malformed(group);
  if (assignment->user_data && !assignment->user_data->empty()) {
    return not_upgraded(group,
                        "an unsupported custom assignor is in use. Please refer to the documentation or switch to a "
                        "default assignor before re-attempting the upgrade.");
  }
  for (const auto& [name, partitions] : assignment->assigned_partitions) {
    if (const auto* topic = image.topics->find(name)) {
      topics.put(topic->id, JavaHashSet<std::int32_t>::of(partitions));
    }
  }
  return topics;
}

ConsumerGroupMember member_of(const ClassicGroup& group, const ClassicGroupMember& classic,
                              const protocol::ConsumerProtocolSubscription& subscription) {
  ConsumerGroupMember member;
  member.id = classic.id;
  member.epoch = group.generation();
  member.previous_epoch = group.generation();
  member.instance_id = classic.group_instance_id;
  if (subscription.rack_id && !subscription.rack_id->empty()) member.rack_id = subscription.rack_id;
  member.rebalance_timeout_ms = classic.rebalance_timeout_ms;
  member.client_id = classic.client_id;
  member.client_host = classic.client_host;
  member.topic_names = JavaHashSet<std::string>::of(subscription.topics);
  auto& metadata = member.classic.emplace();
  metadata.session_timeout_ms = classic.session_timeout_ms;
  for (const auto& [name, bytes] : classic.protocols) metadata.supported_protocols.push_back({name, bytes, {}});
  return member;
}

ClassicGroupMember member_of(const ConsumerGroupMember& member) {
  ClassicGroupMember classic;
  classic.id = member.id;
  classic.group_instance_id = member.instance_id;
  classic.client_id = member.client_id;
  classic.client_host = member.client_host;
  classic.rebalance_timeout_ms = member.rebalance_timeout_ms;
  classic.session_timeout_ms = member.classic->session_timeout_ms;
  classic.protocol_type = consumer_protocol_type;
  for (const auto& protocol : member.classic->supported_protocols) {
    classic.protocols.push_back({protocol.name, protocol.metadata});
  }
  return classic;
}

}  // namespace

GroupResult<std::unique_ptr<ConsumerGroup>> consumer_group_of(const ClassicGroup& classic,
                                                              const metadata::MetadataImage& image) {
  auto group = std::make_unique<ConsumerGroup>(classic.id());
  group->set_epoch(classic.generation(), 0);
  group->set_target_metadata(classic.generation(), 0);
  std::vector<std::string> ids;
  for (const auto& [id, member] : classic.members()) ids.push_back(id);
  for (const auto& id : java_hash_order(std::move(ids))) {
    const auto& former = *classic.find(id);
    const auto assigned = assigned_topics(classic, former, image);
    if (!assigned) return std::unexpected(assigned.error());
    const auto* metadata = former.metadata(classic.protocol_name().value_or(""));
    if (metadata == nullptr) return std::unexpected(GroupFailure{ErrorCode::unknown_server_error, {}});
    const auto subscription = parse_subscription(*metadata);
    if (!subscription) return malformed(classic);
    auto member = member_of(classic, former, *subscription);
    TopicPartitionSets target;
    for (const auto& [topic, partitions] : *assigned) {
      auto& epochs = member.assigned[topic];
      for (const auto partition : partitions.keys()) {
        if (group->partition_epoch(topic, partition) != -1) {
          return std::unexpected(GroupFailure{ErrorCode::unknown_server_error, {}});
        }
        epochs.put(partition, classic.generation());
      }
      target.emplace_back(topic, partitions.keys());
    }
    group->set_target(id, std::move(target));
    group->put_member(std::move(member));
  }
  std::set<std::string> topics;
  for (const auto& [name, count] : group->subscriptions()) topics.insert(name);
  group->set_epoch(classic.generation(), group_metadata_hash(topics, image));
  return group;
}

void append_group_records(const ConsumerGroup& group, std::vector<coordinator::Record>& records) {
  for (const auto& [id, member] : group.members()) records.push_back(member_subscription_record(group.id(), member));
  records.push_back(group_epoch_record(group.id(), group.epoch(), group.metadata_hash()));
  for (const auto& [id, member] : group.members()) {
    records.push_back(target_assignment_record(group.id(), id, group.target_of(id)));
  }
  records.push_back(
      target_assignment_metadata_record(group.id(), group.assignment_epoch(), group.assignment_timestamp_ms()));
  for (const auto& [id, member] : group.members()) records.push_back(current_assignment_record(group.id(), member));
}

GroupResult<std::unique_ptr<ClassicGroup>> classic_group_of(const Downgrade& downgrade,
                                                            const metadata::MetadataImage& image, std::int64_t now_ms) {
  const auto& group = downgrade.group;
  const auto* joining = downgrade.joining;
  ClassicGroup::Stored stored;
  stored.state = ClassicGroupState::stable;
  stored.generation = group.epoch();
  stored.protocol_type = consumer_protocol_type;
  stored.state_timestamp_ms = now_ms;
  auto classic = std::make_unique<ClassicGroup>(group.id(), std::move(stored));
  for (const auto& [id, member] : group.members()) {
    const bool is_replaced = joining != nullptr && member.instance_id == joining->instance_id;
    if (!downgrade.leaving.contains(id) && !is_replaced) classic->add(member_of(member));
  }
  if (joining != nullptr) classic->add(member_of(*joining));
  classic->adopt_selected_protocol();

  GroupResult<std::unique_ptr<ClassicGroup>> result;
  classic->for_each_member([&](ClassicGroupMember& member) {
    const bool is_joining = joining != nullptr && member.id == joining->id;
    const auto& former_id = is_joining ? group.find_static_member(*joining->instance_id)->id : member.id;
    const auto* metadata = member.metadata(classic->protocol_name().value_or(""));
    const auto version = metadata == nullptr ? std::nullopt : embedded_version(*metadata);
    if (version) {
      member.assignment = embedded_assignment(group.target_of(former_id), image, *version);
    } else {
      result = std::unexpected(GroupFailure{ErrorCode::group_id_not_found,
                                            "Cannot downgrade the classic group " + group.id() + ": malformed."});
    }
  });
  if (result) result = std::move(classic);
  return result;
}

void append_downgrade_records(const Downgrade& downgrade, const ClassicGroup& classic,
                              std::vector<coordinator::Record>& records) {
  const auto* joining = downgrade.joining;
  if (joining == nullptr) {
    downgrade.group.append_tombstones(records);
  } else {
    // The records that put the new member in the place of the former one come first.
    const auto& replaced = downgrade.group.find_static_member(*joining->instance_id)->id;
    downgrade.group.append_tombstones(records, replaced, joining->id);
  }
  Assignments assignments;
  for (const auto& [id, member] : classic.members()) assignments.emplace(id, member.assignment);
  records.push_back(group_metadata_record(classic, assignments));
}

}  // namespace dohle::groups
