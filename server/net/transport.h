// The bytes of one connection, without waiting: what a socket takes or gives right now. TLS will be a second one; tests
// have one that fails.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <span>

#include "codec/bytes.h"

namespace dohle::net {

/// What a call achieved.
struct IoResult {
  enum class Kind : std::uint8_t {
    done,         // `bytes` were moved, at least one
    would_block,  // wait until the socket is ready
    end,          // receive: the peer sends no more; send_file: the file has no more
    failed,       // `system_error` says why; the connection is over
  };
  Kind kind = Kind::failed;
  std::size_t bytes = 0;
  int system_error = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;

  virtual IoResult receive(codec::MutableBytes buffer) = 0;
  /// `more`: something follows at once, so that a short packet may wait for it.
  virtual IoResult send(std::span<iovec> pieces, bool more) = 0;
  /// From the page cache to the socket. Only if can_send_file().
  virtual IoResult send_file(int file, std::uint64_t offset_bytes, std::size_t size_bytes) = 0;
  virtual bool can_send_file() const = 0;
  /// Holds short packets back until it is set to false again (TCP_CORK); a wish, not a duty.
  virtual void cork(bool on) = 0;
};

/// Straight onto a non-blocking socket, which the caller owns and which outlives it.
class PlainTransport final : public Transport {
 public:
  explicit PlainTransport(int socket) : socket_(socket) {}

  IoResult receive(codec::MutableBytes buffer) override;
  IoResult send(std::span<iovec> pieces, bool more) override;
  IoResult send_file(int file, std::uint64_t offset_bytes, std::size_t size_bytes) override;
  bool can_send_file() const override { return true; }
  void cork(bool on) override;

 private:
  int socket_;
};

}  // namespace dohle::net
