// The connections of one listener on one reactor, and what they share.
#pragma once

#include <boost/intrusive/list.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "server/net/request.h"
#include "server/runtime/disk_pool.h"
#include "server/runtime/memory_budget.h"
#include "server/runtime/reactor.h"

namespace dohle::net {

class Connection;
class Transport;

struct ConnectionLimits {
  std::size_t frame_bytes_max = 104'857'600;   // socket.request.max.bytes
  std::int64_t idle_ms_max = 600'000;          // connections.max.idle.ms; < 0: never
  std::int64_t stalled_frame_ms_max = 10'000;  // a half-sent frame without progress, while others wait for memory
};

/// Only on its reactor's thread, after construction.
class ConnectionGroup {
 public:
  using MakeTransport = std::function<std::unique_ptr<Transport>(int socket)>;

  /// All references outlive the group. `cold_reads`, if given, reads slices ahead that are not in the page cache.
  /// `make_transport` is for TLS and for tests; plain sockets without it.
  ConnectionGroup(runtime::Reactor& reactor, const ConnectionLimits& limits, runtime::MemoryBudget& budget,
                  const Handler& handler, runtime::DiskPool* cold_reads = nullptr, MakeTransport make_transport = {});
  ~ConnectionGroup();

  /// Takes a connected non-blocking socket over and serves it until it ends; then `ended` is called, once, on this
  /// thread. The socket is closed at once if the group or the reactor is stopping. `session` may lack its id.
  void serve(int socket, std::unique_ptr<Session> session, std::function<void()> ended);

  /// Idle connections close now; those with a request finish its response first. What waits is told.
  void request_stop();
  /// Closes what is left, in the middle of whatever it does.
  void abort_all();
  std::size_t size() const { return size_; }

  runtime::Reactor& reactor() { return reactor_; }
  const ConnectionLimits& limits() const { return limits_; }
  runtime::MemoryBudget& budget() { return budget_; }
  const Handler& handler() const { return handler_; }
  runtime::DiskPool* cold_reads() { return cold_reads_; }
  codec::MutableBytes scratch() { return scratch_; }

 private:
  /// Bytes fetched by one call that may hold a size, its frame and more.
  static constexpr std::size_t scratch_bytes = 16 << 10;

  friend class Connection;
  struct Members;

  runtime::Reactor& reactor_;
  const ConnectionLimits limits_;
  runtime::MemoryBudget& budget_;
  const Handler& handler_;
  runtime::DiskPool* cold_reads_;
  MakeTransport make_transport_;
  std::vector<std::uint8_t> scratch_;
  std::unique_ptr<Members> members_;
  std::size_t size_ = 0;
  bool stopping_ = false;
};

}  // namespace dohle::net
