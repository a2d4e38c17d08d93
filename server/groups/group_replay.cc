#include "server/groups/group_replay.h"

#include <utility>

#include "protocol/messages/group_metadata_value.h"
#include "protocol/messages/legacy_offset_commit_value.h"
#include "protocol/messages/offset_commit_value.h"

namespace dohle::groups {

namespace {

using runtime::ErrorKind;
using runtime::failure;

std::optional<OffsetAndMetadata> parse_value(std::int16_t type, codec::Bytes bytes, std::int64_t record_offset) {
  protocol::OffsetCommitValue value;
  if (type != 0) {
    if (!coordinator::decode_value(bytes, value)) return std::nullopt;
    return offset_from(value, record_offset);
  }
  protocol::LegacyOffsetCommitValue legacy;
  if (!coordinator::decode_value(bytes, legacy)) return std::nullopt;
  value.offset = legacy.offset;
  value.metadata = legacy.metadata;
  value.commit_timestamp = legacy.commit_timestamp;
  return offset_from(value, record_offset);
}

ClassicGroupMember member_from(const protocol::GroupMetadataValue& group,
                               const protocol::GroupMetadataValue::MemberMetadata& stored) {
  ClassicGroupMember member;
  member.id = stored.member_id;
  member.group_instance_id = stored.group_instance_id;
  member.client_id = stored.client_id;
  member.client_host = stored.client_host;
  member.rebalance_timeout_ms = stored.rebalance_timeout == -1 ? stored.session_timeout : stored.rebalance_timeout;
  member.session_timeout_ms = stored.session_timeout;
  member.protocol_type = group.protocol_type;
  member.protocols = {{group.protocol.value_or(""), stored.subscription}};
  member.assignment = stored.assignment;
  return member;
}

}  // namespace

runtime::Result<ParsedOffsetCommit> parse_offset_commit(const coordinator::Record& record, std::int64_t record_offset) {
  ParsedOffsetCommit parsed;
  // The keys of both types have the same fields.
  if (!coordinator::decode_key(record.key, parsed.key)) {
    return failure(ErrorKind::corrupt, "the key of an offset cannot be read");
  }
  if (!record.value) return parsed;
  parsed.offset = parse_value(coordinator::record_type(record.key).value_or(1), *record.value, record_offset);
  if (!parsed.offset) {
    return failure(ErrorKind::corrupt, "the offset of group " + parsed.key.group + " for " + parsed.key.topic + "-" +
                                           std::to_string(parsed.key.partition) + " cannot be read");
  }
  return parsed;
}

runtime::Result<std::unique_ptr<ClassicGroup>> parse_classic_group(const std::string& id, codec::Bytes bytes) {
  protocol::GroupMetadataValue value;
  if (!coordinator::decode_value(bytes, value)) {
    return failure(ErrorKind::corrupt, "the group " + id + " cannot be read");
  }
  ClassicGroup::Stored stored;
  stored.state = value.members.empty() ? ClassicGroupState::empty : ClassicGroupState::stable;
  stored.generation = value.generation;
  if (!value.protocol_type.empty()) stored.protocol_type = value.protocol_type;
  stored.protocol_name = value.protocol;
  stored.leader = value.leader;
  if (value.current_state_timestamp != -1) stored.state_timestamp_ms = value.current_state_timestamp;
  auto group = std::make_unique<ClassicGroup>(id, std::move(stored));
  for (const auto& member : value.members) {
    const bool is_known = group->has_member(member.member_id) ||
                          (member.group_instance_id && group->static_member_id(*member.group_instance_id) != nullptr);
    if (is_known) return failure(ErrorKind::corrupt, "the group " + id + " has a member twice");
    group->add(member_from(value, member));
  }
  group->compute_subscribed_topics();
  return group;
}

}  // namespace dohle::groups
