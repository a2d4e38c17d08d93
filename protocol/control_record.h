// The keys of control records, and the values of the two that end a transaction. The values of the others are generated
// messages of the metadata quorum, which carry their own version.
// Source: org.apache.kafka.common.record.internal.ControlRecordType, EndTransactionMarker.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "codec/bytes.h"

namespace dohle::protocol {

enum class ControlRecordType : std::int16_t {
  abort = 0,
  commit = 1,
  leader_change = 2,
  snapshot_header = 3,
  snapshot_footer = 4,
  kraft_version = 5,
  kraft_voters = 6,
  unknown = -1,  // of a later release: to be passed over
};

/// int16 version 0, int16 type.
std::array<std::uint8_t, 4> control_record_key(ControlRecordType type);

/// Nothing when it is too short or its version is negative. Versions above 0 are read as 0.
std::optional<ControlRecordType> parse_control_record_key(codec::Bytes key);

/// The value of a commit or abort: int16 version 0, int32 coordinator epoch.
std::array<std::uint8_t, 6> end_transaction_value(std::int32_t coordinator_epoch);

/// The coordinator epoch. Nothing when it is too short or its version is negative; versions above 0 are read as 0.
std::optional<std::int32_t> parse_end_transaction_value(codec::Bytes value);

struct EndTransactionMarker {
  /// commit or abort.
  ControlRecordType type = ControlRecordType::abort;
  std::int32_t coordinator_epoch = 0;
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  std::int64_t timestamp_ms = -1;
};

/// A whole batch with the one marker (MemoryRecords.withEndTransactionMarker).
codec::Blob end_transaction_batch(std::int64_t base_offset, std::int32_t partition_leader_epoch,
                                  const EndTransactionMarker& marker);

}  // namespace dohle::protocol
