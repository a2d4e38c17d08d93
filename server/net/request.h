// What a connection hands to the broker, and what it wants back. Net knows bytes and sockets, no API: the broker gives
// it a Handler.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "codec/bytes.h"
#include "server/runtime/file.h"
#include "server/runtime/stop_signal.h"

namespace dohle::net {

/// What is known of a connection for as long as it lives. Owned by the connection, touched on its reactor only.
struct Session {
  std::uint64_t id = 0;
  std::string listener;        // the listener's name, as configured: PLAINTEXT, EXTERNAL, CONTROLLER
  bool is_controller = false;  // the listener is one of controller.listener.names
  /// Set by a handler whose request will never be answered: Kafka forgets a parked JoinGroup when its member sends
  /// another one. The connection then counts as idle.
  bool is_forgotten = false;
  std::string peer_host;  // the address without port
  std::uint16_t peer_port = 0;
  std::string client_software_name = "unknown";  // set by ApiVersions (KIP-511)
  std::string client_software_version = "unknown";
  /// Requested when the connection is to end: the server stops, or gives the connection up. Every wait of a handler
  /// takes it (`waiter->wait(deadline_ms, &session.closing)`), so that a parked request answers at once.
  runtime::StopSignal closing;
};

/// Who holds the bytes of a frame.
class FrameOwner {
 public:
  /// The frame is not needed any more: its memory goes back before the response is there. For a handler that parks; the
  /// views into the frame are dead afterwards. At most once per request.
  virtual void release_frame() = 0;

 protected:
  ~FrameOwner() = default;
};

/// One frame without its size field. `frame` is the connection's buffer: its bytes may be changed in place (offsets are
/// stamped there) and are valid until the response has been handed back.
struct Request {
  codec::MutableBytes frame;
  Session* session = nullptr;
  FrameOwner* owner = nullptr;
  std::chrono::steady_clock::time_point received;
};

/// A range of an open file that goes out by sendfile.
struct FileSlice {
  std::shared_ptr<const runtime::File> file;
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
};

/// A frame on its way out. The connection writes the four bytes of its size, then the pieces in order.
struct Response {
  enum class Action : std::uint8_t {
    send,   // write the pieces
    none,   // nothing goes out (Produce with acks=0)
    close,  // close the connection without a word
  };
  Action action = Action::send;
  std::vector<std::variant<std::vector<std::uint8_t>, FileSlice>> pieces;
  /// Quotas: after the response nothing is read from this connection for so long (KIP-219).
  std::int32_t mute_ms = 0;
};

/// Runs on the connection's reactor. One call at a time per connection, in the order of the frames, as Kafka does; the
/// next frame is handled when the response of the former was handed to the socket.
using Handler = std::function<boost::asio::awaitable<Response>(Request)>;

}  // namespace dohle::net
