// From a frame to its answer: header, version, the handler's row, the encoded response.
// Source: kafka.network.SocketServer, kafka.server.KafkaApis.handle.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "protocol/frame.h"
#include "server/api/handler.h"
#include "server/net/request.h"

namespace dohle::api {

/// Any reactor.
class Dispatcher {
 public:
  /// `services` outlives the dispatcher.
  explicit Dispatcher(Services& services) : services_(services) {}

  /// One frame. What Kafka answers with a closed connection (an unknown API, a version that is not ours, a body that
  /// does not parse) comes back as Action::close.
  boost::asio::awaitable<net::Response> handle(net::Request request);

 private:
  boost::asio::awaitable<net::Response> answer(const protocol::ApiInfo& api, RequestContext& context,
                                               codec::Reader& reader);

  Services& services_;
};

}  // namespace dohle::api
