// The other end of a connection in tests: blocking, with a time-out so that a test fails instead of hanging.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>

#include "server/runtime/descriptor.h"

namespace dohle::net {

class LoopbackClient {
 public:
  explicit LoopbackClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    timeval patience{10, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }

  bool connected() const { return connected_; }
  void close() { socket_.reset(); }

  bool send_raw(const std::string& bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      ssize_t count = ::send(socket_.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;
      sent += static_cast<std::size_t>(count);
    }
    return true;
  }

  bool send_frame(const std::string& body) {
    std::string frame;
    for (int shift = 24; shift >= 0; shift -= 8) frame += static_cast<char>(body.size() >> shift & 0xff);
    return send_raw(frame + body);
  }

  /// The next response's body; nothing if the connection was closed or nothing came for ten seconds.
  std::optional<std::string> receive_frame() {
    std::optional<std::string> size = receive_bytes(4);
    if (!size) return std::nullopt;
    std::size_t length = 0;
    for (char byte : *size) length = length << 8 | static_cast<unsigned char>(byte);
    return receive_bytes(length);
  }

  /// True if the server closed, having sent nothing more.
  bool closed_by_server() {
    char byte = 0;
    ssize_t count = ::recv(socket_.get(), &byte, 1, 0);
    return count == 0 || (count < 0 && errno == ECONNRESET);
  }

  /// True if there is something to read, or the end, within this time.
  bool anything_within_ms(int ms) {
    timeval wait{ms / 1000, ms % 1000 * 1000};
    fd_set readable;
    FD_ZERO(&readable);
    FD_SET(socket_.get(), &readable);
    return ::select(socket_.get() + 1, &readable, nullptr, nullptr, &wait) == 1;
  }

 private:
  std::optional<std::string> receive_bytes(std::size_t length) {
    std::string bytes(length, '\0');
    std::size_t received = 0;
    while (received < length) {
      ssize_t count = ::recv(socket_.get(), bytes.data() + received, length - received, 0);
      if (count <= 0) return std::nullopt;
      received += static_cast<std::size_t>(count);
    }
    return bytes;
  }

  runtime::Descriptor socket_;
  bool connected_ = false;
};

}  // namespace dohle::net
