#include "compat-tests/raw/connection.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "codec/reader.h"

namespace dohle::raw {

namespace {

int milliseconds_until(std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 24 * 3600 * 1000));
}

/// Empty when connected.
std::string connect_one(int socket, const addrinfo& address, std::chrono::milliseconds timeout) {
  if (connect(socket, address.ai_addr, address.ai_addrlen) == 0) return "";
  if (errno != EINPROGRESS) return std::strerror(errno);
  pollfd ready{socket, POLLOUT, 0};
  if (poll(&ready, 1, static_cast<int>(timeout.count())) != 1) return "connecting timed out";
  int error = 0;
  socklen_t size = sizeof(error);
  getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  return error == 0 ? "" : std::strerror(error);
}

}  // namespace

Connection::~Connection() {
  if (socket_ >= 0) close(socket_);
}

std::string Connection::open(const std::string& host, std::uint16_t port, std::chrono::milliseconds timeout) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* addresses = nullptr;
  if (const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &addresses); error != 0) {
    return gai_strerror(error);
  }
  std::string error = "no address";
  for (const addrinfo* address = addresses; address; address = address->ai_next) {
    const int candidate = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (candidate < 0) continue;
    error = connect_one(candidate, *address, timeout);
    if (error.empty()) {
      const int on = 1;
      setsockopt(candidate, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
      socket_ = candidate;
      break;
    }
    close(candidate);
  }
  freeaddrinfo(addresses);
  return error;
}

Connection::Outcome Connection::send(codec::Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      pollfd ready{socket_, POLLOUT, 0};
      constexpr int stuck_ms = 30000;
      if (poll(&ready, 1, stuck_ms) != 1) return Outcome::timeout;
    } else if (errno != EINTR) {
      return errno == EPIPE || errno == ECONNRESET ? Outcome::closed : Outcome::failed;
    }
  }
  return Outcome::ok;
}

Connection::Outcome Connection::receive(codec::Blob& frame, std::chrono::milliseconds timeout) {
  const Clock::time_point deadline = Clock::now() + timeout;
  std::uint8_t prefix[4];
  if (const Outcome outcome = receive_exactly(prefix, sizeof(prefix), deadline); outcome != Outcome::ok) return outcome;
  const std::uint32_t size = codec::Reader(prefix).u32();
  if (size > frame_size_bytes_max) return Outcome::failed;
  frame.resize(size);
  return receive_exactly(frame.data(), size, deadline);
}

Connection::Outcome Connection::wait_for_close(std::chrono::milliseconds timeout) {
  std::uint8_t byte = 0;
  const Outcome outcome = receive_exactly(&byte, 1, Clock::now() + timeout);
  return outcome == Outcome::ok ? Outcome::failed : outcome;
}

Connection::Outcome Connection::receive_exactly(std::uint8_t* to, std::size_t size, Clock::time_point deadline) {
  while (size > 0) {
    const ssize_t received = recv(socket_, to, size, 0);
    if (received > 0) {
      to += received;
      size -= static_cast<std::size_t>(received);
    } else if (received == 0 || errno == ECONNRESET) {
      return Outcome::closed;
    } else if (errno == EAGAIN) {
      pollfd ready{socket_, POLLIN, 0};
      if (poll(&ready, 1, milliseconds_until(deadline)) == 0) return Outcome::timeout;
    } else if (errno != EINTR) {
      return Outcome::failed;
    }
  }
  return Outcome::ok;
}

}  // namespace dohle::raw
