// Sockets before a connection: binding, accepting, and addresses as text.
#pragma once

#include <cstdint>
#include <string>

#include "server/runtime/descriptor.h"
#include "server/runtime/result.h"

namespace dohle::net {

struct SocketOptions {
  int backlog = 50;               // socket.listen.backlog.size
  int send_buffer_bytes = -1;     // socket.send.buffer.bytes; -1: as the system has it
  int receive_buffer_bytes = -1;  // socket.receive.buffer.bytes, likewise
};

/// A non-blocking listening socket. An empty host is every address, IPv4 and IPv6; port 0 is any free one. `busy` if
/// the port is taken, with Kafka's sentence.
runtime::Result<runtime::Descriptor> listen_on(const std::string& host, std::uint16_t port,
                                               const SocketOptions& options);

/// The port that a listening socket has.
std::uint16_t port_of(int socket);

struct Accepted {
  runtime::Descriptor socket;  // non-blocking; -1 if there was none
  int system_error = 0;        // why there was none; EAGAIN: nobody waits
  std::string host;            // IPv4 in dotted form also when it came in by an IPv6 socket, as Java shows it
  std::uint16_t port = 0;
};

/// The next connection that waits, with TCP_NODELAY and keep-alive set, as Kafka's acceptor sets them.
Accepted accept_from(int listening, const SocketOptions& options);

}  // namespace dohle::net
