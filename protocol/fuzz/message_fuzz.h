// What the fuzz targets of the message families share. Which messages there are, and of what they are made, comes from
// the generated tables: a new message or field is fuzzed without a line here.
//
// The first four bytes of an input choose the mode, the message and the version. In the first mode the rest are the
// bytes to decode; in the second they are choices from which a message that fits the tables is built.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include "codec/reader.h"
#include "codec/writer.h"
#include "protocol/fuzz/allocation_count.h"
#include "protocol/message_codec.h"
#include "protocol/message_json.h"
#include "protocol/message_schema.h"
#include "protocol/records.h"
#include "protocol/unknown_tags.h"

namespace dohle::protocol::fuzz {

/// Ends the run with a finding.
inline void require(bool holds, const char* what, const MessageSchema& schema, std::int16_t version) {
  if (holds) return;
  std::fprintf(stderr, "%s v%d: %s\n", schema.name, version, what);
  std::abort();
}

struct Instance {
  explicit Instance(const MessageSchema& schema) : schema(schema), message(schema.create()) {}
  ~Instance() { schema.destroy(message); }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const MessageSchema& schema;
  void* message;
};

/// Reads choices from the input; zeros when it is used up.
class Choices {
 public:
  explicit Choices(codec::Bytes bytes) : bytes_(bytes) {}

  std::uint8_t octet() {
    if (bytes_.empty()) return 0;
    const std::uint8_t value = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return value;
  }
  std::size_t below(std::size_t limit) { return octet() % limit; }
  codec::Bytes some() {
    const std::size_t size = std::min<std::size_t>(octet(), bytes_.size());
    const codec::Bytes result = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return result;
  }
  template <typename Number>
  Number number() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) value = (value << 8) | octet();
    return static_cast<Number>(value);
  }

 private:
  codec::Bytes bytes_;
};

/// Makes a message of the fields that its version has.
class MessageBuilder {
 public:
  MessageBuilder(Choices& choices, std::int16_t version, bool flexible)
      : choices_(choices), version_(version), flexible_(flexible) {}

  void structure(const StructSchema& schema, void* base) {
    for (const Field& field : schema.fields) {
      if (field.versions.contains(version_) && choices_.below(4) != 0) member(field, at(base, field.offset));
    }
    if (!flexible_ || choices_.below(8) != 0) return;
    auto& tags = *static_cast<UnknownTags*>(at(base, schema.unknown_tags_offset));
    const codec::Bytes bytes = choices_.some();
    tags.push_back({100u + choices_.octet(), codec::Blob(bytes.begin(), bytes.end())});
  }

 private:
  static void* at(void* base, std::size_t offset) { return static_cast<std::byte*>(base) + offset; }

  void member(const Field& field, void* member) {
    if (field.nullable.contains(version_) && choices_.below(4) == 0) {
      if (field.optional) return field.optional->reset(member);
      *static_cast<Records*>(member) = Records::null();
      return;
    }
    if (field.optional) member = field.optional->emplace(member);
    if (!field.is_array()) return value(field, member);
    const std::size_t count = choices_.below(4);
    void* element = field.list->reset(member, count);
    for (std::size_t i = 0; i < count; ++i) value(field, at(element, i * field.list->element_size));
  }

  void value(const Field& field, void* member) {
    switch (field.type) {
      case FieldType::boolean:
        *static_cast<bool*>(member) = choices_.octet() & 1;
        break;
      case FieldType::int8:
        return number<std::int8_t>(member);
      case FieldType::int16:
      case FieldType::uint16:
        return number<std::int16_t>(member);
      case FieldType::int32:
      case FieldType::uint32:
        return number<std::int32_t>(member);
      case FieldType::int64:
      case FieldType::float64:
        return number<std::int64_t>(member);
      case FieldType::uuid:
        for (std::uint8_t& byte : static_cast<codec::Uuid*>(member)->bytes) byte = choices_.octet();
        break;
      case FieldType::string:
        *static_cast<std::string*>(member) = codec::as_text(choices_.some());
        break;
      case FieldType::bytes: {
        const codec::Bytes bytes = choices_.some();
        static_cast<codec::Blob*>(member)->assign(bytes.begin(), bytes.end());
        break;
      }
      case FieldType::records:
        *static_cast<Records*>(member) = Records::of(choices_.some());
        break;
      case FieldType::structure:
        return structure(*field.structure, member);
    }
  }

  template <typename Number>
  void number(void* member) {
    const auto value = choices_.number<Number>();
    std::memcpy(member, &value, sizeof(value));
  }

