#include "server/net/listening_socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

namespace dohle::net {

using runtime::Descriptor;
using runtime::ErrorKind;
using runtime::failure;
using runtime::Result;

namespace {

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

Result<Address> resolve(const std::string& host, std::uint16_t port) {
  Address address;
  if (host.empty()) {
    auto* any = reinterpret_cast<sockaddr_in6*>(&address.storage);
    any->sin6_family = AF_INET6;
    any->sin6_port = htons(port);
    any->sin6_addr = in6addr_any;
    address.length = sizeof(sockaddr_in6);
    return address;
  }
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  int failed = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failed != 0) {
    return failure(ErrorKind::invalid,
                   fmt::format("Socket server failed to bind to {}:{}: {}.", host, port, ::gai_strerror(failed)));
  }
  std::unique_ptr<addrinfo, void (*)(addrinfo*)> freed(found, ::freeaddrinfo);
  // As Java does without java.net.preferIPv6Addresses: an IPv4 address, if the name has one.
  const addrinfo* chosen = found;
  for (const addrinfo* next = found; next != nullptr; next = next->ai_next) {
    if (next->ai_family == AF_INET) {
      chosen = next;
      break;
    }
  }
  std::memcpy(&address.storage, chosen->ai_addr, chosen->ai_addrlen);
  address.length = chosen->ai_addrlen;
  return address;
}

Address any_ipv4(std::uint16_t port) {
  Address address;
  auto* any = reinterpret_cast<sockaddr_in*>(&address.storage);
  any->sin_family = AF_INET;
  any->sin_port = htons(port);
  any->sin_addr.s_addr = INADDR_ANY;
  address.length = sizeof(sockaddr_in);
  return address;
}

void set(int socket, int level, int name, int value) {
  // A wish: the connection works without it.
  (void)::setsockopt(socket, level, name, &value, sizeof value);
}

std::unexpected<runtime::Error> bind_failure(const std::string& host, std::uint16_t port, int system_error) {
  runtime::Error error;
  error.kind = system_error == EADDRINUSE ? ErrorKind::busy : ErrorKind::io;
  error.system_error = system_error;
  error.message = fmt::format("Socket server failed to bind to {}:{}: {}.", host.empty() ? "0.0.0.0" : host, port,
                              std::generic_category().message(system_error));
  return std::unexpected(std::move(error));
}

/// The address without port, and the port.
void describe(const sockaddr_storage& storage, std::string& host, std::uint16_t& port) {
  char text[INET6_ADDRSTRLEN] = {};
  if (storage.ss_family == AF_INET) {
    const auto& address = reinterpret_cast<const sockaddr_in&>(storage);
    ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
    port = ntohs(address.sin_port);
  } else if (storage.ss_family == AF_INET6) {
    const auto& address = reinterpret_cast<const sockaddr_in6&>(storage);
    if (IN6_IS_ADDR_V4MAPPED(&address.sin6_addr)) {
      ::inet_ntop(AF_INET, &address.sin6_addr.s6_addr[12], text, sizeof text);
    } else {
      ::inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof text);
    }
    port = ntohs(address.sin6_port);
  }
  host = text;
}

}  // namespace

Result<Descriptor> listen_on(const std::string& host, std::uint16_t port, const SocketOptions& options) {
  auto resolved = resolve(host, port);
  if (!resolved) return std::unexpected(std::move(resolved.error()));
  Address address = *resolved;
  constexpr int kind = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
  Descriptor socket(::socket(address.storage.ss_family, kind, 0));
  if (socket.get() < 0 && host.empty()) {
    // A kernel without IPv6.
    address = any_ipv4(port);
    socket = Descriptor(::socket(AF_INET, kind, 0));
  }
  if (socket.get() < 0) return bind_failure(host, port, errno);
  set(socket.get(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (address.storage.ss_family == AF_INET6 && host.empty()) set(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, 0);
  // On the listening socket, so that the window is negotiated with it; accepted sockets inherit it.
  if (options.receive_buffer_bytes >= 0) set(socket.get(), SOL_SOCKET, SO_RCVBUF, options.receive_buffer_bytes);
  if (::bind(socket.get(), address.get(), address.length) != 0) return bind_failure(host, port, errno);
  if (::listen(socket.get(), options.backlog) != 0) return bind_failure(host, port, errno);
  return socket;
}

std::uint16_t port_of(int socket) {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&storage), &length) != 0) return 0;
  std::string host;
  std::uint16_t port = 0;
  describe(storage, host, port);
  return port;
}

Accepted accept_from(int listening, const SocketOptions& options) {
  Accepted accepted;
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  accepted.socket =
      Descriptor(::accept4(listening, reinterpret_cast<sockaddr*>(&storage), &length, SOCK_NONBLOCK | SOCK_CLOEXEC));
  int socket = accepted.socket.get();
  if (socket < 0) {
    accepted.system_error = errno;
    return accepted;
  }
  describe(storage, accepted.host, accepted.port);
  set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  if (options.send_buffer_bytes >= 0) set(socket, SOL_SOCKET, SO_SNDBUF, options.send_buffer_bytes);
  return accepted;
}

}  // namespace dohle::net
