// Sockets and frames for the load generator and the bare loops: blocking, one connection, nothing in the way.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace dohle::bench {

[[noreturn]] inline void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

inline sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

inline void no_delay(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

inline int connect_to(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const auto address = loopback(port);
  if (socket < 0 || connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) die("connect");
  no_delay(socket);
  return socket;
}

/// Listens on the port and takes so many connections.
inline std::vector<int> accept_many(int port, std::size_t count) {
  const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const auto address = loopback(port);
  if (bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) die("bind");
  if (listen(listening, 128) != 0) die("listen");
  std::vector<int> sockets;
  while (sockets.size() < count) {
    sockets.push_back(accept(listening, nullptr, nullptr));
    if (sockets.back() < 0) die("accept");
    no_delay(sockets.back());
  }
  close(listening);
  return sockets;
}

inline int accept_one(int port) {
  return accept_many(port, 1).front();
}

inline void send_all(int socket, const std::uint8_t* bytes, std::size_t size) {
  while (size > 0) {
    const auto sent = send(socket, bytes, size, MSG_NOSIGNAL);
    if (sent <= 0) die("send");
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

/// False at the end of the stream before the first byte.
inline bool read_all(int socket, std::uint8_t* bytes, std::size_t size) {
  bool any = false;
  while (size > 0) {
    const auto read = recv(socket, bytes, size, 0);
    if (read < 0) die("recv");
    if (read == 0) {
      if (any) die("the stream ended within a frame");
      return false;
    }
    any = true;
    bytes += read;
    size -= static_cast<std::size_t>(read);
  }
  return true;
}

/// A frame without its size; empty at the end of the stream.
inline bool read_frame(int socket, std::vector<std::uint8_t>& frame) {
  std::uint8_t head[4];
  if (!read_all(socket, head, sizeof head)) return false;
  std::uint32_t size = 0;
  for (const auto byte : head) size = size << 8 | byte;
  if (frame.size() != size) frame.resize(size);
  return size == 0 || read_all(socket, frame.data(), size);
}

}  // namespace dohle::bench
