#include "protocol/record_batch.h"

#include <type_traits>

#include "codec/crc32c.h"

namespace dohle::protocol {

namespace {

constexpr std::size_t base_offset_at = 0;
constexpr std::size_t batch_length_at = 8;
constexpr std::size_t partition_leader_epoch_at = 12;
constexpr std::size_t magic_at = 16;
constexpr std::size_t crc_at = 17;
constexpr std::size_t attributes_at = 21;
constexpr std::size_t last_offset_delta_at = 23;
constexpr std::size_t base_timestamp_at = 27;
constexpr std::size_t max_timestamp_at = 35;
constexpr std::size_t producer_id_at = 43;
constexpr std::size_t producer_epoch_at = 51;
constexpr std::size_t base_sequence_at = 53;
constexpr std::size_t record_count_at = 57;

template <typename Integer>
Integer get(codec::Bytes bytes, std::size_t at) {
  std::make_unsigned_t<Integer> value = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i) {
    value = static_cast<std::make_unsigned_t<Integer>>((std::uint64_t{value} << 8) | bytes[at + i]);
  }
  return static_cast<Integer>(value);
}

template <typename Integer>
void put(codec::MutableBytes bytes, std::size_t at, Integer value) {
  auto bits = static_cast<std::uint64_t>(value);
  for (std::size_t i = sizeof(Integer); i-- > 0; bits >>= 8) bytes[at + i] = static_cast<std::uint8_t>(bits);
}

/// Java's addition, which wraps.
std::int64_t add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace

std::int64_t RecordBatch::base_offset() const {
  return get<std::int64_t>(bytes_, base_offset_at);
}
std::int32_t RecordBatch::partition_leader_epoch() const {
  return get<std::int32_t>(bytes_, partition_leader_epoch_at);
}
std::uint32_t RecordBatch::crc() const {
  return get<std::uint32_t>(bytes_, crc_at);
}
std::int32_t RecordBatch::last_offset_delta() const {
  return get<std::int32_t>(bytes_, last_offset_delta_at);
}
std::int64_t RecordBatch::last_offset() const {
  return add(base_offset(), last_offset_delta());
}
std::int64_t RecordBatch::base_timestamp() const {
  return get<std::int64_t>(bytes_, base_timestamp_at);
}
std::int64_t RecordBatch::max_timestamp() const {
  return get<std::int64_t>(bytes_, max_timestamp_at);
}
std::int64_t RecordBatch::producer_id() const {
  return get<std::int64_t>(bytes_, producer_id_at);
}
std::int16_t RecordBatch::producer_epoch() const {
  return get<std::int16_t>(bytes_, producer_epoch_at);
}
std::int32_t RecordBatch::base_sequence() const {
  return get<std::int32_t>(bytes_, base_sequence_at);
}
std::int32_t RecordBatch::record_count() const {
  return get<std::int32_t>(bytes_, record_count_at);
}

std::int32_t RecordBatch::last_sequence() const {
  const std::int32_t base = base_sequence();
  return base == no_sequence ? no_sequence : increment_sequence(base, last_offset_delta());
}

std::optional<codec::Compression> RecordBatch::compression() const {
  return codec::compression_from_id(attributes() & 0x07);
}

std::optional<std::int64_t> RecordBatch::delete_horizon_ms() const {
  if (!has_delete_horizon()) return std::nullopt;
  return base_timestamp();
}

std::uint32_t RecordBatch::computed_crc() const {
  return codec::crc32c(bytes_.subspan(attributes_at));
}

void MutableRecordBatch::set_base_offset(std::int64_t offset) {
  put(mutable_bytes_, base_offset_at, offset);
}

void MutableRecordBatch::set_partition_leader_epoch(std::int32_t epoch) {
  put(mutable_bytes_, partition_leader_epoch_at, epoch);
}

void MutableRecordBatch::set_last_offset(std::int64_t offset) {
  set_base_offset(offset - last_offset_delta());
}

void MutableRecordBatch::set_max_timestamp(TimestampType type, std::int64_t max_timestamp_ms) {
  if (timestamp_type() == type && max_timestamp() == max_timestamp_ms) return;
  const unsigned kept = attributes() & 0x77u;
  put(mutable_bytes_, attributes_at, static_cast<std::int16_t>(kept | static_cast<unsigned>(type) << 3));
  put(mutable_bytes_, max_timestamp_at, max_timestamp_ms);
  put(mutable_bytes_, crc_at, computed_crc());
}

void write_record_batch_header(codec::MutableBytes batch, const RecordBatchHeader& header) {
  unsigned attributes = static_cast<unsigned>(header.compression) | static_cast<unsigned>(header.timestamp_type) << 3;
  if (header.is_transactional) attributes |= 0x10;
  if (header.is_control) attributes |= 0x20;
  if (header.has_delete_horizon) attributes |= 0x40;
  put(batch, base_offset_at, header.base_offset);
  put(batch, batch_length_at, static_cast<std::int32_t>(batch.size() - log_overhead));
  put(batch, partition_leader_epoch_at, header.partition_leader_epoch);
  put(batch, magic_at, std::int8_t{2});
  put(batch, attributes_at, static_cast<std::int16_t>(attributes));
  put(batch, last_offset_delta_at, header.last_offset_delta);
  put(batch, base_timestamp_at, header.base_timestamp);
  put(batch, max_timestamp_at, header.max_timestamp);
  put(batch, producer_id_at, header.producer_id);
  put(batch, producer_epoch_at, header.producer_epoch);
  put(batch, base_sequence_at, header.base_sequence);
  put(batch, record_count_at, header.record_count);
  put(batch, crc_at, RecordBatch(batch).computed_crc());
}

codec::Blob empty_record_batch(const RecordBatchHeader& header) {
  codec::Blob batch(record_batch_overhead);
  write_record_batch_header(batch, header);
  return batch;
}

}  // namespace dohle::protocol
