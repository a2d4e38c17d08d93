// The way back from protocol/message_json.h: JSON to any message. For tools and tests; the server reads no such JSON.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "codec/bytes.h"
#include "protocol/message_schema.h"

namespace dohle::raw {

/// What `records` fields of a message point to: keep it as long as the message.
using RecordsStore = std::deque<codec::Blob>;

/// Fills `message`, a default instance. Fields that are absent keep their defaults; fields of any version are taken, so
/// that a message can be made which a version must refuse. Returns what is wrong, with the path to it: a name that the
/// message does not have, a value of the wrong type or range, null where no version has it.
std::optional<std::string> message_from_json(const protocol::MessageSchema& schema, const boost::json::value& json,
                                             void* message, RecordsStore& store);

/// Standard base64, padding required. nullopt on anything else.
std::optional<codec::Blob> from_base64(std::string_view text);
std::optional<codec::Blob> from_hex(std::string_view text);
std::string to_hex(codec::Bytes bytes);

}  // namespace dohle::raw
