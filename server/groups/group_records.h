// The records of offsets and classic groups, as Kafka 4.4.0 writes them. Source: GroupCoordinatorRecordHelpers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "codec/bytes.h"
#include "codec/uuid.h"
#include "protocol/messages/offset_commit_value.h"
#include "server/coordinator/record.h"
#include "server/groups/classic_group.h"

namespace dohle::groups {

/// A committed offset. Source: OffsetAndMetadata.
struct OffsetAndMetadata {
  std::int64_t committed_offset = -1;
  /// -1: the client gave none.
  std::int32_t leader_epoch = -1;
  std::string metadata;
  std::int64_t commit_timestamp_ms = -1;
  /// Only where an old request asked for it (OffsetCommit v2 to v4).
  std::optional<std::int64_t> expire_timestamp_ms;
  /// Zero in records of older releases.
  codec::Uuid topic_id;
  /// Where its record lies in the log.
  std::int64_t record_offset = -1;

  bool operator==(const OffsetAndMetadata&) const = default;
};

OffsetAndMetadata offset_from(const protocol::OffsetCommitValue& value, std::int64_t record_offset);

coordinator::Record offset_commit_record(const std::string& group, const std::string& topic, std::int32_t partition,
                                         const OffsetAndMetadata& offset);
coordinator::Record offset_commit_tombstone(const std::string& group, const std::string& topic, std::int32_t partition);

using Assignments = std::map<std::string, codec::Blob>;
/// A group with the assignment of each member. Members without one get empty bytes.
coordinator::Record group_metadata_record(const ClassicGroup& group, const Assignments& assignments);
/// What is written when a group was made by a join that is not complete yet.
coordinator::Record empty_group_metadata_record(const ClassicGroup& group);

}  // namespace dohle::groups
