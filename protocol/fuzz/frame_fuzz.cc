// The first thing that a client can send: a frame, up to the body of its request.
#include <cstdlib>

#include "protocol/frame.h"
#include "protocol/message_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dohle;
  const codec::Bytes frame(data, size);
  codec::Reader reader(frame);
  const protocol::RequestHeader header = protocol::decode_request_header(reader);
  const auto key = protocol::peek_request_key(frame);
  if (!reader.ok()) return 0;
  if (!key || key->api_key != header.request_api_key || key->api_version != header.request_api_version) std::abort();
  if (protocol::admit(*key, protocol::Listener::broker, false) != protocol::Admission::accept) return 0;
  const protocol::ApiInfo& api = *protocol::find_api(key->api_key);
  void* message = api.request->create();
  protocol::decode_message(reader, key->api_version, *api.request, message);
  api.request->destroy(message);
  return 0;
}
