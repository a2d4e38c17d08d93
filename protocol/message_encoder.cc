#include <limits>
#include <string>

#include "protocol/message_codec.h"
#include "protocol/records.h"
#include "protocol/unknown_tags.h"

namespace dohle::protocol {

namespace {

using codec::Writer;

const void* at(const void* base, std::size_t offset) {
  return static_cast<const std::byte*>(base) + offset;
}

template <typename T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}

/// The member itself, or nullptr for null.
const void* present(const Field& field, const void* base) {
  const void* member = at(base, field.offset);
  if (field.optional) return field.optional->get(member);
  if (field.type == FieldType::records && as<Records>(member).is_null) return nullptr;
  return member;
}

bool is_default_structure(const StructSchema& schema, const void* base) {
  for (const Field& field : schema.fields) {
    if (!is_default(field, base)) return false;
  }
  return !schema.keeps_unknown_tags() || as<UnknownTags>(at(base, schema.unknown_tags_offset)).empty();
}

std::int64_t number(FieldType type, const void* value) {
  switch (type) {
    case FieldType::boolean:
      return as<bool>(value);
    case FieldType::int8:
      return as<std::int8_t>(value);
    case FieldType::int16:
      return as<std::int16_t>(value);
    case FieldType::uint16:
      return as<std::uint16_t>(value);
    case FieldType::int32:
      return as<std::int32_t>(value);
    case FieldType::uint32:
      return as<std::uint32_t>(value);
    default:
      return as<std::int64_t>(value);
  }
}

class MessageEncoder {
 public:
  MessageEncoder(Writer& writer, std::int16_t version, const MessageSchema& message)
      : writer_(writer), version_(version), flexible_(message.is_flexible(version)), message_(message) {}

  void structure(const StructSchema& schema, const void* base) {
    std::uint32_t tagged_count = 0;
    for (const Field& field : schema.fields) {
      if (field.tagged.contains(version_)) {
        if (!is_default(field, base)) ++tagged_count;
      } else if (field.versions.contains(version_)) {
        value(field, base);
      } else if (!field.ignorable && !is_default(field, base)) {
        refuse(field, "has a value that this version cannot carry");
      }
    }
    if (!schema.keeps_unknown_tags()) return;
    const auto& unknown = as<UnknownTags>(at(base, schema.unknown_tags_offset));
    if (flexible_) {
      writer_.uvarint(tagged_count + static_cast<std::uint32_t>(unknown.size()));
      if (tagged_count + unknown.size() > 0) tagged_fields(schema, base, unknown);
    } else if (!unknown.empty()) {
      writer_.fail(std::string(message_.name) + ": version " + std::to_string(version_) + " has no tagged fields");
    }
  }

 private:
  void refuse(const Field& field, const char* why) {
    if (!writer_.ok()) return;
    writer_.fail(std::string(message_.name) + " version " + std::to_string(version_) + ": " + field.name + " " + why);
  }

  void value(const Field& field, const void* base) {
    const void* member = present(field, base);
    if (field.type == FieldType::structure && !field.is_array()) {
      if (field.nullable.contains(version_)) {
        writer_.i8(member ? 1 : -1);
      } else if (!member) {
        return refuse(field, "is null");
      }
      if (member) structure(*field.structure, member);
    } else if (!member) {
      if (!field.nullable.contains(version_)) return refuse(field, "is null");
      null_length(field);
    } else if (field.is_array()) {
      array(field, member);
    } else {
      plain(field, member);
    }
  }

  bool compact(const Field& field) const { return flexible_ && !field.inflexible; }

  void null_length(const Field& field) {
    if (compact(field)) {
      writer_.uvarint(0);
    } else if (field.type == FieldType::string && !field.is_array()) {
      writer_.i16(-1);
    } else {
      writer_.i32(-1);
    }
  }

  void length(const Field& field, std::size_t size) {
    if (size >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) return refuse(field, "is too long");
    if (compact(field)) {
      writer_.uvarint(static_cast<std::uint32_t>(size) + 1);
    } else {
      writer_.i32(static_cast<std::int32_t>(size));
    }
  }

  void text(const Field& field, const std::string& value) {
    constexpr std::size_t text_size_bytes_max = 0x7fff;
    if (value.size() > text_size_bytes_max) return refuse(field, "is too long");
    if (compact(field)) {
      writer_.uvarint(static_cast<std::uint32_t>(value.size()) + 1);
    } else {
      writer_.i16(static_cast<std::int16_t>(value.size()));
    }
    writer_.raw(value);
  }

  void records(const Field& field, const Records& value) {
    length(field, value.size_bytes());
    writer_.raw(value.bytes);
    if (value.external_bytes > 0) writer_.gap(value.external_bytes);
  }