  Choices& choices_;
  const std::int16_t version_;
  const bool flexible_;
};

/// The most bytes of memory that one byte of input may cost: over all nested arrays, element size by least wire size.
inline std::size_t memory_factor(const StructSchema& schema) {
  std::size_t factor = 0;
  for (const Field& field : schema.fields) {
    std::size_t here = field.structure ? memory_factor(*field.structure) : 2;
    if (field.is_array()) {
      const std::size_t wire = field.structure ? field.structure->min_size_bytes : 1;
      here += (field.list->element_size + wire - 1) / wire;
    }
    factor = std::max(factor, here);
  }
  return factor;
}

inline void decode_arbitrary(const MessageSchema& schema, std::int16_t version, codec::Bytes bytes) {
  Instance first(schema);
  codec::Reader reader(bytes);
  const AllocationCount allocations;
  decode_message(reader, version, schema, first.message);
  // Unknown tags: 32 bytes each of at least two on the wire, in a vector that doubles.
  const std::size_t factor = memory_factor(*schema.root) + 64;
  require(allocations.bytes() <= 4096 + factor * bytes.size(), "decoding allocates too much", schema, version);
  if (!reader.ok()) return;
  to_json(schema, version, first.message, RecordsInJson::content);
  codec::Writer writer;
  encode_message(writer, version, schema, first.message);
  // Tags that are not ascending are read and never written, as in Kafka; everything else that is read can be written.
  if (!writer.ok()) {
    require(writer.error().ends_with("is out of place"), "what was read cannot be written", schema, version);
    return;
  }
  Instance second(schema);
  codec::Reader again(writer.bytes());
  decode_message(again, version, schema, second.message);
  require(again.ok() && again.remaining() == 0, "what was written cannot be read", schema, version);
  codec::Writer stable;
  encode_message(stable, version, schema, second.message);
  require(std::ranges::equal(stable.bytes(), writer.bytes()), "reading and writing change it", schema, version);
}

inline void build_and_read(const MessageSchema& schema, std::int16_t version, codec::Bytes bytes) {
  Instance built(schema);
  Choices choices(bytes);
  MessageBuilder(choices, version, schema.is_flexible(version)).structure(*schema.root, built.message);
  codec::Writer writer;
  encode_message(writer, version, schema, built.message);
  if (!writer.ok()) {
    // Only records that were never set have no bytes (and null is not for every field of theirs).
    require(writer.error().ends_with("is null"), "a message of its version is refused", schema, version);
    return;
  }
  Instance read(schema);
  codec::Reader reader(writer.bytes());
  decode_message(reader, version, schema, read.message);
  require(reader.ok() && reader.remaining() == 0, "what was written cannot be read", schema, version);
  codec::Writer again;
  encode_message(again, version, schema, read.message);
  require(std::ranges::equal(again.bytes(), writer.bytes()), "reading and writing change it", schema, version);
}

/// A number for a message that stays when others are added, so that the corpus keeps its meaning.
inline std::uint16_t name_hash(const char* name) {
  std::uint32_t hash = 2166136261u;
  for (; *name; ++name) hash = (hash ^ static_cast<std::uint8_t>(*name)) * 16777619u;
  return static_cast<std::uint16_t>(hash ^ (hash >> 16));
}

class Family {
 public:
  explicit Family(std::initializer_list<MessageKind> kinds) {
    for (const MessageSchema* message : all_messages()) {
      if (std::ranges::find(kinds, message->kind) != kinds.end()) messages_.push_back(message);
    }
    std::ranges::sort(messages_, {}, [](const MessageSchema* message) { return name_hash(message->name); });
  }

  int run(const std::uint8_t* data, std::size_t size) const {
    constexpr std::size_t head_size = 4;
    if (size < head_size) return -1;
    const auto hash = static_cast<std::uint16_t>((data[1] << 8) | data[2]);
    const auto after =
        std::ranges::lower_bound(messages_, hash, {}, [](const MessageSchema* m) { return name_hash(m->name); });
    const MessageSchema& schema = after == messages_.end() ? *messages_.front() : **after;
    const int count = schema.versions.last - schema.versions.first + 1;
    const auto version = static_cast<std::int16_t>(schema.versions.first + data[3] % count);
    const codec::Bytes rest(data + head_size, size - head_size);
    data[0] & 1 ? build_and_read(schema, version, rest) : decode_arbitrary(schema, version, rest);
    return 0;
  }

 private:
  std::vector<const MessageSchema*> messages_;
};

}  // namespace dohle::protocol::fuzz
