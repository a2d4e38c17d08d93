#include "protocol/control_record.h"

#include "codec/reader.h"
#include "protocol/record_batch_builder.h"

namespace dohle::protocol {

std::array<std::uint8_t, 4> control_record_key(ControlRecordType type) {
  const auto bits = static_cast<std::uint16_t>(type);
  return {0, 0, static_cast<std::uint8_t>(bits >> 8), static_cast<std::uint8_t>(bits)};
}

std::optional<ControlRecordType> parse_control_record_key(codec::Bytes key) {
  codec::Reader reader(key);
  const std::int16_t version = reader.i16();
  const std::int16_t type = reader.i16();
  if (!reader.ok() || version < 0) return std::nullopt;
  if (type < 0 || type > static_cast<std::int16_t>(ControlRecordType::kraft_voters)) return ControlRecordType::unknown;
  return static_cast<ControlRecordType>(type);
}

std::array<std::uint8_t, 6> end_transaction_value(std::int32_t coordinator_epoch) {
  const auto bits = static_cast<std::uint32_t>(coordinator_epoch);
  return {0,
          0,
          static_cast<std::uint8_t>(bits >> 24),
          static_cast<std::uint8_t>(bits >> 16),
          static_cast<std::uint8_t>(bits >> 8),
          static_cast<std::uint8_t>(bits)};
}

std::optional<std::int32_t> parse_end_transaction_value(codec::Bytes value) {
  codec::Reader reader(value);
  const std::int16_t version = reader.i16();
  const std::int32_t coordinator_epoch = reader.i32();
  if (!reader.ok() || version < 0) return std::nullopt;
  return coordinator_epoch;
}

codec::Blob end_transaction_batch(std::int64_t base_offset, std::int32_t partition_leader_epoch,
                                  const EndTransactionMarker& marker) {
  RecordBatchOptions options;
  options.base_offset = base_offset;
  options.partition_leader_epoch = partition_leader_epoch;
  options.producer_id = marker.producer_id;
  options.producer_epoch = marker.producer_epoch;
  options.is_transactional = true;
  options.is_control = true;
  RecordBatchBuilder builder(options);
  builder.append_control(marker.timestamp_ms, marker.type, end_transaction_value(marker.coordinator_epoch));
  return builder.build();
}

}  // namespace dohle::protocol
