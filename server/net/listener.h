// One address of `listeners`: accepts, and deals the sockets out to the reactors in turn.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/net/connection_group.h"
#include "server/net/connection_quota.h"
#include "server/net/listening_socket.h"
#include "server/net/request.h"
#include "server/runtime/disk_pool.h"
#include "server/runtime/memory_budget.h"
#include "server/runtime/reactor.h"
#include "server/runtime/result.h"
#include "server/runtime/tally.h"
#include "server/runtime/waiter.h"

namespace dohle::net {

struct ListenerOptions {
  std::string name;  // PLAINTEXT
  bool is_controller = false;
  std::string host;  // empty: every address
  std::uint16_t port = 0;
  SocketOptions socket;
  ConnectionLimits connection;
};

class Listener {
 public:
  /// Binds, so that a port in use is found out before anything else is started; nothing is accepted yet. All references
  /// outlive the listener.
  static runtime::Result<std::unique_ptr<Listener>> open(ListenerOptions options, runtime::ReactorPool& reactors,
                                                         ConnectionQuota& quota, runtime::MemoryBudget& budget,
                                                         Handler handler, runtime::DiskPool* cold_reads = nullptr,
                                                         ConnectionGroup::MakeTransport make_transport = {});
  /// Stops, if nobody did.
  ~Listener();

  /// Begins to accept. The reactors run.
  void start();

  /// Accepts no more, closes idle connections, lets responses in flight finish for up to `patience`, then closes the
  /// rest. Returns when no connection is left; the reactors still run. Not from a reactor's thread. Idempotent.
  void stop(std::chrono::milliseconds patience);

  std::uint16_t port() const { return port_; }
  const ListenerOptions& options() const { return options_; }
  /// Connections that are open now.
  std::size_t connections() const { return connections_.count(); }

 private:
  Listener(ListenerOptions options, runtime::ReactorPool& reactors, ConnectionQuota& quota,
           runtime::MemoryBudget& budget, Handler handler, runtime::DiskPool* cold_reads,
           ConnectionGroup::MakeTransport make_transport, runtime::Descriptor socket);

  boost::asio::awaitable<void> accept_all();
  boost::asio::awaitable<void> accept_waiting(int socket, runtime::Waiter& pause);
  void deal(Accepted accepted);
  void refuse(const Accepted& accepted);
  void on_each_group(void (ConnectionGroup::*call)());

  const ListenerOptions options_;
  runtime::ReactorPool& reactors_;
  ConnectionQuota& quota_;
  const Handler handler_;
  std::vector<std::unique_ptr<ConnectionGroup>> groups_;  // one for each reactor
  runtime::Descriptor socket_;
  const std::uint16_t port_;
  std::size_t next_group_ = 0;           // the acceptor's
  runtime::StopSignal accepting_stops_;  // the acceptor's
  bool paused_ = false;                  // the acceptor's: no files are left, and a line said so

  bool started_ = false;      // for whoever starts and stops
  runtime::Tally accepting_;  // 1 while the acceptor runs
  runtime::Tally connections_;
};

}  // namespace dohle::net
