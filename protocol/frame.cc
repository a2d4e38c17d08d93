#include "protocol/frame.h"

#include "protocol/messages/response_header.h"

namespace dohle::protocol {

std::optional<RequestKey> peek_request_key(codec::Bytes frame) {
  codec::Reader reader(frame);
  const std::int16_t api_key = reader.i16();
  const std::int16_t api_version = reader.i16();
  if (!reader.ok()) return std::nullopt;
  return RequestKey{api_key, api_version};
}

std::int16_t request_header_version(const ApiInfo& api, std::int16_t api_version) {
  return api_version >= api.first_flexible_version ? 2 : 1;
}

std::int16_t response_header_version(const ApiInfo& api, std::int16_t api_version) {
  if (api.key == ApiKey::api_versions) return 0;
  return api_version >= api.first_flexible_version ? 1 : 0;
}

RequestHeader decode_request_header(codec::Reader& reader) {
  RequestHeader header;
  // The version of the header depends on its own first two fields.
  codec::Reader ahead = reader;
  const std::int16_t api_key = ahead.i16();
  const std::int16_t api_version = ahead.i16();
  const ApiInfo* api = ahead.ok() ? find_api(api_key) : nullptr;
  if (!api || api->versions.empty()) {
    reader.fail();
    return header;
  }
  decode(reader, request_header_version(*api, api_version), header);
  if (!header.client_id) header.client_id.emplace();
  return header;
}

void encode_request_header(codec::Writer& writer, const RequestHeader& header) {
  const ApiInfo* api = find_api(header.request_api_key);
  if (!api || api->versions.empty()) return writer.fail("the request has no API");
  encode(writer, request_header_version(*api, header.request_api_version), header);
}

void encode_response_header(codec::Writer& writer, const ApiInfo& api, std::int16_t api_version,
                            std::int32_t correlation_id) {
  ResponseHeader header;
  header.correlation_id = correlation_id;
  encode(writer, response_header_version(api, api_version), header);
}

std::int32_t decode_response_header(codec::Reader& reader, const ApiInfo& api, std::int16_t api_version) {
  ResponseHeader header;
  decode(reader, response_header_version(api, api_version), header);
  return header.correlation_id;
}

Admission admit(RequestKey request, Listener listener, bool unstable_versions_enabled) {
  const ApiInfo* api = find_api(request.api_key);
  if (!api || !(listener == Listener::broker ? api->on_broker : api->on_controller)) return Admission::close_connection;
  if (api->key == ApiKey::api_versions) {
    return api->versions.contains(request.api_version) ? Admission::accept : Admission::answer_unsupported_version;
  }
  const VersionRange& enabled = unstable_versions_enabled ? api->versions : api->stable_versions;
  return enabled.contains(request.api_version) ? Admission::accept : Admission::close_connection;
}

}  // namespace dohle::protocol
