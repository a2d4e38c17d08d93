// What a coordinator writes: a key and a value, or a key alone, which is a tombstone. Keys and values are Kafka's own
// messages behind their int16 type or version. Source: org.apache.kafka.coordinator.common.runtime.CoordinatorRecord,
// CoordinatorRecordSerde.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/bytes.h"
#include "codec/reader.h"
#include "codec/writer.h"
#include "server/runtime/check.h"

namespace dohle::coordinator {

struct Record {
  codec::Blob key;
  /// Nothing: a tombstone.
  std::optional<codec::Blob> value;

  bool operator==(const Record&) const = default;
};

/// The key's bytes: its type, then its body in version 0.
template <typename Key>
codec::Blob encode_key(const Key& key) {
  codec::Writer writer;
  writer.i16(Key::record_type);
  encode(writer, std::int16_t{0}, key);
  CHECK(writer.ok());
  return writer.release();
}

/// Nothing if the value cannot be said in that version: a string of more than 32767 bytes, which Kafka's serializer
/// refuses as well.
template <typename Value>
std::optional<codec::Blob> encode_value(std::int16_t version, const Value& value) {
  codec::Writer writer;
  writer.i16(version);
  encode(writer, version, value);
  if (!writer.ok()) return std::nullopt;
  return writer.release();
}

template <typename Key, typename Value>
Record make_record(const Key& key, std::int16_t version, const Value& value) {
  auto bytes = encode_value(version, value);
  CHECK(bytes.has_value());
  return {encode_key(key), std::move(bytes)};
}

template <typename Key>
Record make_tombstone(const Key& key) {
  return {encode_key(key), std::nullopt};
}

/// The type of a key; nothing when it is too short.
inline std::optional<std::int16_t> record_type(codec::Bytes key) {
  codec::Reader reader(key);
  const auto type = reader.i16();
  return reader.ok() ? std::optional(type) : std::nullopt;
}

/// The body behind the type. False: malformed.
template <typename Key>
[[nodiscard]] bool decode_key(codec::Bytes bytes, Key& key) {
  codec::Reader reader(bytes);
  reader.i16();
  decode(reader, 0, key);
  return reader.ok();
}

/// Version and body. False: malformed, or a version that 4.4.0 does not know. Kafka ends the loading of the partition.
template <typename Value>
[[nodiscard]] bool decode_value(codec::Bytes bytes, Value& value) {
  codec::Reader reader(bytes);
  const auto version = reader.i16();
  if (!reader.ok() || version < Value::min_version || version > Value::max_version) return false;
  decode(reader, version, value);
  return reader.ok();
}

}  // namespace dohle::coordinator
