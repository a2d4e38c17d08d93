// What a consumer group's records do to it. Source: the replay() methods of GroupMetadataManager.
#include "protocol/messages/consumer_group_current_member_assignment_key.h"
#include "protocol/messages/consumer_group_member_metadata_key.h"
#include "protocol/messages/consumer_group_metadata_key.h"
#include "protocol/messages/consumer_group_metadata_value.h"
#include "protocol/messages/consumer_group_partition_metadata_key.h"
#include "protocol/messages/consumer_group_regular_expression_key.h"
#include "protocol/messages/consumer_group_regular_expression_value.h"
#include "protocol/messages/consumer_group_target_assignment_member_key.h"
#include "protocol/messages/consumer_group_target_assignment_member_value.h"
#include "protocol/messages/consumer_group_target_assignment_metadata_key.h"
#include "protocol/messages/consumer_group_target_assignment_metadata_value.h"
#include "server/groups/consumer_coordinator.h"

namespace dohle::groups {

namespace {

std::unexpected<runtime::Error> corrupt(std::string what) {
  return runtime::failure(runtime::ErrorKind::corrupt, std::move(what));
}

/// A key and its value, read; no value: a tombstone.
template <typename Key, typename Value>
struct Read {
  Key key;
  std::optional<Value> value;
};

template <typename Key, typename Value>
runtime::Result<Read<Key, Value>> read(const coordinator::Record& record) {
  Read<Key, Value> result;
  if (!coordinator::decode_key(record.key, result.key)) return corrupt("a consumer group's key cannot be read");
  if (!record.value) return result;
  if (!coordinator::decode_value(*record.value, result.value.emplace())) {
    return corrupt("a consumer group's record cannot be read: group " + result.key.group_id);
  }
  return result;
}

/// The group that the record is about: a new one if it has a value. nullptr without an error: nothing to delete.
runtime::Result<ConsumerGroup*> group_of(ConsumerGroups& groups, const std::string& id, bool create) {
  auto* group = groups.find(id);
  if (group != nullptr) return group;
  if (!create && !groups.is_of_another_type(id)) return nullptr;
  group = groups.create(id);
  if (group == nullptr) return corrupt("group " + id + " is not a consumer group");
  return group;
}

/// Reads the record and has `apply(group, key, value)` do to its group what it says; nothing where there is nothing to
/// delete.
template <typename Key, typename Value, typename Apply>
runtime::Status replay_into(ConsumerGroups& groups, const coordinator::Record& record, const Apply& apply) {
  const auto parsed = read<Key, Value>(record);
  if (!parsed) return std::unexpected(parsed.error());
  const auto group = group_of(groups, parsed->key.group_id, parsed->value.has_value());
  if (!group) return std::unexpected(group.error());
  return *group == nullptr ? runtime::Status{} : apply(**group, parsed->key, parsed->value);
}

runtime::Status replay_epoch(ConsumerGroups& groups, const coordinator::Record& record) {
  using Key = protocol::ConsumerGroupMetadataKey;
  using Value = protocol::ConsumerGroupMetadataValue;
  return replay_into<Key, Value>(
      groups, record,
      [&groups](ConsumerGroup& group, const Key& key, const std::optional<Value>& value) -> runtime::Status {
        const auto& id = key.group_id;
        if (value) {
          group.set_epoch(value->epoch, value->metadata_hash);
          return {};
        }
        if (!group.is_empty()) return corrupt("group " + id + " is deleted, and still has members");
        if (!group.targets().empty()) return corrupt("group " + id + " is deleted, and still has a target assignment");
        if (group.assignment_epoch() != -1) return corrupt("group " + id + " is deleted before its target's epoch");
        groups.remove(id);
        return {};
      });
}

runtime::Status replay_partition_metadata(ConsumerGroups& groups, const coordinator::Record& record) {
  protocol::ConsumerGroupPartitionMetadataKey key;
  if (!coordinator::decode_key(record.key, key)) return corrupt("a consumer group's key cannot be read");
  const auto group = group_of(groups, key.group_id, record.value.has_value());
  if (!group) return std::unexpected(group.error());
  if (*group != nullptr) (*group)->set_partition_metadata_record(record.value.has_value());
  return {};
}

runtime::Status replay_member(ConsumerGroups& groups, const coordinator::Record& record) {
  using Key = protocol::ConsumerGroupMemberMetadataKey;
  using Value = protocol::ConsumerGroupMemberMetadataValue;
  return replay_into<Key, Value>(
      groups, record, [](ConsumerGroup& group, const Key& key, const std::optional<Value>& value) -> runtime::Status {
        const auto* former = group.find_member(key.member_id);
        if (value) {
          ConsumerGroupMember member;
          if (former != nullptr) member = *former;
          member.id = key.member_id;
          member.apply(*value);
          group.put_member(std::move(member));
          return {};
        }
        if (former == nullptr) return {};
        if (former->epoch != leave_epoch)
          return corrupt("member " + key.member_id + " is deleted before its assignment");
        if (group.targets().contains(key.member_id)) {
          return corrupt("member " + key.member_id + " is deleted before its target assignment");
        }
        group.remove_member(key.member_id);
        return {};
      });
}

runtime::Status replay_target_metadata(ConsumerGroups& groups, const coordinator::Record& record) {
  using Key = protocol::ConsumerGroupTargetAssignmentMetadataKey;
  using Value = protocol::ConsumerGroupTargetAssignmentMetadataValue;
  return replay_into<Key, Value>(
      groups, record, [](ConsumerGroup& group, const Key& key, const std::optional<Value>& value) -> runtime::Status {
        if (!value && !group.targets().empty()) {
          return corrupt("the target assignment of group " + key.group_id + " is deleted, and still has members");
        }
        group.set_target_metadata(value ? value->assignment_epoch : -1, value ? value->assignment_timestamp : 0);
        return {};
      });
}

runtime::Status replay_target(ConsumerGroups& groups, const coordinator::Record& record) {
  using Key = protocol::ConsumerGroupTargetAssignmentMemberKey;
  using Value = protocol::ConsumerGroupTargetAssignmentMemberValue;
  return replay_into<Key, Value>(
      groups, record, [](ConsumerGroup& group, const Key& key, const std::optional<Value>& value) -> runtime::Status {
        if (!value) {
          group.remove_target(key.member_id);
          return {};
        }
        TopicPartitionSets target;
        for (const auto& topic : value->topic_partitions) target.emplace_back(topic.topic_id, topic.partitions);
        group.set_target(key.member_id, std::move(target));
        return {};
      });
}

runtime::Status replay_current(ConsumerGroups& groups, const coordinator::Record& record) {
  using Key = protocol::ConsumerGroupCurrentMemberAssignmentKey;
  using Value = protocol::ConsumerGroupCurrentMemberAssignmentValue;
  return replay_into<Key, Value>(
      groups, record, [](ConsumerGroup& group, const Key& key, const std::optional<Value>& value) -> runtime::Status {
        const auto* former = group.find_member(key.member_id);
        if (former == nullptr && !value) return {};
        ConsumerGroupMember member;
        if (former != nullptr) member = *former;
        member.id = key.member_id;
        if (value) {
          member.apply(*value);
        } else {
          member.epoch = leave_epoch;
          member.previous_epoch = leave_epoch;
          member.assigned = {};
          member.pending_revocation = {};
        }
        group.put_member(std::move(member));
        return {};
      });
}

runtime::Status replay_regex(ConsumerGroups& groups, const coordinator::Record& record) {
  using Key = protocol::ConsumerGroupRegularExpressionKey;
  using Value = protocol::ConsumerGroupRegularExpressionValue;
  return replay_into<Key, Value>(
      groups, record, [](ConsumerGroup& group, const Key& key, const std::optional<Value>& value) -> runtime::Status {
        if (value) {
          group.put_resolved_regex(key.regular_expression,
                                   {JavaHashSet<std::string>::of(value->topics), value->version, value->timestamp});
        } else {
          group.remove_resolved_regex(key.regular_expression);
        }
        return {};
      });
}

using Replay = runtime::Status (*)(ConsumerGroups&, const coordinator::Record&);

/// nullptr: not a consumer group's record.
Replay replay_of(std::int16_t type) {
  switch (type) {
    case protocol::ConsumerGroupMetadataKey::record_type:
      return replay_epoch;
    case protocol::ConsumerGroupPartitionMetadataKey::record_type:
      return replay_partition_metadata;
    case protocol::ConsumerGroupMemberMetadataKey::record_type:
      return replay_member;
    case protocol::ConsumerGroupTargetAssignmentMetadataKey::record_type:
      return replay_target_metadata;
    case protocol::ConsumerGroupTargetAssignmentMemberKey::record_type:
      return replay_target;
    case protocol::ConsumerGroupCurrentMemberAssignmentKey::record_type:
      return replay_current;
    case protocol::ConsumerGroupRegularExpressionKey::record_type:
      return replay_regex;
    default:
      return nullptr;
  }
}

}  // namespace

bool ConsumerCoordinator::replays(std::int16_t record_type) {
  return replay_of(record_type) != nullptr;
}

runtime::Status ConsumerCoordinator::replay(const coordinator::Record& record) {
  const auto type = coordinator::record_type(record.key);
  if (!type) return corrupt("a record key without a type");
  const auto apply = replay_of(*type);
  return apply == nullptr ? runtime::Status{} : apply(groups_, record);
}

}  // namespace dohle::groups
