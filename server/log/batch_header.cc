#include "server/log/batch_header.h"

#include "codec/reader.h"
#include "server/log/big_endian.h"

namespace dohle::log {

namespace {

constexpr std::size_t log_overhead_bytes = 12;  // offset and size
constexpr std::size_t v0_header_bytes = 18;     // up to the attributes
constexpr std::size_t v1_header_bytes = 26;     // up to the timestamp

}  // namespace

std::optional<BatchHeader> BatchHeader::read(codec::Bytes bytes) {
  if (bytes.size() < prefix_bytes) return std::nullopt;
  BatchHeader header;
  codec::Reader reader(bytes);
  header.base_offset = reader.i64();
  const std::int32_t size = reader.i32();
  if (size < static_cast<std::int32_t>(batch_bytes_min - log_overhead_bytes)) return std::nullopt;
  header.size_bytes = log_overhead_bytes + static_cast<std::size_t>(size);
  header.magic = bytes[prefix_bytes - 1];
  if (header.magic < 2) {
    header.crc = reader.u32();
    reader.skip(1);
    header.attributes = static_cast<std::uint8_t>(reader.i8());
    if (header.magic == 1) header.max_timestamp_ms = reader.i64();
    header.base_timestamp_ms = header.max_timestamp_ms;
    if (!reader.ok() || header.size_bytes < (header.magic == 0 ? v0_header_bytes : v1_header_bytes)) {
      return std::nullopt;
    }
    header.record_count = 1;
    return header;
  }
  header.leader_epoch = reader.i32();
  reader.skip(1);
  header.crc = reader.u32();
  header.attributes = reader.u16();
  header.last_offset_delta = reader.i32();
  header.base_timestamp_ms = reader.i64();
  header.max_timestamp_ms = reader.i64();
  header.producer_id = reader.i64();
  header.producer_epoch = reader.i16();
  header.base_sequence = reader.i32();
  header.record_count = reader.i32();
  if (!reader.ok() || header.size_bytes < v2_bytes) return std::nullopt;
  return header;
}

void stamp(codec::MutableBytes batch, std::int64_t base_offset, std::int32_t leader_epoch) {
  store_big_endian(batch.data(), base_offset);
  store_big_endian(batch.data() + 12, leader_epoch);
}

}  // namespace dohle::log
