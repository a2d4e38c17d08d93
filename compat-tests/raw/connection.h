// One blocking TCP connection of the raw client.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>

#include "codec/bytes.h"
#include "protocol/api_key.h"

namespace dohle::raw {

class Connection {
 public:
  /// A request whose answer is still to come.
  struct Pending {
    const protocol::ApiInfo* api;
    std::int16_t version;
  };

  enum class Outcome : std::uint8_t { ok, closed, timeout, failed };

  Connection() = default;
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Resolves and connects; what went wrong, or empty.
  std::string open(const std::string& host, std::uint16_t port, std::chrono::milliseconds timeout);
  Outcome send(codec::Bytes bytes);
  /// The next frame without its size. An answer of more than `frame_size_bytes_max` is `failed`.
  Outcome receive(codec::Blob& frame, std::chrono::milliseconds timeout);
  /// Waits until the server closes; bytes that come before that are `failed`.
  Outcome wait_for_close(std::chrono::milliseconds timeout);

  std::deque<Pending> pending;

  static constexpr std::uint32_t frame_size_bytes_max = 1U << 30;

 private:
  using Clock = std::chrono::steady_clock;

  Outcome receive_exactly(std::uint8_t* to, std::size_t size, Clock::time_point deadline);

  int socket_ = -1;
};

}  // namespace dohle::raw
