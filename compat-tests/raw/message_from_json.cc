#include "compat-tests/raw/message_from_json.h"

#include <cmath>
#include <limits>

#include "codec/uuid.h"
#include "protocol/records.h"
#include "protocol/unknown_tags.h"

namespace dohle::raw {

namespace {

namespace json = boost::json;
using protocol::Field;
using protocol::FieldType;

struct Wrong {
  std::string what;
};

template <typename T>
T& as(void* value) {
  return *static_cast<T*>(value);
}

void* at(void* base, std::size_t offset) {
  return static_cast<std::byte*>(base) + offset;
}

std::int64_t integer(const json::value& value, std::int64_t min, std::int64_t max) {
  std::int64_t number = 0;
  if (value.is_int64()) {
    number = value.get_int64();
  } else if (value.is_uint64() && value.get_uint64() <= static_cast<std::uint64_t>(max)) {
    number = static_cast<std::int64_t>(value.get_uint64());
  } else {
    throw Wrong{"an integer that fits is wanted"};
  }
  if (number < min || number > max) throw Wrong{"out of range"};
  return number;
}

template <typename Number>
void set_integer(void* member, const json::value& value) {
  as<Number>(member) = static_cast<Number>(integer(value, std::numeric_limits<Number>::min(),
                                                   static_cast<std::int64_t>(std::numeric_limits<Number>::max())));
}

std::string_view text(const json::value& value) {
  if (!value.is_string()) throw Wrong{"a string is wanted"};
  return value.get_string();
}

codec::Blob blob(const json::value& value) {
  std::optional<codec::Blob> bytes = from_base64(text(value));
  if (!bytes) throw Wrong{"base64 is wanted"};
  return *bytes;
}

double real(const json::value& value) {
  if (value.is_string()) {
    if (value.get_string() == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (value.get_string() == "Infinity") return std::numeric_limits<double>::infinity();
    if (value.get_string() == "-Infinity") return -std::numeric_limits<double>::infinity();
  }
  if (!value.is_number()) throw Wrong{"a number is wanted"};
  return value.to_number<double>();
}

class MessageReader {
 public:
  explicit MessageReader(RecordsStore& store) : store_(store) {}

  void structure(const protocol::StructSchema& schema, const json::value& value, void* base) {
    if (!value.is_object()) throw Wrong{"an object is wanted"};
    for (const auto& [name, content] : value.get_object()) {
      try {
        member(schema, name, content, base);
      } catch (const Wrong& wrong) {
        throw Wrong{std::string(name) + (wrong.what.starts_with('[') ? "" : ": ") + wrong.what};
      }
    }
  }

 private:
  void member(const protocol::StructSchema& schema, std::string_view name, const json::value& content, void* base) {
    if (name == "unknownTags" && schema.keeps_unknown_tags()) {
      return unknown_tags(content, as<protocol::UnknownTags>(at(base, schema.unknown_tags_offset)));
    }
    for (const Field& field : schema.fields) {
      if (field.name == name) return this->field(field, content, at(base, field.offset));
    }
    throw Wrong{std::string(schema.name) + " has no such field"};
  }

  void field(const Field& field, const json::value& content, void* member) {
    if (content.is_null()) {
      if (field.optional) return field.optional->reset(member);
      if (field.type != FieldType::records || field.nullable.empty()) throw Wrong{"never null"};
      as<protocol::Records>(member) = protocol::Records::null();
      return;
    }
    if (field.optional) member = field.optional->emplace(member);
    if (field.is_array()) {
      array(field, content, member);
    } else {
      plain(field, content, member);
    }
  }

  void array(const Field& field, const json::value& content, void* list) {
    if (!content.is_array()) throw Wrong{"an array is wanted"};
    void* element = field.list->reset(list, content.get_array().size());
    std::size_t index = 0;
    for (const json::value& item : content.get_array()) {
      try {
        plain(field, item, element);
      } catch (const Wrong& wrong) {
        throw Wrong{"[" + std::to_string(index) + "]: " + wrong.what};
      }
      element = at(element, field.list->element_size);
      ++index;
    }
  }

  void plain(const Field& field, const json::value& value, void* member) {
    switch (field.type) {
      case FieldType::boolean:
        if (!value.is_bool()) throw Wrong{"true or false is wanted"};
        as<bool>(member) = value.get_bool();
        return;
      case FieldType::int8:
        return set_integer<std::int8_t>(member, value);
      case FieldType::int16:
        return set_integer<std::int16_t>(member, value);
      case FieldType::uint16:
        return set_integer<std::uint16_t>(member, value);
      case FieldType::int32:
        return set_integer<std::int32_t>(member, value);
      case FieldType::uint32:
        return set_integer<std::uint32_t>(member, value);
      case FieldType::int64:
        return set_integer<std::int64_t>(member, value);
      case FieldType::float64:
        as<double>(member) = real(value);
        return;
      case FieldType::uuid:
        return uuid(value, as<codec::Uuid>(member));
      case FieldType::string:
        as<std::string>(member) = text(value);
        return;
      case FieldType::bytes:
        as<codec::Blob>(member) = blob(value);
        return;
      case FieldType::records:
        as<protocol::Records>(member) = protocol::Records::of(store_.emplace_back(blob(value)));
        return;
      case FieldType::structure:
        return structure(*field.structure, value, member);
    }
  }

  static void uuid(const json::value& value, codec::Uuid& id) {
    const std::optional<codec::Uuid> parsed = codec::Uuid::parse(text(value));
    if (!parsed) throw Wrong{"a base64url id of 22 characters is wanted"};
    id = *parsed;
  }

  static void unknown_tags(const json::value& content, protocol::UnknownTags& tags) {
    if (!content.is_array()) throw Wrong{"an array is wanted"};
    for (const json::value& item : content.get_array()) {
      if (!item.is_object() || !item.get_object().contains("tag") || !item.get_object().contains("bytes")) {
        throw Wrong{"tag and bytes are wanted"};
      }
      const std::int64_t tag = integer(item.at("tag"), 0, std::numeric_limits<std::uint32_t>::max());
      tags.push_back({static_cast<std::uint32_t>(tag), blob(item.at("bytes"))});
    }
  }

  RecordsStore& store_;
};

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

std::optional<std::string> message_from_json(const protocol::MessageSchema& schema, const json::value& json,
                                             void* message, RecordsStore& store) {
  try {
    MessageReader(store).structure(*schema.root, json, message);
  } catch (const Wrong& wrong) {
    return std::string(schema.name) + ": " + wrong.what;
  }
  return std::nullopt;
}

std::optional<codec::Blob> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  codec::Blob bytes;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool is_last = i + 4 == text.size();
    const std::size_t padding = !is_last || text[i + 3] != '=' ? 0 : text[i + 2] == '=' ? 2 : 1;
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const int digit = j >= 4 - padding ? 0 : base64_digit(text[i + j]);
      if (digit < 0) return std::nullopt;
      group = (group << 6) | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t j = 0; j < 3 - padding; ++j) bytes.push_back(static_cast<std::uint8_t>(group >> (16 - 8 * j)));
  }
  return bytes;
}

std::optional<codec::Blob> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  codec::Blob bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = hex_digit(text[i]);
    const int low = hex_digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<std::uint8_t>(high * 16 + low));
  }
  return bytes;
}

std::string to_hex(codec::Bytes bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace dohle::raw
