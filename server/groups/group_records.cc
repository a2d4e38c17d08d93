#include "server/groups/group_records.h"

#include "protocol/messages/group_metadata_key.h"
#include "protocol/messages/group_metadata_value.h"
#include "protocol/messages/offset_commit_key.h"

namespace dohle::groups {

namespace {

constexpr std::int16_t group_metadata_version = 3;
constexpr std::int16_t offset_commit_version = 4;
/// The one version that can say when an offset expires.
constexpr std::int16_t offset_commit_version_with_expiry = 1;

protocol::OffsetCommitKey offset_key(const std::string& group, const std::string& topic, std::int32_t partition) {
  protocol::OffsetCommitKey key;
  key.group = group;
  key.topic = topic;
  key.partition = partition;
  return key;
}

protocol::GroupMetadataKey group_key(const ClassicGroup& group) {
  protocol::GroupMetadataKey key;
  key.group = group.id();
  return key;
}

protocol::GroupMetadataValue::MemberMetadata member_metadata(const ClassicGroup& group,
                                                             const ClassicGroupMember& member,
                                                             const Assignments& assignments) {
  protocol::GroupMetadataValue::MemberMetadata entry;
  entry.member_id = member.id;
  entry.group_instance_id = member.group_instance_id;
  entry.client_id = member.client_id;
  entry.client_host = member.client_host;
  entry.rebalance_timeout = member.rebalance_timeout_ms;
  entry.session_timeout = member.session_timeout_ms;
  if (const auto* metadata = member.metadata(group.protocol_name().value_or(""))) entry.subscription = *metadata;
  if (const auto found = assignments.find(member.id); found != assignments.end()) entry.assignment = found->second;
  return entry;
}

}  // namespace

OffsetAndMetadata offset_from(const protocol::OffsetCommitValue& value, std::int64_t record_offset) {
  OffsetAndMetadata offset;
  offset.committed_offset = value.offset;
  offset.leader_epoch = value.leader_epoch;
  offset.metadata = value.metadata;
  offset.commit_timestamp_ms = value.commit_timestamp;
  if (value.expire_timestamp != -1) offset.expire_timestamp_ms = value.expire_timestamp;
  offset.topic_id = value.topic_id;
  offset.record_offset = record_offset;
  return offset;
}

coordinator::Record offset_commit_record(const std::string& group, const std::string& topic, std::int32_t partition,
                                         const OffsetAndMetadata& offset) {
  protocol::OffsetCommitValue value;
  value.offset = offset.committed_offset;
  value.leader_epoch = offset.leader_epoch;
  value.metadata = offset.metadata;
  value.commit_timestamp = offset.commit_timestamp_ms;
  value.expire_timestamp = offset.expire_timestamp_ms.value_or(-1);
  value.topic_id = offset.topic_id;
  const auto version = offset.expire_timestamp_ms ? offset_commit_version_with_expiry : offset_commit_version;
  return coordinator::make_record(offset_key(group, topic, partition), version, value);
}

coordinator::Record offset_commit_tombstone(const std::string& group, const std::string& topic,
                                            std::int32_t partition) {
  return coordinator::make_tombstone(offset_key(group, topic, partition));
}

coordinator::Record group_metadata_record(const ClassicGroup& group, const Assignments& assignments) {
  protocol::GroupMetadataValue value;
  value.protocol_type = group.protocol_type().value_or("");
  value.generation = group.generation();
  value.protocol = group.protocol_name();
  value.leader = group.leader();
  value.current_state_timestamp = group.state_timestamp_ms().value_or(-1);
  for (const auto& [id, member] : group.members()) value.members.push_back(member_metadata(group, member, assignments));
  return coordinator::make_record(group_key(group), group_metadata_version, value);
}

coordinator::Record empty_group_metadata_record(const ClassicGroup& group) {
  protocol::GroupMetadataValue value;
  value.protocol = std::nullopt;
  value.leader = std::nullopt;
  value.current_state_timestamp = group.state_timestamp_ms().value_or(-1);
  return coordinator::make_record(group_key(group), group_metadata_version, value);
}

}  // namespace dohle::groups
