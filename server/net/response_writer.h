// Writes one response to a connection: the size, then the pieces; memory by writev, files by sendfile. Knows no event
// loop: it is asked to go on when the socket takes more.
#pragma once

#include <array>
#include <cstdint>

#include "server/net/request.h"
#include "server/net/transport.h"

namespace dohle::net {

class ResponseWriter {
 public:
  enum class State : std::uint8_t {
    done,
    need_output,  // wait until the socket is writable
    yield,        // there is more, but others may want their turn
    failed,       // the socket failed, or a slice turned out short: close
  };

  /// `transport` outlives the writer.
  explicit ResponseWriter(Transport& transport) : transport_(transport) {}

  /// The pieces of one response of Action::send. False if they cannot be sent: a small slice that is short or cannot be
  /// read, or more than a frame can hold.
  [[nodiscard]] bool begin(Response response);
  State write();

  /// What of the response has left. For the idle timer.
  std::uint64_t written_bytes() const { return written_bytes_; }

 private:
  /// Below, reading and writing is cheaper than a sendfile (performance.md 2.3).
  static constexpr std::uint64_t small_slice_bytes = 4096;
  /// Sent in one go before other connections have their turn.
  static constexpr std::uint64_t turn_bytes = 1 << 20;
  static constexpr std::size_t copy_bytes = 64 << 10;
  static constexpr std::size_t vectors_max = 64;

  using Piece = std::variant<std::vector<std::uint8_t>, FileSlice>;

  static std::uint64_t size_of(const Piece& piece);
  IoResult send_memory();
  IoResult send_slice(const FileSlice& slice, std::uint64_t limit_bytes);
  void advance(std::uint64_t bytes);

  Transport& transport_;
  std::array<std::uint8_t, 4> prefix_{};
  std::size_t prefix_sent_ = 0;
  Response response_;
  std::size_t index_ = 0;           // the first piece that is not sent whole
  std::uint64_t offset_bytes_ = 0;  // and how much of it is
  std::uint64_t written_bytes_ = 0;
  bool corked_ = false;
};

}  // namespace dohle::net
