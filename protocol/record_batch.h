// A record batch in format version 2: a view of its bytes, and the changes that a leader makes to them in place.
// Source: org.apache.kafka.common.record.internal.DefaultRecordBatch.
//
//    0 base_offset i64            12 partition_leader_epoch i32     23 last_offset_delta i32   51 producer_epoch i16
//    8 batch_length i32           16 magic i8 (2)                   27 base_timestamp i64      53 base_sequence i32
//      (what follows this field)  17 crc u32 (CRC-32C from 21 on)   35 max_timestamp i64       57 record_count i32
//                                 21 attributes i16                 43 producer_id i64         61 records
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "codec/bytes.h"
#include "codec/compression.h"

namespace dohle::protocol {

inline constexpr std::size_t record_batch_overhead = 61;
/// Offset and length, which every entry of a log begins with.
inline constexpr std::size_t log_overhead = 12;

inline constexpr std::int64_t no_timestamp = -1;
inline constexpr std::int64_t no_producer_id = -1;
inline constexpr std::int16_t no_producer_epoch = -1;
inline constexpr std::int32_t no_sequence = -1;
inline constexpr std::int32_t no_partition_leader_epoch = -1;

enum class TimestampType : std::int8_t { create_time = 0, log_append_time = 1 };

/// Sequences are never negative: after 2^31 - 1 comes 0.
constexpr std::int32_t increment_sequence(std::int32_t sequence, std::int32_t increment) {
  constexpr std::int64_t modulus = std::int64_t{1} << 31;
  return static_cast<std::int32_t>((std::int64_t{sequence} + increment) % modulus);
}

class RecordBatch {
 public:
  /// `bytes` is exactly one entry of magic 2 with at least `record_batch_overhead` bytes (next_entry() says so) and
  /// outlives the view. Nothing else is assumed: fields and checksum may hold anything.
  explicit RecordBatch(codec::Bytes bytes) : bytes_(bytes) {}

  codec::Bytes bytes() const { return bytes_; }
  std::size_t size_bytes() const { return bytes_.size(); }
  /// Everything after the header, compressed if the batch is.
  codec::Bytes payload() const { return bytes_.subspan(record_batch_overhead); }

  std::int64_t base_offset() const;
  std::int32_t partition_leader_epoch() const;
  std::uint32_t crc() const;
  std::int32_t last_offset_delta() const;
  std::int64_t last_offset() const;
  std::int64_t base_timestamp() const;
  std::int64_t max_timestamp() const;
  std::int64_t producer_id() const;
  std::int16_t producer_epoch() const;
  std::int32_t base_sequence() const;
  /// `no_sequence` when there is no base sequence.
  std::int32_t last_sequence() const;
  std::int32_t record_count() const;
  bool has_producer_id() const { return producer_id() > no_producer_id; }

  /// Only the low byte means anything.
  std::uint8_t attributes() const { return bytes_[22]; }
  /// Nothing for the ids 5 to 7.
  std::optional<codec::Compression> compression() const;
  bool is_compressed() const { return (attributes() & 0x07) != 0; }
  TimestampType timestamp_type() const { return static_cast<TimestampType>((attributes() >> 3) & 1); }
  bool is_transactional() const { return (attributes() & 0x10) != 0; }
  bool is_control() const { return (attributes() & 0x20) != 0; }
  bool has_delete_horizon() const { return (attributes() & 0x40) != 0; }
  /// When tombstones and markers in the batch may be dropped (KIP-534); it stands where the base timestamp does.
  std::optional<std::int64_t> delete_horizon_ms() const;

  std::uint32_t computed_crc() const;
  bool crc_is_valid() const { return crc() == computed_crc(); }

 protected:
  codec::Bytes bytes_;
};

class MutableRecordBatch : public RecordBatch {
 public:
  explicit MutableRecordBatch(codec::MutableBytes bytes) : RecordBatch(bytes), mutable_bytes_(bytes) {}

  /// Neither of these is under the checksum: constant time.
  void set_base_offset(std::int64_t offset);
  void set_partition_leader_epoch(std::int32_t epoch);
  /// Moves the base offset so that this becomes the last.
  void set_last_offset(std::int64_t offset);

  /// Sets maximum and type and recomputes the checksum, but only if one of the two differs. Bits of the attributes that
  /// mean nothing are cleared then. Precondition: `compression()` is known.
  void set_max_timestamp(TimestampType type, std::int64_t max_timestamp);

 private:
  codec::MutableBytes mutable_bytes_;
};

/// All that a batch's header says but its length and checksum.
struct RecordBatchHeader {
  std::int64_t base_offset = 0;
  std::int32_t partition_leader_epoch = no_partition_leader_epoch;
  codec::Compression compression = codec::Compression::none;
  TimestampType timestamp_type = TimestampType::create_time;
  bool is_transactional = false;
  bool is_control = false;
  /// Then `base_timestamp` is the horizon.
  bool has_delete_horizon = false;
  std::int32_t last_offset_delta = 0;
  std::int64_t base_timestamp = no_timestamp;
  std::int64_t max_timestamp = no_timestamp;
  std::int64_t producer_id = no_producer_id;
  std::int16_t producer_epoch = no_producer_epoch;
  std::int32_t base_sequence = no_sequence;
  std::int32_t record_count = 0;
};

/// Writes the header over the first 61 bytes of `batch`, which is the whole batch with its records in place, and the
/// checksum over them (DefaultRecordBatch.writeHeader).
void write_record_batch_header(codec::MutableBytes batch, const RecordBatchHeader& header);

/// A batch without records, which compaction keeps for the sake of producer state
/// (DefaultRecordBatch.writeEmptyHeader).
codec::Blob empty_record_batch(const RecordBatchHeader& header);

}  // namespace dohle::protocol