  /// Whatever is neither array nor struct.
  void plain(const Field& field, const void* value) {
    switch (field.type) {
      case FieldType::boolean:
        return writer_.boolean(as<bool>(value));
      case FieldType::int8:
        return writer_.i8(as<std::int8_t>(value));
      case FieldType::int16:
        return writer_.i16(as<std::int16_t>(value));
      case FieldType::uint16:
        return writer_.u16(as<std::uint16_t>(value));
      case FieldType::int32:
        return writer_.i32(as<std::int32_t>(value));
      case FieldType::uint32:
        return writer_.u32(as<std::uint32_t>(value));
      case FieldType::int64:
        return writer_.i64(as<std::int64_t>(value));
      case FieldType::float64:
        return writer_.f64(as<double>(value));
      case FieldType::uuid:
        return writer_.uuid(as<codec::Uuid>(value));
      case FieldType::string:
        return text(field, as<std::string>(value));
      case FieldType::bytes:
        length(field, as<codec::Blob>(value).size());
        return writer_.raw(as<codec::Blob>(value));
      case FieldType::records:
        return records(field, as<Records>(value));
      case FieldType::structure:
        return structure(*field.structure, value);
    }
  }

  void array(const Field& field, const void* list) {
    const std::size_t count = field.list->size(list);
    length(field, count);
    const void* element = field.list->data(list);
    for (std::size_t i = 0; i < count; ++i, element = at(element, field.list->element_size)) plain(field, element);
  }

  /// Known and unknown ones in one ascending sequence.
  void tagged_fields(const StructSchema& schema, const void* base, const UnknownTags& unknown) {
    std::size_t next = 0;
    std::int64_t last = -1;
    for (std::int64_t tag = 0; schema.has_tagged_fields && tag <= max_tag(schema); ++tag) {
      const Field* field = find_tag(schema, tag);
      if (!field) continue;
      unknown_tags(unknown, next, last, tag);
      if (field->tagged.contains(version_) && !is_default(*field, base)) tagged_field(*field, base);
    }
    unknown_tags(unknown, next, last, std::numeric_limits<std::int64_t>::max());
  }

  static std::int64_t max_tag(const StructSchema& schema) {
    std::int64_t max = -1;
    for (const Field& field : schema.fields) max = std::max<std::int64_t>(max, field.tag);
    return max;
  }

  static const Field* find_tag(const StructSchema& schema, std::int64_t tag) {
    for (const Field& field : schema.fields) {
      if (field.tag == tag) return &field;
    }
    return nullptr;
  }

  /// Those below `limit`, which is the tag of a known field or beyond all.
  void unknown_tags(const UnknownTags& unknown, std::size_t& next, std::int64_t& last, std::int64_t limit) {
    for (; next < unknown.size() && unknown[next].tag <= limit; ++next) {
      const UnknownTag& entry = unknown[next];
      // Kafka's tags are signed, and so the upper half is below every other.
      if (entry.tag <= last || entry.tag == limit || entry.tag > std::numeric_limits<std::int32_t>::max()) {
        writer_.fail(std::string(message_.name) + ": tag " + std::to_string(entry.tag) + " is out of place");
      }
      last = entry.tag;
      writer_.uvarint(entry.tag);
      writer_.uvarint(static_cast<std::uint32_t>(entry.bytes.size()));
      writer_.raw(entry.bytes);
    }
  }

  /// The size goes first, so the value is written aside.
  void tagged_field(const Field& field, const void* base) {
    Writer content;
    MessageEncoder encoder(content, version_, message_);
    const void* member = present(field, base);
    if (!member) {
      if (!field.nullable.contains(version_)) return refuse(field, "is null");
      content.uvarint(0);
    } else if (field.is_array()) {
      encoder.array(field, member);
    } else {
      if (field.type == FieldType::structure && field.nullable.contains(version_)) content.uvarint(1);
      encoder.plain(field, member);
    }
    if (!content.ok() && writer_.ok()) writer_.fail(content.error());
    writer_.uvarint(static_cast<std::uint32_t>(field.tag));
    writer_.uvarint(static_cast<std::uint32_t>(content.size()));
    writer_.raw(content.bytes());
  }

  Writer& writer_;
  const std::int16_t version_;
  const bool flexible_;
  const MessageSchema& message_;
};

}  // namespace

bool is_default(const Field& field, const void* base) {
  const void* value = present(field, base);
  if (!value) return field.default_is_null;
  if (field.default_is_null) return false;
  if (field.is_array()) return field.list->size(value) == 0;
  switch (field.type) {
    case FieldType::string:
      return as<std::string>(value) == field.default_text;
    case FieldType::bytes:
      return as<codec::Blob>(value).empty();
    case FieldType::records:
      return as<Records>(value).size_bytes() == 0;
    case FieldType::uuid:
      return as<codec::Uuid>(value).is_zero();
    case FieldType::structure:
      return is_default_structure(*field.structure, value);
    case FieldType::float64:
      return as<double>(value) == static_cast<double>(field.default_number);
    default:
      return number(field.type, value) == field.default_number;
  }
}

void encode_message(Writer& writer, std::int16_t version, const MessageSchema& schema, const void* message) {
  if (!schema.versions.contains(version)) {
    return writer.fail(std::string(schema.name) + " has no version " + std::to_string(version));
  }
  MessageEncoder(writer, version, schema).structure(*schema.root, message);
}

}  // namespace dohle::protocol
