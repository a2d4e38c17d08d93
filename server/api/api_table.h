// The table of all handlers, on one page: what is here is implemented, and what is implemented is advertised.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <span>

#include "codec/reader.h"
#include "codec/writer.h"
#include "protocol/api_key.h"
#include "server/api/handler.h"

namespace dohle::api {

struct ApiRow {
  /// Decodes the body, calls the handler, encodes the answer. False: the body is malformed, close the connection.
  using Now = bool (*)(Services&, RequestContext&, codec::Reader&, codec::Writer&);
  using Later = boost::asio::awaitable<bool> (*)(Services&, RequestContext&, codec::Reader&, codec::Writer&);

  protocol::ApiKey key;
  bool on_broker = true;
  bool on_controller = false;
  Now now = nullptr;
  Later later = nullptr;
};

/// In ascending order of keys.
std::span<const ApiRow> api_table();
/// nullptr when we have no handler for the key on that listener.
const ApiRow* find_row(protocol::ApiKey key, bool on_controller_listener);

}  // namespace dohle::api
