// For tests: one connection, as a client and a broker have it, over a pair of sockets. What the server reads and writes
// is cut into pieces as small as wished.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "server/net/connection_group.h"
#include "server/net/transport.h"
#include "server/runtime/check.h"
#include "server/runtime/tally.h"

namespace dohle::net {

/// A socket that gives and takes a few bytes in each call.
class CuttingTransport final : public Transport {
 public:
  CuttingTransport(int socket, std::size_t receive_bytes_max, std::size_t send_bytes_max)
      : plain_(socket), receive_bytes_max_(receive_bytes_max), send_bytes_max_(send_bytes_max) {}

  IoResult receive(codec::MutableBytes buffer) override {
    return plain_.receive(buffer.first(std::min(buffer.size(), receive_bytes_max_)));
  }
  IoResult send(std::span<iovec> pieces, bool more) override {
    std::vector<iovec> cut;
    std::size_t left = send_bytes_max_;
    for (const iovec& piece : pieces) {
      if (left == 0) break;
      cut.push_back({piece.iov_base, std::min(piece.iov_len, left)});
      left -= cut.back().iov_len;
    }
    return plain_.send(cut, more);
  }
  IoResult send_file(int, std::uint64_t, std::size_t) override { return {IoResult::Kind::failed, 0, EINVAL}; }
  bool can_send_file() const override { return false; }
  void cork(bool) override {}

 private:
  PlainTransport plain_;
  const std::size_t receive_bytes_max_;
  const std::size_t send_bytes_max_;
};

/// One connection to `handler` on `reactor`. One thread, not the reactor's.
class ConnectionOverPair {
 public:
  struct Cuts {
    std::size_t receive_bytes_max = SIZE_MAX;
    std::size_t send_bytes_max = SIZE_MAX;
  };
  /// Longer is a hang, and ends the process.
  static constexpr std::chrono::seconds patience{8};

  /// All references outlive it. `quiet`: how long the server may be silent after the last byte was sent before it is
  /// told to stop; a request that waits for long is then called off.
  ConnectionOverPair(runtime::Reactor& reactor, const ConnectionLimits& limits, runtime::MemoryBudget& budget,
                     const Handler& handler, Cuts cuts, std::chrono::milliseconds quiet)
      : reactor_(reactor), quiet_(quiet), group_(reactor, limits, budget, handler, nullptr, [cuts](int socket) {
          return std::make_unique<CuttingTransport>(socket, cuts.receive_bytes_max, cuts.send_bytes_max);
        }) {
    std::array<int, 2> pair{};
    CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data()) == 0);
    client_ = pair[0];
    server_ = pair[1];
  }
  ~ConnectionOverPair() {
    if (client_ >= 0) ::close(client_);
    if (server_ >= 0) ::close(server_);
  }
  ConnectionOverPair(const ConnectionOverPair&) = delete;
  ConnectionOverPair& operator=(const ConnectionOverPair&) = delete;

  /// Sends `wire`, reads until the server hangs up, and waits until nothing of the connection is left. What the server
  /// has sent. Once.
  std::vector<std::uint8_t> talk(std::unique_ptr<Session> session, std::span<const std::uint8_t> wire) {
    begin(std::move(session));
    auto deadline = std::chrono::steady_clock::now() + patience;
    bool open = true;
    while (open) {
      CHECK(std::chrono::steady_clock::now() < deadline);
      open = turn(wire);
    }
    end();
    return std::move(received_);
  }
  /// Sends `wire`, or the part of it that the socket takes at once, and hangs up without having read a byte.
  void vanish(std::unique_ptr<Session> session, std::span<const std::uint8_t> wire) {
    begin(std::move(session));
    send(wire);
    end();
  }

  /// The server did not end the connection by itself: it had to be told.
  bool told_to_stop() const { return told_to_stop_; }

 private:
  void begin(std::unique_ptr<Session> session) {
    left_.add();
    auto serve = [this, session = std::move(session), socket = std::exchange(server_, -1)]() mutable {
      group_.serve(socket, std::move(session), [this] { left_.done(); });
    };
    reactor_.post(std::move(serve));
  }

  void end() {
    ::close(std::exchange(client_, -1));
    if (!left_.wait_zero_for(quiet_)) {
      reactor_.post([this] { group_.request_stop(); });
      CHECK(left_.wait_zero_for(patience));
    }
    // The group has let go of the connection before its thread takes this.
    runtime::Tally done(1);
    reactor_.post([&done] { done.done(); });
    done.wait_zero();
  }

  /// Something was sent or received, or nothing for a while. False when the server has hung up.
  bool turn(std::span<const std::uint8_t>& wire) {
    pollfd waiting{client_, static_cast<short>(wire.empty() ? POLLIN : POLLIN | POLLOUT), 0};
    int ready = ::poll(&waiting, 1, static_cast<int>(quiet_.count()));
    if (ready == 0) {
      told_to_stop_ = true;
      reactor_.post([this] { group_.request_stop(); });
      return true;
    }
    if ((waiting.revents & POLLOUT) != 0) send(wire);
    if ((waiting.revents & (POLLIN | POLLHUP | POLLERR)) == 0) return true;
    return receive();
  }

  void send(std::span<const std::uint8_t>& wire) {
    ssize_t count = ::send(client_, wire.data(), wire.size(), MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN) count = static_cast<ssize_t>(wire.size());  // nobody is there to take it
    if (count > 0) wire = wire.subspan(static_cast<std::size_t>(count));
    if (wire.empty()) ::shutdown(client_, SHUT_WR);
  }

  bool receive() {
    std::array<std::uint8_t, 16 << 10> buffer;
    ssize_t count = ::recv(client_, buffer.data(), buffer.size(), 0);
    if (count > 0) received_.insert(received_.end(), buffer.data(), buffer.data() + count);
    return count > 0 || (count < 0 && errno == EAGAIN);
  }

  runtime::Reactor& reactor_;
  const std::chrono::milliseconds quiet_;
  ConnectionGroup group_;
  runtime::Tally left_;
  int client_ = -1;
  int server_ = -1;
  std::vector<std::uint8_t> received_;
  bool told_to_stop_ = false;
};

}  // namespace dohle::net
