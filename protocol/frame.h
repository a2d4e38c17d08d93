// Request and response headers: which version of them goes with which API and version, and what a broker does with a
// request before its body is read.
// Source: KIP-482, KIP-511; org.apache.kafka.common.requests.RequestHeader, ApiKeys.requestHeaderVersion.
//
// A frame here is what follows the four bytes of its size; splitting the stream into frames is the connection's work.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/reader.h"
#include "codec/writer.h"
#include "protocol/api_key.h"
#include "protocol/messages/request_header.h"

namespace dohle::protocol {

/// The two numbers that every frame begins with, in any version.
struct RequestKey {
  std::int16_t api_key;
  std::int16_t api_version;
};

/// nullopt when the frame has fewer than four bytes.
std::optional<RequestKey> peek_request_key(codec::Bytes frame);

/// 1, or 2 from the API's first flexible version on, without an upper bound: an ApiVersions request of a version from
/// the future has header 2.
std::int16_t request_header_version(const ApiInfo& api, std::int16_t api_version);

/// 0, or 1 from the API's first flexible version on; always 0 for ApiVersions, whose answer must be readable for a
/// client that does not know yet what we speak.
std::int16_t response_header_version(const ApiInfo& api, std::int16_t api_version);

/// Reads the header of a frame; the body follows in `reader`. A null client id becomes an empty one. Fails the reader
/// where Kafka closes the connection: a key that does not exist or has no version left, a malformed header. Whether the
/// version is one of ours is not asked here: admit() says.
RequestHeader decode_request_header(codec::Reader& reader);

/// Writes the header in the version that goes with its API and version; fails the writer on a key that has none.
void encode_request_header(codec::Writer& writer, const RequestHeader& header);

/// Writes the header of the answer to a request of `api` at `api_version`.
void encode_response_header(codec::Writer& writer, const ApiInfo& api, std::int16_t api_version,
                            std::int32_t correlation_id);

/// The correlation id of an answer; the body follows in `reader`. Unknown tags are dropped.
std::int32_t decode_response_header(codec::Reader& reader, const ApiInfo& api, std::int16_t api_version);

enum class Listener : std::uint8_t { broker, controller };

/// What a broker does with a request before its body is read (SocketServer.Processor, RequestContext.parseRequest).
enum class Admission : std::uint8_t {
  /// Decode the body in the request's version.
  accept,
  /// Don't decode the body; answer ApiVersions with UNSUPPORTED_VERSION in version 0.
  answer_unsupported_version,
  /// Close the connection without an answer.
  close_connection,
};

Admission admit(RequestKey request, Listener listener, bool unstable_versions_enabled);

}  // namespace dohle::protocol
