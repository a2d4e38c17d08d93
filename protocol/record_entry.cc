#include "protocol/record_entry.h"

#include "codec/crc32.h"
#include "codec/reader.h"

namespace dohle::protocol {

namespace {

constexpr std::size_t head_to_magic_bytes = 17;
constexpr std::int32_t message_bytes_min = 14;  // crc, magic, attributes, two lengths: format 0
constexpr std::int8_t magic_max = 2;

}  // namespace

std::int64_t RecordEntry::offset() const {
  return codec::Reader(bytes).i64();
}

std::optional<RecordBatch> RecordEntry::batch() const {
  if (!complete() || magic < 2 || bytes.size() < record_batch_overhead) return std::nullopt;
  return RecordBatch(bytes);
}

RecordEntry next_entry(codec::Bytes range) {
  RecordEntry entry;
  if (range.size() < log_overhead) {
    entry.size_bytes_needed = log_overhead;
    return entry;
  }
  const std::int32_t length = codec::Reader(range.subspan(8)).i32();
  if (length < message_bytes_min) {
    entry.status = EntryStatus::corrupt;
    return entry;
  }
  if (range.size() < head_to_magic_bytes) {
    entry.size_bytes_needed = head_to_magic_bytes;
    return entry;
  }
  entry.magic = static_cast<std::int8_t>(range[16]);
  if (entry.magic < 0 || entry.magic > magic_max) {
    entry.status = EntryStatus::corrupt;
    return entry;
  }
  const std::size_t size = log_overhead + static_cast<std::size_t>(length);
  entry.size_bytes_needed = size;
  if (range.size() < size) return entry;
  entry.status = EntryStatus::complete;
  entry.bytes = range.first(size);
  return entry;
}

std::int64_t LegacyEntry::offset() const {
  return codec::Reader(bytes_).i64();
}

bool LegacyEntry::is_valid() const {
  const std::size_t size_bytes_min = log_overhead + (magic_ == 0 ? 14 : 22);
  if (bytes_.size() < size_bytes_min) return false;
  return codec::Reader(bytes_.subspan(12)).u32() == codec::crc32(bytes_.subspan(16));
}

std::int64_t LegacyEntry::timestamp() const {
  return magic_ == 0 ? no_timestamp : codec::Reader(bytes_.subspan(18)).i64();
}

std::optional<codec::Compression> LegacyEntry::compression() const {
  return codec::compression_from_id(bytes_[17] & 0x07);
}

}  // namespace dohle::protocol
