// The wire form of every message. The generated `decode` and `encode` of each message end here.
//
// Reading and writing agree with the classes that Kafka 4.4 generates from its message JSON (MessageDataGenerator), in
// what they accept, what they refuse and what they write. One difference: text that is not UTF-8 keeps its bytes here,
// where Java replaces them.
#pragma once

#include <cstdint>

#include "codec/reader.h"
#include "codec/writer.h"
#include "protocol/message_schema.h"

namespace dohle::protocol {

/// Reads `message`, a default instance of the struct that `schema` describes. Fails the reader on a version that the
/// message does not have, on null where the version has none, on a length or count beyond what is left, on arrays of
/// more than 1,000,000 elements and structs of more than 10,000 tags, and on a tag that belongs to another version.
/// Bytes after the message are not looked at. Allocates no more than the counts that the remaining bytes can back.
/// `records` are views into the reader's bytes.
void decode_message(codec::Reader& reader, std::int16_t version, const MessageSchema& schema, void* message);

/// Appends `message`. Fails the writer where Kafka throws UnsupportedVersionException (a value that this version cannot
/// carry, in a field that is not ignorable; unknown tags in a version without tags), on null where the version has
/// none, on text of more than 32767 bytes, and on unknown tags that are not ascending or that the message knows.
void encode_message(codec::Writer& writer, std::int16_t version, const MessageSchema& schema, const void* message);

/// Whether the field of `base`, the start of its struct, holds its default: such a field is not written when it is
/// tagged, and does no harm in a version without it.
bool is_default(const Field& field, const void* base);

}  // namespace dohle::protocol
