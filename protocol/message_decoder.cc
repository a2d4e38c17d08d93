#include <string>

#include "protocol/message_codec.h"
#include "protocol/records.h"
#include "protocol/unknown_tags.h"

namespace dohle::protocol {

namespace {

using codec::Reader;

void* at(void* base, std::uint32_t offset) {
  return static_cast<std::byte*>(base) + offset;
}

template <typename T>
T& as(void* value) {
  return *static_cast<T*>(value);
}

// The limits that 4.4.0 checks before it allocates (not yet in the 4.4 branch of August 2026).
constexpr std::int32_t array_size_max = 1000000;
constexpr std::int32_t tagged_fields_max = 10000;

class MessageDecoder {
 public:
  MessageDecoder(Reader& reader, std::int16_t version, bool flexible)
      : reader_(reader), version_(version), flexible_(flexible) {}

  void structure(const StructSchema& schema, void* base) {
    for (const Field& field : schema.fields) {
      if (field.versions.contains(version_) && !field.tagged.contains(version_)) value(field, base, false);
    }
    if (flexible_) tagged_fields(schema, base);
  }

 private:
  void value(const Field& field, void* base, bool is_tagged) {
    void* member = at(base, field.offset);
    if (field.is_array()) {
      array(field, member);
    } else if (field.type == FieldType::structure) {
      if (is_null_structure(field, is_tagged)) return field.optional->reset(member);
      structure(*field.structure, field.optional ? field.optional->emplace(member) : member);
    } else if (field.type >= FieldType::string) {
      variable(field, member);
    } else {
      scalar(field.type, member);
    }
  }

  void scalar(FieldType type, void* member) {
    switch (type) {
      case FieldType::boolean:
        as<bool>(member) = reader_.boolean();
        break;
      case FieldType::int8:
        as<std::int8_t>(member) = reader_.i8();
        break;
      case FieldType::int16:
        as<std::int16_t>(member) = reader_.i16();
        break;
      case FieldType::uint16:
        as<std::uint16_t>(member) = reader_.u16();
        break;
      case FieldType::int32:
        as<std::int32_t>(member) = reader_.i32();
        break;
      case FieldType::uint32:
        as<std::uint32_t>(member) = reader_.u32();
        break;
      case FieldType::int64:
        as<std::int64_t>(member) = reader_.i64();
        break;
      case FieldType::float64:
        as<double>(member) = reader_.f64();
        break;
      case FieldType::uuid:
        as<codec::Uuid>(member) = reader_.uuid();
        break;
      default:
        reader_.fail();
    }
  }

  /// A nullable struct begins with a byte, which is negative for null; in a tagged field with a varint, zero for null.
  bool is_null_structure(const Field& field, bool is_tagged) {
    if (!field.nullable.contains(version_)) return false;
    return is_tagged ? as_int(reader_.uvarint()) <= 0 : reader_.i8() < 0;
  }

  static std::int32_t as_int(std::uint32_t value) { return static_cast<std::int32_t>(value); }

  /// The length or count in front of a value; negative for null. Compact lengths are one more than they mean, and wrap
  /// as Java's int does.
  std::int32_t length(const Field& field, bool is_text) {
    if (flexible_ && !field.inflexible) return as_int(reader_.uvarint() - 1);
    return is_text ? reader_.i16() : reader_.i32();
  }

  void variable(const Field& field, void* member) {
    const std::int32_t size = length(field, field.type == FieldType::string);
    if (!reader_.ok()) return;
    if (size < 0) {
      if (!field.nullable.contains(version_)) return reader_.fail();
      if (field.optional) return field.optional->reset(member);
      as<Records>(member) = Records::null();
      return;
    }
    content(field, size, field.optional ? field.optional->emplace(member) : member);
  }

