#include "protocol/message_json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "codec/uuid.h"
#include "protocol/message_codec.h"
#include "protocol/records.h"
#include "protocol/unknown_tags.h"

namespace dohle::protocol {

namespace {

template <typename T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}

const void* at(const void* base, std::size_t offset) {
  return static_cast<const std::byte*>(base) + offset;
}

/// How many bytes the UTF-8 sequence at `position` has; 0 when it is malformed.
std::size_t sequence_size(std::string_view text, std::size_t position) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[position + i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || position + size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xed && byte(1) > 0x9f;
  const bool too_high = lead == 0xf4 && byte(1) > 0x8f;
  return overlong || surrogate || too_high ? 0 : size;
}

class JsonWriter {
 public:
  JsonWriter(std::int16_t version, RecordsInJson records) : version_(version), records_(records) {}

  std::string take() { return std::move(out_); }

  void structure(const StructSchema& schema, const void* base) {
    out_ += '{';
    bool first = true;
    for (const Field& field : schema.fields) {
      if (!field.versions.contains(version_)) continue;
      if (field.tagged.contains(version_) && is_default(field, base)) continue;
      comma(first);
      value(field, base);
    }
    if (schema.keeps_unknown_tags()) {
      unknown_tags(as<UnknownTags>(at(base, schema.unknown_tags_offset)), first);
    }
    out_ += '}';
  }

 private:
  void comma(bool& first) {
    if (!first) out_ += ',';
    first = false;
  }

  void key(std::string_view name, std::string_view suffix = "") {
    out_ += '"';
    out_ += name;
    out_ += suffix;
    out_ += "\":";
  }

  void value(const Field& field, const void* base) {
    const void* member = at(base, field.offset);
    if (field.type == FieldType::records) return records(field, as<Records>(member));
    key(field.name);
    if (field.optional) member = field.optional->get(member);
    if (!member) {
      out_ += "null";
    } else if (field.is_array()) {
      array(field, member);
    } else {
      plain(field, member);
    }
  }

  void array(const Field& field, const void* list) {
    out_ += '[';
    const std::size_t count = field.list->size(list);
    const void* element = field.list->data(list);
    bool first = true;
    for (std::size_t i = 0; i < count; ++i, element = at(element, field.list->element_size)) {
      comma(first);
      plain(field, element);
    }
    out_ += ']';
  }

  void plain(const Field& field, const void* value) {
    switch (field.type) {
      case FieldType::boolean:
        out_ += as<bool>(value) ? "true" : "false";
        break;
      case FieldType::int8:
        return number(as<std::int8_t>(value));
      case FieldType::int16:
        return number(as<std::int16_t>(value));
      case FieldType::uint16:
        return number(as<std::uint16_t>(value));
      case FieldType::int32:
        return number(as<std::int32_t>(value));
      case FieldType::uint32:
        return number(as<std::uint32_t>(value));
      case FieldType::int64:
        return number(as<std::int64_t>(value));
      case FieldType::float64:
        return real(as<double>(value));
      case FieldType::uuid:
        return text(as<codec::Uuid>(value).to_string());
      case FieldType::string:
        return text(as<std::string>(value));
      case FieldType::bytes:
        return text(to_base64(as<codec::Blob>(value)));
      case FieldType::structure:
        return structure(*field.structure, value);
      case FieldType::records:
        break;
    }
  }

  void records(const Field& field, const Records& value) {
    if (records_ == RecordsInJson::size && !value.is_null) {
      key(field.name, "SizeInBytes");
      return number(static_cast<std::int64_t>(value.size_bytes()));
    }
    key(field.name);
    if (value.is_null) {
      out_ += "null";
    } else {
      text(to_base64(value.bytes));
    }
    if (value.external_bytes == 0) return;
    out_ += ',';
    key(field.name, "ExternalBytes");
    number(static_cast<std::int64_t>(value.external_bytes));
  }

  void unknown_tags(const UnknownTags& tags, bool& first) {
    if (tags.empty()) return;
    comma(first);
    key("unknownTags");
    out_ += '[';
    bool first_tag = true;
    for (const UnknownTag& tag : tags) {
      comma(first_tag);
      out_ += "{\"tag\":";
      number(tag.tag);
      out_ += ",\"bytes\":";
      text(to_base64(tag.bytes));
      out_ += '}';
    }
    out_ += ']';
  }

  template <typename Number>
  void number(Number value) {
    std::array<char, 24> digits;
    out_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  }

  /// JSON has no infinity and no NaN: they become text, as Jackson writes them.
  void real(double value) {
    if (std::isnan(value)) return text("NaN");
    if (std::isinf(value)) return text(value > 0 ? "Infinity" : "-Infinity");
    std::array<char, 32> digits;
    const std::string_view shortest(digits.data(),
                                    std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    out_ += shortest;
    if (shortest.find_first_of(".e") == std::string_view::npos) out_ += ".0";
  }

  void text(std::string_view value) {
    constexpr std::string_view replacement = "\xef\xbf\xbd";
    out_ += '"';
    for (std::size_t i = 0; i < value.size();) {
      const std::size_t size = sequence_size(value, i);
      if (size == 0) {
        out_ += replacement;
        ++i;
      } else if (size == 1) {
        character(value[i++]);
      } else {
        out_ += value.substr(i, size);
        i += size;
      }
    }
    out_ += '"';
  }

  void character(char c) {
    constexpr std::string_view hex = "0123456789abcdef";
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out_ += "\\u00";
      out_ += hex[static_cast<unsigned char>(c) >> 4];
      out_ += hex[static_cast<unsigned char>(c) & 15];
    } else {
      out_ += c;
    }
  }

  const std::int16_t version_;
  const RecordsInJson records_;
  std::string out_;
};

}  // namespace

std::string to_json(const MessageSchema& schema, std::int16_t version, const void* message, RecordsInJson records) {
  JsonWriter writer(version, records);
  writer.structure(*schema.root, message);
  return writer.take();
}

std::string to_base64(codec::Bytes bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) group = (group << 8) | (j < have ? bytes[i + j] : 0u);
    for (std::size_t j = 0; j < 4; ++j) out += j <= have ? alphabet[(group >> (18 - 6 * j)) & 63] : '=';
  }
  return out;
}

}  // namespace dohle::protocol
