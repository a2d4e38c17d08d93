// What the generator knows about messages, as constant tables. The structs in protocol/messages are plain data; one
// decoder, one encoder and one printer walk them by these tables (message_codec.h, message_json.h), so that a rule of
// the protocol stands in one place and a new field costs a line of data instead of code.
//
// Everything here points to constants: tables can be read from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "protocol/versions.h"

namespace dohle::protocol {

enum class FieldType : std::uint8_t {
  boolean,
  int8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  float64,
  uuid,
  string,
  bytes,
  records,
  structure,
};

/// A std::vector whose element type is not known to the caller.
struct ListAccess {
  std::size_t element_size;
  std::size_t (*size)(const void* list);
  const void* (*data)(const void* list);
  /// Clears the list, then makes `count` default elements; returns the first.
  void* (*reset)(void* list, std::size_t count);
};

/// A std::optional whose value type is not known to the caller.
struct OptionalAccess {
  /// The value, or nullptr when there is none.
  const void* (*get)(const void* optional);
  /// Makes a default value and returns it.
  void* (*emplace)(void* optional);
  void (*reset)(void* optional);
};

struct StructSchema;

struct Field {
  /// Kafka's name as its JSON forms have it, the first letter lowered.
  const char* name;
  /// Bytes from the start of the struct to the member.
  std::uint32_t offset;
  FieldType type;
  /// Never written in the compact form, even where the message is flexible (the client id of the request header).
  bool inflexible = false;
  /// Silently left out of versions that don't have it; otherwise a value that is not the default fails to encode.
  bool ignorable = false;
  bool default_is_null = false;
  VersionRange versions;
  VersionRange nullable = {};
  VersionRange tagged = {};
  std::int32_t tag = -1;
  /// The default of bool and numbers.
  std::int64_t default_number = 0;
  const char* default_text = "";
  const StructSchema* structure = nullptr;
  const ListAccess* list = nullptr;
  /// Set where the member is a std::optional: every nullable one but `records`.
  const OptionalAccess* optional = nullptr;

  bool is_array() const { return list != nullptr; }
};

inline constexpr std::uint32_t no_unknown_tags = 0xffffffff;

struct StructSchema {
  const char* name;
  std::span<const Field> fields;
  /// Bytes to the member `unknown_tags`; `no_unknown_tags` in a message that is never flexible.
  std::uint32_t unknown_tags_offset;
  /// The fewest bytes that the struct takes in any version: what bounds a count before anything is allocated.
  std::uint16_t min_size_bytes;
  bool has_tagged_fields;

  bool keeps_unknown_tags() const { return unknown_tags_offset != no_unknown_tags; }
};

enum class MessageKind : std::uint8_t { request, response, header, data, metadata, coordinator_key, coordinator_value };

struct MessageSchema {
  const char* name;
  MessageKind kind;
  /// API key or record type; -1 for messages that have none.
  std::int16_t key;
  VersionRange versions;
  std::int16_t first_flexible_version;
  const StructSchema* root;
  /// A default instance, for callers that know the message only by name.
  void* (*create)();
  void (*destroy)(void* message);

  bool is_flexible(std::int16_t version) const { return version >= first_flexible_version; }
};

/// Every message, in the order of the pages: tools and tests go through it.
std::span<const MessageSchema* const> all_messages();
/// By Kafka's name ("MetadataRequest", "TopicRecord"); nullptr when there is none.
const MessageSchema* find_message(const char* name);

template <typename Element>
inline constexpr ListAccess list_access = {
    sizeof(Element),
    [](const void* list) { return static_cast<const std::vector<Element>*>(list)->size(); },
    [](const void* list) -> const void* { return static_cast<const std::vector<Element>*>(list)->data(); },
    [](void* list, std::size_t count) -> void* {
      auto& vector = *static_cast<std::vector<Element>*>(list);
      vector = std::vector<Element>(count);
      return vector.data();
    },
};

template <typename Value>
inline constexpr OptionalAccess optional_access = {
    [](const void* optional) -> const void* {
      const auto& value = *static_cast<const std::optional<Value>*>(optional);
      return value ? &*value : nullptr;
    },
    [](void* optional) -> void* { return &static_cast<std::optional<Value>*>(optional)->emplace(); },
    [](void* optional) { static_cast<std::optional<Value>*>(optional)->reset(); },
};

}  // namespace dohle::protocol
