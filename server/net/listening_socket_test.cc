#include "server/net/listening_socket.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstring>

namespace dohle::net {
namespace {

using runtime::Descriptor;

Descriptor connect_ipv4(std::uint16_t port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return {};
  return socket;
}

Descriptor connect_ipv6(std::uint16_t port) {
  Descriptor socket(::socket(AF_INET6, SOCK_STREAM, 0));
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(port);
  address.sin6_addr = in6addr_loopback;
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return {};
  return socket;
}

Accepted accept_soon(int listening) {
  pollfd waiting{listening, POLLIN, 0};
  ::poll(&waiting, 1, 5000);
  return accept_from(listening, {});
}

TEST(ListeningSocket, every_address_means_ipv4_and_ipv6) {
  auto listening = listen_on("", 0, {});
  ASSERT_TRUE(listening) << listening.error().message;
  std::uint16_t port = port_of(listening->get());
  ASSERT_NE(port, 0);
  EXPECT_EQ(accept_from(listening->get(), {}).system_error, EAGAIN);
  Descriptor client = connect_ipv4(port);
  ASSERT_GE(client.get(), 0);
  Accepted accepted = accept_soon(listening->get());
  ASSERT_GE(accepted.socket.get(), 0);
  EXPECT_EQ(accepted.host, "127.0.0.1");
  EXPECT_NE(accepted.port, 0);
  int no_delay = 0;
  socklen_t length = sizeof no_delay;
  ::getsockopt(accepted.socket.get(), IPPROTO_TCP, TCP_NODELAY, &no_delay, &length);
  EXPECT_NE(no_delay, 0);
  Descriptor six = connect_ipv6(port);
  if (six.get() < 0) GTEST_SKIP() << "there is no IPv6 loopback here";
  EXPECT_EQ(accept_soon(listening->get()).host, "::1");
}

TEST(ListeningSocket, a_host_name_binds_only_its_address) {
  auto listening = listen_on("localhost", 0, {});
  ASSERT_TRUE(listening) << listening.error().message;
  ASSERT_GE(connect_ipv4(port_of(listening->get())).get(), 0);
  EXPECT_EQ(accept_soon(listening->get()).host, "127.0.0.1");
}

TEST(ListeningSocket, a_port_in_use_is_busy_with_kafkas_sentence) {
  auto first = listen_on("127.0.0.1", 0, {});
  ASSERT_TRUE(first);
  std::uint16_t port = port_of(first->get());
  auto second = listen_on("127.0.0.1", port, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, runtime::ErrorKind::busy);
  EXPECT_EQ(second.error().message,
            "Socket server failed to bind to 127.0.0.1:" + std::to_string(port) + ": Address already in use.");
}

TEST(ListeningSocket, a_host_that_is_not_ours_is_an_error) {
  EXPECT_EQ(listen_on("no-such-host.invalid", 0, {}).error().kind, runtime::ErrorKind::invalid);
  EXPECT_EQ(listen_on("192.0.2.1", 0, {}).error().system_error, EADDRNOTAVAIL);
}

TEST(ListeningSocket, buffer_sizes_are_set_only_when_given) {
  auto plain = listen_on("127.0.0.1", 0, {});
  auto sized = listen_on("127.0.0.1", 0, {.receive_buffer_bytes = 32'768});
  ASSERT_TRUE(plain && sized);
  int value = 0;
  socklen_t length = sizeof value;
  ::getsockopt(sized->get(), SOL_SOCKET, SO_RCVBUF, &value, &length);
  EXPECT_EQ(value, 65'536);  // Linux doubles it for its own book-keeping
  ::getsockopt(plain->get(), SOL_SOCKET, SO_RCVBUF, &value, &length);
  EXPECT_NE(value, 65'536);
}

}  // namespace
}  // namespace dohle::net
