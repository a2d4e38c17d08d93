// Reads the records of offsets and classic groups. Errors are `corrupt`: Kafka's loader falls over them, too.
// Source: GroupCoordinatorRecordSerde, GroupMetadataManager.replay.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "protocol/messages/offset_commit_key.h"
#include "server/coordinator/record.h"
#include "server/groups/classic_group.h"
#include "server/groups/group_records.h"
#include "server/runtime/result.h"

namespace dohle::groups {

struct ParsedOffsetCommit {
  protocol::OffsetCommitKey key;
  /// Nothing: a tombstone.
  std::optional<OffsetAndMetadata> offset;
};

/// Types 0 and 1.
runtime::Result<ParsedOffsetCommit> parse_offset_commit(const coordinator::Record& record, std::int64_t record_offset);

/// A group as it is after loading: Stable with its members, or Empty.
runtime::Result<std::unique_ptr<ClassicGroup>> parse_classic_group(const std::string& id, codec::Bytes value);

}  // namespace dohle::groups
