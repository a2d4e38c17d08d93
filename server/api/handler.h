// What a handler is: a plain function from a decoded request to a response. Handlers that wait (long polls, the
// controller, coordinators) are coroutines and live in api/ files that include api/async_handler.h; all others stay
// free of Asio.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "codec/reader.h"
#include "codec/writer.h"
#include "protocol/api_key.h"
#include "protocol/error_code.h"
#include "protocol/frame.h"
#include "server/net/request.h"

namespace dohle::api {

struct Services;

/// One request on its way through the broker. Owned by the dispatcher's frame, on the connection's reactor.
struct RequestContext {
  protocol::RequestHeader header;
  net::Session& session;
  /// The whole frame, mutable: Produce stamps its batches in place.
  codec::MutableBytes frame;
  /// Whose memory the frame is: a handler that parks gives it back, and must not look at `frame` after it.
  net::FrameOwner* frame_owner = nullptr;

  // What only some handlers set.
  net::Response::Action action = net::Response::Action::send;
  /// The contents of the response's gaps, in order: a Fetch's records.
  std::vector<net::FileSlice> slices;
  std::int32_t mute_ms = 0;
  /// Bytes that the response points into until it is encoded.
  std::deque<std::vector<std::uint8_t>> kept;

  std::int16_t version() const { return header.request_api_version; }
};

}  // namespace dohle::api
