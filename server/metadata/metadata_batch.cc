#include "server/metadata/metadata_batch.h"

#include <fmt/format.h>

#include <optional>

#include "codec/crc32c.h"
#include "codec/reader.h"
#include "codec/writer.h"

namespace dohle::metadata {

using codec::Reader;
using codec::Writer;
using runtime::ErrorKind;

namespace {

constexpr std::size_t header_bytes = 61;
constexpr std::size_t crc_position = 17;
constexpr std::size_t attributes_position = 21;
constexpr std::size_t length_overhead_bytes = 12;  // base offset and the length itself
constexpr std::int16_t control_attribute = 0x20;
constexpr std::int16_t compression_mask = 0x07;

enum class ControlType : std::int16_t {
  leader_change = 2,
  snapshot_header = 3,
  snapshot_footer = 4,
  kraft_version = 5,
  kraft_voters = 6,
};

ControlType type_of(const ControlMessage& message) {
  static constexpr ControlType types[] = {ControlType::leader_change, ControlType::snapshot_header,
                                          ControlType::snapshot_footer, ControlType::kraft_version,
                                          ControlType::kraft_voters};
  return types[message.index()];
}

/// Control messages say their own version in their first field.
template <typename Message>
ControlMessage decode_message(Reader& reader) {
  Reader ahead = reader;
  const std::int16_t version = ahead.i16();
  Message message;
  if (version < Message::min_version || version > Message::max_version) {
    reader.fail();
  } else {
    decode(reader, version, message);
  }
  return message;
}

/// nullopt for a type that we do not know: Kafka skips it too. Sets the reader's failure on a malformed one.
std::optional<ControlMessage> decode_control(std::int16_t type, Reader& reader) {
  switch (static_cast<ControlType>(type)) {
    case ControlType::leader_change:
      return decode_message<protocol::LeaderChangeMessage>(reader);
    case ControlType::snapshot_header:
      return decode_message<protocol::SnapshotHeaderRecord>(reader);
    case ControlType::snapshot_footer:
      return decode_message<protocol::SnapshotFooterRecord>(reader);
    case ControlType::kraft_version:
      return decode_message<protocol::KRaftVersionRecord>(reader);
    case ControlType::kraft_voters:
      return decode_message<protocol::VotersRecord>(reader);
  }
  return std::nullopt;
}

/// One record: length, attributes, timestamp delta 0, offset delta, key, value, no headers.
void write_record(Writer& writer, std::int32_t offset_delta, const std::optional<codec::Bytes>& key,
                  codec::Bytes value) {
  Writer body;
  body.i8(0);
  body.varlong(0);
  body.varint(offset_delta);
  body.varint(key ? static_cast<std::int32_t>(key->size()) : -1);
  if (key) body.raw(*key);
  body.varint(static_cast<std::int32_t>(value.size()));
  body.raw(value);
  body.varint(0);
  writer.varint(static_cast<std::int32_t>(body.size()));
  writer.raw(body.bytes());
}

void write_header(Writer& writer, std::int64_t base_offset, std::int32_t epoch, std::int64_t timestamp_ms, bool control,
                  std::size_t count) {
  writer.i64(base_offset);
  writer.i32(0);  // the length, later
  writer.i32(epoch);
  writer.i8(2);
  writer.u32(0);  // the CRC, later
  writer.i16(control ? control_attribute : 0);
  writer.i32(static_cast<std::int32_t>(count) - 1);
  writer.i64(timestamp_ms);
  writer.i64(timestamp_ms);
  writer.i64(-1);
  writer.i16(-1);
  writer.i32(-1);
  writer.i32(static_cast<std::int32_t>(count));
}

std::vector<std::uint8_t> finish(Writer& writer) {
  writer.patch_i32(8, static_cast<std::int32_t>(writer.size() - length_overhead_bytes));
  writer.patch_i32(crc_position, static_cast<std::int32_t>(codec::crc32c(writer.bytes().subspan(attributes_position))));
  return writer.release();
}

struct RawRecord {
  bool has_key = false;
  codec::Bytes key;
  codec::Bytes value;
};

/// Reads the next record of the batch; the reader fails if it is none of ours.
RawRecord read_record(Reader& reader) {
  RawRecord record;
  const std::int32_t size = reader.varint();
  if (size < 0) {
    reader.fail();
    return record;
  }
  Reader body(reader.view(static_cast<std::size_t>(size)));
  body.i8();
  body.varlong();
  body.varint();
  const std::int32_t key_size = body.varint();
  record.has_key = key_size >= 0;
  if (key_size > 0) record.key = body.view(static_cast<std::size_t>(key_size));
  const std::int32_t value_size = body.varint();
  if (value_size < 0) body.fail();
  if (body.ok()) record.value = body.view(static_cast<std::size_t>(value_size));
  if (body.varint() != 0) body.fail();
  if (!body.ok() || body.remaining() != 0) reader.fail();
  return record;
}

runtime::Status read_control_record(const RawRecord& record, MetadataBatch& batch) {
  Reader key(record.key);
  key.i16();
  const std::int16_t type = key.i16();
  Reader value(record.value);
  auto message = key.ok() ? decode_control(type, value) : std::nullopt;
  if (!key.ok() || (message && !value.ok())) {
    return runtime::failure(ErrorKind::corrupt,
                            fmt::format("malformed control record of type {} at offset {}", type, batch.base_offset));
  }
  if (message) batch.control_messages.push_back(std::move(*message));
  return {};
}

}  // namespace

std::vector<std::uint8_t> build_data_batch(const std::vector<MetadataRecord>& records, std::int64_t base_offset,
                                           std::int32_t epoch, std::int64_t timestamp_ms) {
  Writer writer;
  write_header(writer, base_offset, epoch, timestamp_ms, false, records.size());
  std::int32_t delta = 0;
  for (const MetadataRecord& record : records) {
    const std::vector<std::uint8_t> value = encode_record(record);
    write_record(writer, delta++, std::nullopt, value);
  }
  return finish(writer);
}

std::vector<std::uint8_t> build_control_batch(const std::vector<ControlMessage>& messages, std::int64_t base_offset,
                                              std::int32_t epoch, std::int64_t timestamp_ms) {
  Writer writer;
  write_header(writer, base_offset, epoch, timestamp_ms, true, messages.size());
  std::int32_t delta = 0;
  for (const ControlMessage& message : messages) {
    Writer key;
    key.i16(0);
    key.i16(static_cast<std::int16_t>(type_of(message)));
    Writer value;
    std::visit([&](const auto& m) { encode(value, 0, m); }, message);
    write_record(writer, delta++, key.bytes(), value.bytes());
  }
  return finish(writer);
}

std::size_t whole_batch_size(codec::Bytes bytes) {
  Reader reader(bytes);
  reader.i64();
  const std::int32_t length = reader.i32();
  if (!reader.ok() || length < static_cast<std::int32_t>(header_bytes - length_overhead_bytes)) return 0;
  const std::size_t size = static_cast<std::size_t>(length) + length_overhead_bytes;
  if (size > bytes.size()) return 0;
  reader.i32();
  if (reader.i8() != 2) return 0;
  return reader.u32() == codec::crc32c(bytes.subspan(attributes_position, size - attributes_position)) ? size : 0;
}

runtime::Result<MetadataBatch> read_batch(codec::Bytes bytes) {
  MetadataBatch batch;
  Reader reader(bytes);
  batch.base_offset = reader.i64();
  batch.size_bytes = static_cast<std::size_t>(reader.i32()) + length_overhead_bytes;
  batch.epoch = reader.i32();
  reader.i8();
  reader.u32();
  const std::int16_t attributes = reader.i16();
  batch.last_offset = batch.base_offset + reader.i32();
  reader.i64();
  batch.max_timestamp_ms = reader.i64();
  reader.skip(8 + 2 + 4);
  const std::int32_t count = reader.i32();
  batch.control = (attributes & control_attribute) != 0;
  if ((attributes & compression_mask) != 0) {
    return runtime::failure(ErrorKind::corrupt, fmt::format("compressed batch at offset {}", batch.base_offset));
  }
  Reader records(bytes.subspan(header_bytes, batch.size_bytes - header_bytes));
  for (std::int32_t i = 0; i < count; ++i) {
    const RawRecord raw = read_record(records);
    if (!records.ok() || raw.has_key != batch.control) {
      return runtime::failure(ErrorKind::corrupt,
                              fmt::format("malformed record {} in the batch at offset {}", i, batch.base_offset));
    }
    if (batch.control) {
      DOHLE_RETURN_IF_ERROR(read_control_record(raw, batch));
      continue;
    }
    auto record = decode_record(raw.value);
    if (!record) {
      return runtime::failure(record.error().kind,
                              fmt::format("offset {}: {}", batch.base_offset + i, record.error().message));
    }
    batch.records.push_back(std::move(*record));
  }
  if (records.remaining() != 0) {
    return runtime::failure(ErrorKind::corrupt,
                            fmt::format("bytes after the last record of the batch at offset {}", batch.base_offset));
  }
  return batch;
}

}  // namespace dohle::metadata
