#include "server/log/transaction_marker.h"

#include "codec/reader.h"
#include "server/log/batch_header.h"

namespace dohle::log {

namespace {

constexpr std::int16_t abort_type = 0;
constexpr std::int16_t commit_type = 1;

}  // namespace

std::optional<ProducerAppend::Marker> read_transaction_marker(codec::Bytes batch) {
  const auto header = BatchHeader::read(batch);
  if (!header || header->record_count <= 0 || header->compressed() || batch.size() < header->size_bytes) {
    return std::nullopt;
  }
  codec::Reader reader(batch.subspan(BatchHeader::v2_bytes, header->size_bytes - BatchHeader::v2_bytes));
  reader.varint();  // length
  reader.i8();      // attributes
  const std::int64_t timestamp_delta = reader.varlong();
  reader.varint();  // offset delta
  const std::int32_t key_size = reader.varint();
  if (!reader.ok() || key_size < 4) return std::nullopt;
  codec::Reader key(reader.view(static_cast<std::size_t>(key_size)));
  if (key.i16() < 0) return std::nullopt;  // version; later ones are read as the first
  const std::int16_t type = key.i16();
  const std::int32_t value_size = reader.varint();
  if (!reader.ok() || !key.ok() || value_size < 6) return std::nullopt;
  codec::Reader value(reader.view(static_cast<std::size_t>(value_size)));
  if (value.i16() < 0) return std::nullopt;
  ProducerAppend::Marker marker;
  marker.coordinator_epoch = value.i32();
  if (!reader.ok() || !value.ok() || (type != abort_type && type != commit_type)) return std::nullopt;
  marker.commit = type == commit_type;
  marker.timestamp_ms =
      header->log_append_time() ? header->max_timestamp_ms : header->base_timestamp_ms + timestamp_delta;
  return marker;
}

}  // namespace dohle::log
