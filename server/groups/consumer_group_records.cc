#include "server/groups/consumer_group_records.h"

#include <algorithm>

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

namespace dohle::groups {

namespace {

template <typename Key>
Key group_key(const std::string& group) {
  Key key;
  key.group_id = group;
  return key;
}

template <typename Key>
Key member_key(const std::string& group, const std::string& member) {
  auto key = group_key<Key>(group);
  key.member_id = member;
  return key;
}

protocol::ConsumerGroupRegularExpressionKey regex_key(const std::string& group, const std::string& regex) {
  auto key = group_key<protocol::ConsumerGroupRegularExpressionKey>(group);
  key.regular_expression = regex;
  return key;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

std::vector<protocol::ConsumerGroupCurrentMemberAssignmentValue::TopicPartitions> topics_of(
    const OwnedPartitions& owned) {
  std::vector<protocol::ConsumerGroupCurrentMemberAssignmentValue::TopicPartitions> topics;
  for (const auto& [id, epochs] : owned) {
    auto& topic = topics.emplace_back();
    topic.topic_id = id;
    topic.assignment_epochs.emplace();
    for (const auto& [partition, epoch] : epochs) {
      topic.partitions.push_back(partition);
      topic.assignment_epochs->push_back(epoch);
    }
  }
  return topics;
}

}  // namespace

coordinator::Record group_epoch_record(const std::string& group, std::int32_t epoch, std::int64_t metadata_hash) {
  protocol::ConsumerGroupMetadataValue value;
  value.epoch = epoch;
  value.metadata_hash = metadata_hash;
  return coordinator::make_record(group_key<protocol::ConsumerGroupMetadataKey>(group), 0, value);
}

coordinator::Record member_subscription_record(const std::string& group, const ConsumerGroupMember& member) {
  protocol::ConsumerGroupMemberMetadataValue value;
  value.instance_id = member.instance_id;
  value.rack_id = member.rack_id;
  value.client_id = member.client_id;
  value.client_host = member.client_host;
  value.subscribed_topic_names = sorted(member.topic_names.keys());
  value.subscribed_topic_regex = member.topic_regex;
  value.rebalance_timeout_ms = member.rebalance_timeout_ms;
  value.server_assignor = member.assignor_name;
  value.classic_member_metadata = member.classic;
  return coordinator::make_record(member_key<protocol::ConsumerGroupMemberMetadataKey>(group, member.id), 0, value);
}

coordinator::Record target_assignment_record(const std::string& group, const std::string& member,
                                             const TopicPartitionSets& partitions) {
  protocol::ConsumerGroupTargetAssignmentMemberValue value;
  for (const auto& [id, list] : partitions) {
    auto& topic = value.topic_partitions.emplace_back();
    topic.topic_id = id;
    topic.partitions = list;
  }
  return coordinator::make_record(member_key<protocol::ConsumerGroupTargetAssignmentMemberKey>(group, member), 0,
                                  value);
}

coordinator::Record target_assignment_metadata_record(const std::string& group, std::int32_t epoch,
                                                      std::int64_t timestamp_ms) {
  protocol::ConsumerGroupTargetAssignmentMetadataValue value;
  value.assignment_epoch = epoch;
  value.assignment_timestamp = timestamp_ms;
  return coordinator::make_record(group_key<protocol::ConsumerGroupTargetAssignmentMetadataKey>(group), 0, value);
}

coordinator::Record current_assignment_record(const std::string& group, const ConsumerGroupMember& member) {
  protocol::ConsumerGroupCurrentMemberAssignmentValue value;
  value.member_epoch = member.epoch;
  value.previous_member_epoch = member.previous_epoch;
  value.state = static_cast<std::int8_t>(member.state);
  value.assigned_partitions = topics_of(member.assigned);
  value.partitions_pending_revocation = topics_of(member.pending_revocation);
  return coordinator::make_record(member_key<protocol::ConsumerGroupCurrentMemberAssignmentKey>(group, member.id), 0,
                                  value);
}

coordinator::Record regex_record(const std::string& group, const std::string& regex, const ResolvedRegex& resolved) {
  protocol::ConsumerGroupRegularExpressionValue value;
  value.topics = sorted(resolved.topics.keys());
  value.version = resolved.version;
  value.timestamp = resolved.timestamp_ms;
  return coordinator::make_record(regex_key(group, regex), 0, value);
}

coordinator::Record group_epoch_tombstone(const std::string& group) {
  return coordinator::make_tombstone(group_key<protocol::ConsumerGroupMetadataKey>(group));
}

coordinator::Record partition_metadata_tombstone(const std::string& group) {
  return coordinator::make_tombstone(group_key<protocol::ConsumerGroupPartitionMetadataKey>(group));
}

coordinator::Record member_subscription_tombstone(const std::string& group, const std::string& member) {
  return coordinator::make_tombstone(member_key<protocol::ConsumerGroupMemberMetadataKey>(group, member));
}

coordinator::Record target_assignment_tombstone(const std::string& group, const std::string& member) {
  return coordinator::make_tombstone(member_key<protocol::ConsumerGroupTargetAssignmentMemberKey>(group, member));
}

coordinator::Record target_assignment_metadata_tombstone(const std::string& group) {
  return coordinator::make_tombstone(group_key<protocol::ConsumerGroupTargetAssignmentMetadataKey>(group));
}

coordinator::Record current_assignment_tombstone(const std::string& group, const std::string& member) {
  return coordinator::make_tombstone(member_key<protocol::ConsumerGroupCurrentMemberAssignmentKey>(group, member));
}

coordinator::Record regex_tombstone(const std::string& group, const std::string& regex) {
  return coordinator::make_tombstone(regex_key(group, regex));
}

}  // namespace dohle::groups
