#include "server/api/dispatcher.h"

#include "protocol/messages/api_versions.h"
#include "server/api/api_table.h"
#include "server/api/services.h"
#include "server/runtime/check.h"
#include "server/runtime/log_line.h"

namespace dohle::api {

namespace {

net::Response close_connection() {
  net::Response response;
  response.action = net::Response::Action::close;
  return response;
}

/// The written bytes with the context's slices put into the gaps.
net::Response assemble(codec::Writer& writer, RequestContext& context) {
  net::Response response;
  response.action = context.action;
  response.mute_ms = context.mute_ms;
  if (response.action != net::Response::Action::send) return response;
  CHECK(writer.gaps().size() == context.slices.size());
  if (context.slices.empty()) {
    response.pieces.emplace_back(writer.release());
    return response;
  }
  std::size_t begin = 0;
  const auto bytes = writer.bytes();
  const auto add_bytes = [&](std::size_t end) {
    if (end > begin)
      response.pieces.emplace_back(std::vector<std::uint8_t>(bytes.begin() + begin, bytes.begin() + end));
    begin = end;
  };
  for (std::size_t i = 0; i < context.slices.size(); ++i) {
    CHECK(writer.gaps()[i].size_bytes == context.slices[i].size_bytes);
    add_bytes(writer.gaps()[i].position);
    response.pieces.emplace_back(std::move(context.slices[i]));
  }
  add_bytes(bytes.size());
  return response;
}

/// ApiVersions in a version from the future: v0, the code, and the one range that lets the client step down (KIP-511).
net::Response unsupported_api_versions(std::int32_t correlation_id) {
  const auto& api = protocol::api_info(protocol::ApiKey::api_versions);
  protocol::ApiVersionsResponse body;
  body.error_code = static_cast<std::int16_t>(protocol::ErrorCode::unsupported_version);
  auto& range = body.api_keys.emplace_back();
  range.api_key = static_cast<std::int16_t>(protocol::ApiKey::api_versions);
  range.min_version = api.stable_versions.first;
  range.max_version = api.stable_versions.last;
  codec::Writer writer;
  encode_response_header(writer, api, 0, correlation_id);
  encode(writer, 0, body);
  net::Response response;
  response.pieces.emplace_back(writer.release());
  return response;
}

}  // namespace

boost::asio::awaitable<net::Response> Dispatcher::handle(net::Request request) {
  const auto key = protocol::peek_request_key(request.frame);
  if (!key) co_return close_connection();
  const auto listener = request.session->is_controller ? protocol::Listener::controller : protocol::Listener::broker;
  const auto admission = protocol::admit(*key, listener, false);
  if (admission == protocol::Admission::close_connection) co_return close_connection();

  codec::Reader reader(request.frame);
  RequestContext context{.header = protocol::decode_request_header(reader),
                         .session = *request.session,
                         .frame = request.frame,
                         .frame_owner = request.owner,
                         .action = net::Response::Action::send,
                         .slices = {},
                         .mute_ms = 0,
                         .kept = {}};
  if (!reader.ok()) co_return close_connection();
  if (admission == protocol::Admission::answer_unsupported_version) {
    co_return unsupported_api_versions(context.header.correlation_id);
  }
  const auto* api = protocol::find_api(key->api_key);
  auto response = co_await answer(*api, context, reader);
  co_return response;
}

boost::asio::awaitable<net::Response> Dispatcher::answer(const protocol::ApiInfo& api, RequestContext& context,
                                                         codec::Reader& reader) {
  const auto* row = find_row(api.key, context.session.is_controller);
  if (row == nullptr) co_return close_connection();
  codec::Writer writer;
  encode_response_header(writer, api, context.version(), context.header.correlation_id);
  bool is_parsed = false;
  if (row->now != nullptr) {
    is_parsed = row->now(services_, context, reader, writer);
  } else {
    is_parsed = co_await row->later(services_, context, reader, writer);
  }
  if (!is_parsed) co_return close_connection();
  if (!writer.ok()) {
    runtime::log_line(runtime::LogLevel::error, "kafka.server.KafkaApis",
                      std::string("Cannot write the response of ") + api.name + " v" +
                          std::to_string(context.version()) + ": " + writer.error());
    co_return close_connection();
  }
  co_return assemble(writer, context);
}

}  // namespace dohle::api
