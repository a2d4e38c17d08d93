// Finds the entries of a log (record batches, and messages of the formats before them) in a byte range.
// Source: org.apache.kafka.common.record.internal.ByteBufferLogInputStream, AbstractLegacyRecordBatch, LegacyRecord.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "codec/bytes.h"
#include "protocol/record_batch.h"

namespace dohle::protocol {

enum class EntryStatus {
  complete,    // an entry begins and ends within the range
  incomplete,  // the range ends before the entry does, or is empty
  corrupt,     // a length below the smallest message, or a magic above 2 or below 0
};

struct RecordEntry {
  EntryStatus status = EntryStatus::incomplete;
  /// When complete: the whole entry.
  codec::Bytes bytes;
  std::int8_t magic = 0;
  /// When incomplete: how long the range would have to be, as far as that is known (12 or 17 while the head is cut).
  std::size_t size_bytes_needed = 0;

  bool complete() const { return status == EntryStatus::complete; }
  std::int64_t offset() const;
  /// Nothing for a legacy entry, and for a batch that is shorter than its header.
  std::optional<RecordBatch> batch() const;
};

/// Looks at the entry that begins where `range` does. Believes nothing but the length and the magic.
RecordEntry next_entry(codec::Bytes range);

/// A message of format 0 or 1 (or a wrapper around compressed ones): crc u32, magic i8, attributes i8,
/// timestamp i64 in format 1, key, value. Its offset is that of its last message.
class LegacyEntry {
 public:
  /// `entry` must be complete and of magic 0 or 1; its bytes outlive the view.
  explicit LegacyEntry(const RecordEntry& entry) : bytes_(entry.bytes), magic_(entry.magic) {}

  std::int64_t offset() const;
  std::int8_t magic() const { return magic_; }
  /// False also when it is too short for its format; nothing below may be asked then.
  bool is_valid() const;
  /// `no_timestamp` in format 0.
  std::int64_t timestamp() const;
  TimestampType timestamp_type() const { return static_cast<TimestampType>((bytes_[17] >> 3) & 1); }
  std::optional<codec::Compression> compression() const;

 private:
  codec::Bytes bytes_;
  std::int8_t magic_;
};

}  // namespace dohle::protocol
