// Any message as one line of JSON: for debug logs, for tests, and for the raw client of compat-tests.
//
// The form is that of Kafka's JsonConverter classes: names with a small first letter, ids as base64url, bytes as
// base64, tagged fields only when they are not the default, fields of other versions left out. Where Kafka's form loses
// something, ours has more: `unknownTags`, and the content of records.
#pragma once

#include <cstdint>
#include <string>

#include "codec/bytes.h"
#include "protocol/message_schema.h"

namespace dohle::protocol {

/// What a `records` field shows.
enum class RecordsInJson : std::uint8_t {
  /// Base64 under the field's name; `<name>ExternalBytes` beside it when some of them are not here.
  content,
  /// Only how many, as `<name>SizeInBytes`: Kafka's form, and the one for logs.
  size,
};

/// Never fails: text that is not UTF-8 is shown with replacement characters, a message that `version` cannot carry is
/// shown without what does not fit.
std::string to_json(const MessageSchema& schema, std::int16_t version, const void* message, RecordsInJson records);

template <typename Message>
std::string to_json(const Message& message, std::int16_t version, RecordsInJson records = RecordsInJson::size) {
  return to_json(Message::schema(), version, &message, records);
}

/// With padding (RFC 4648, section 4).
std::string to_base64(codec::Bytes bytes);

}  // namespace dohle::protocol
