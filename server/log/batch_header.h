// The header of a stored batch, of every format that a log may hold: v2, and the messages of formats 0 and 1 (a
// compressed one is a wrapper around others). Follows Kafka's FileLogInputStream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "codec/bytes.h"

namespace dohle::log {

struct BatchHeader {
  /// As much as is needed to know the size and the format of a batch: offset, size and magic.
  static constexpr std::size_t prefix_bytes = 17;
  /// The header of format 2; the older ones are shorter.
  static constexpr std::size_t v2_bytes = 61;
  /// No batch is smaller: 12 bytes, then at least the 14 of an empty message of format 0.
  static constexpr std::size_t batch_bytes_min = 26;

  std::int64_t base_offset = 0;  // formats 0 and 1: the last offset
  std::size_t size_bytes = 0;    // of the whole batch
  std::int32_t leader_epoch = -1;
  std::uint8_t magic = 2;
  std::uint32_t crc = 0;
  std::uint16_t attributes = 0;
  std::int32_t last_offset_delta = 0;
  std::int64_t base_timestamp_ms = -1;
  std::int64_t max_timestamp_ms = -1;
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  std::int32_t base_sequence = -1;
  std::int32_t record_count = 0;

  std::int64_t last_offset() const { return base_offset + last_offset_delta; }
  std::int64_t next_offset() const { return last_offset() + 1; }
  std::uint8_t compression() const { return attributes & 7; }
  bool compressed() const { return compression() != 0; }
  bool log_append_time() const { return (attributes & 8) != 0; }
  bool transactional() const { return magic >= 2 && (attributes & 0x10) != 0; }
  bool control() const { return magic >= 2 && (attributes & 0x20) != 0; }
  bool has_producer_id() const { return magic >= 2 && producer_id >= 0; }

  /// Reads the header at the start of `bytes`. nullopt: fewer bytes than the format's header, or a size that no batch
  /// can have.
  static std::optional<BatchHeader> read(codec::Bytes bytes);
};

/// Overwrites base offset and leader epoch of the v2 batch at the start of `batch`: neither is under the CRC.
void stamp(codec::MutableBytes batch, std::int64_t base_offset, std::int32_t leader_epoch);

}  // namespace dohle::log