  void content(const Field& field, std::int32_t size, void* member) {
    constexpr std::int32_t text_size_bytes_max = 0x7fff;
    if (field.type == FieldType::string && size > text_size_bytes_max) return reader_.fail();
    const codec::Bytes bytes = reader_.view(static_cast<std::size_t>(size));
    if (!reader_.ok()) return;
    if (field.type == FieldType::string) {
      as<std::string>(member).assign(codec::as_text(bytes));
    } else if (field.type == FieldType::bytes) {
      as<codec::Blob>(member).assign(bytes.begin(), bytes.end());
    } else {
      as<Records>(member) = Records::of(bytes);
    }
  }

  std::size_t min_element_size(const Field& field) const {
    switch (field.type) {
      case FieldType::structure:
        return field.structure->min_size_bytes;
      case FieldType::boolean:
      case FieldType::int8:
        return 1;
      case FieldType::int16:
      case FieldType::uint16:
        return 2;
      case FieldType::int32:
      case FieldType::uint32:
        return 4;
      case FieldType::int64:
      case FieldType::float64:
        return 8;
      case FieldType::uuid:
        return 16;
      default:
        if (flexible_ && !field.inflexible) return 1;
        return field.type == FieldType::string ? 2 : 4;
    }
  }

  void array(const Field& field, void* member) {
    const std::int32_t count = length(field, false);
    if (!reader_.ok()) return;
    if (count < 0) {
      if (!field.nullable.contains(version_)) return reader_.fail();
      return field.optional->reset(member);
    }
    if (count > array_size_max) return reader_.fail();
    const auto size = static_cast<std::size_t>(count);
    if (size > reader_.remaining() || size * min_element_size(field) > reader_.remaining()) return reader_.fail();
    void* list = field.optional ? field.optional->emplace(member) : member;
    void* element = field.list->reset(list, size);
    for (std::size_t i = 0; i < size && reader_.ok();
         ++i, element = at(element, static_cast<std::uint32_t>(field.list->element_size))) {
      element_value(field, element);
    }
  }

  void element_value(const Field& field, void* element) {
    if (field.type == FieldType::structure) return structure(*field.structure, element);
    if (field.type < FieldType::string) return scalar(field.type, element);
    const std::int32_t size = length(field, field.type == FieldType::string);
    if (size < 0) return reader_.fail();
    content(field, size, element);
  }

  void tagged_fields(const StructSchema& schema, void* base) {
    const std::int32_t count = as_int(reader_.uvarint());
    if (count < 0 || count > tagged_fields_max || static_cast<std::size_t>(count) > reader_.remaining()) {
      return reader_.fail();
    }
    for (std::int32_t i = 0; i < count && reader_.ok(); ++i) {
      const std::uint32_t tag = reader_.uvarint();
      const std::uint32_t size = reader_.uvarint();
      const Field* known = schema.has_tagged_fields ? find_tag(schema, tag) : nullptr;
      if (!known) {
        unknown_tag(schema, tag, size, base);
      } else if (!known->tagged.contains(version_)) {
        reader_.fail();
      } else {
        // The size of a known field is not believed and not checked; Kafka does not look at it either.
        value(*known, base, true);
      }
    }
  }

  static const Field* find_tag(const StructSchema& schema, std::uint32_t tag) {
    for (const Field& field : schema.fields) {
      if (field.tag >= 0 && static_cast<std::uint32_t>(field.tag) == tag) return &field;
    }
    return nullptr;
  }

  void unknown_tag(const StructSchema& schema, std::uint32_t tag, std::uint32_t size, void* base) {
    const codec::Bytes bytes = reader_.view(size);
    if (!reader_.ok()) return;
    as<UnknownTags>(at(base, schema.unknown_tags_offset)).push_back({tag, codec::Blob(bytes.begin(), bytes.end())});
  }

  Reader& reader_;
  const std::int16_t version_;
  const bool flexible_;
};

}  // namespace

void decode_message(Reader& reader, std::int16_t version, const MessageSchema& schema, void* message) {
  if (!schema.versions.contains(version)) return reader.fail();
  MessageDecoder(reader, version, schema.is_flexible(version)).structure(*schema.root, message);
}

}  // namespace dohle::protocol
