#include "server/net/connection_group.h"

#include <unistd.h>

#include "server/net/connection.h"
#include "server/runtime/check.h"

namespace dohle::net {

struct ConnectionGroup::Members {
  boost::intrusive::list<Connection, boost::intrusive::constant_time_size<false>> list;
};

namespace {

boost::asio::awaitable<void> run(std::unique_ptr<Connection> connection) {
  co_await connection->run();
}

}  // namespace

ConnectionGroup::ConnectionGroup(runtime::Reactor& reactor, const ConnectionLimits& limits,
                                 runtime::MemoryBudget& budget, const Handler& handler, runtime::DiskPool* cold_reads,
                                 MakeTransport make_transport)
    : reactor_(reactor),
      limits_(limits),
      budget_(budget),
      handler_(handler),
      cold_reads_(cold_reads),
      make_transport_(std::move(make_transport)),
      scratch_(scratch_bytes),
      members_(std::make_unique<Members>()) {}

ConnectionGroup::~ConnectionGroup() {
  CHECK(size_ == 0);
}

void ConnectionGroup::serve(int socket, std::unique_ptr<Session> session, std::function<void()> ended) {
  if (stopping_ || reactor_.stopping().requested()) {
    ::close(socket);
    ended();
    return;
  }
  std::unique_ptr<Transport> transport =
      make_transport_ ? make_transport_(socket) : std::make_unique<PlainTransport>(socket);
  auto gone = [this, ended = std::move(ended)] {
    --size_;
    ended();
  };
  ++size_;
  auto connection =
      std::make_unique<Connection>(*this, socket, std::move(transport), std::move(session), std::move(gone));
  members_->list.push_back(*connection);
  reactor_.spawn(run(std::move(connection)));
}

void ConnectionGroup::request_stop() {
  stopping_ = true;
  for (auto next = members_->list.begin(); next != members_->list.end();) (next++)->request_stop();
}

void ConnectionGroup::abort_all() {
  stopping_ = true;
  for (auto next = members_->list.begin(); next != members_->list.end();) (next++)->abort();
}

}  // namespace dohle::net
