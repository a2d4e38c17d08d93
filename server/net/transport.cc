#include "server/net/transport.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

#include <cerrno>

namespace dohle::net {
namespace {

/// `count` as a system call returned it, errno beside it.
IoResult result_of(ssize_t count) {
  if (count > 0) return {IoResult::Kind::done, static_cast<std::size_t>(count), 0};
  if (count == 0) return {IoResult::Kind::end, 0, 0};
  if (errno == EAGAIN || errno == EWOULDBLOCK) return {IoResult::Kind::would_block, 0, 0};
  return {IoResult::Kind::failed, 0, errno};
}

}  // namespace

IoResult PlainTransport::receive(codec::MutableBytes buffer) {
  ssize_t count = 0;
  do {
    count = ::recv(socket_, buffer.data(), buffer.size(), 0);
  } while (count < 0 && errno == EINTR);
  return result_of(count);
}

IoResult PlainTransport::send(std::span<iovec> pieces, bool more) {
  msghdr message{};
  message.msg_iov = pieces.data();
  message.msg_iovlen = pieces.size();
  ssize_t count = 0;
  do {
    count = ::sendmsg(socket_, &message, MSG_NOSIGNAL | (more ? MSG_MORE : 0));
  } while (count < 0 && errno == EINTR);
  return result_of(count);
}

IoResult PlainTransport::send_file(int file, std::uint64_t offset_bytes, std::size_t size_bytes) {
  auto offset = static_cast<off_t>(offset_bytes);
  ssize_t count = 0;
  do {
    count = ::sendfile(socket_, file, &offset, size_bytes);
  } while (count < 0 && errno == EINTR);
  return result_of(count);
}

void PlainTransport::cork(bool on) {
  int value = on ? 1 : 0;
  // Not TCP (a test's socket pair): then there is nothing to hold back.
  (void)::setsockopt(socket_, IPPROTO_TCP, TCP_CORK, &value, sizeof value);
}

}  // namespace dohle::net
