#include "server/net/listener.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <system_error>

#include "server/runtime/check.h"
#include "server/runtime/log_line.h"
#include "server/runtime/waiter.h"

namespace dohle::net {
namespace {

constexpr auto as_result = boost::asio::as_tuple(boost::asio::use_awaitable);
constexpr const char* logger = "kafka.network.SocketServer";

/// Accepted in one go before the reactor's connections have their turn.
constexpr int accepts_per_turn = 64;
/// How long to wait when files have run out.
constexpr std::int64_t out_of_files_ms = 200;

bool out_of_resources(int system_error) {
  return system_error == EMFILE || system_error == ENFILE || system_error == ENOBUFS || system_error == ENOMEM;
}

/// Says "closing" to a wait for the listening socket.
class CancelWait final : public runtime::StopListener {
 public:
  explicit CancelWait(boost::asio::posix::stream_descriptor& descriptor) : descriptor_(descriptor) {}
  void on_stop_requested() override {
    boost::system::error_code ignored;
    descriptor_.cancel(ignored);
  }

 private:
  boost::asio::posix::stream_descriptor& descriptor_;
};

}  // namespace

runtime::Result<std::unique_ptr<Listener>> Listener::open(ListenerOptions options, runtime::ReactorPool& reactors,
                                                          ConnectionQuota& quota, runtime::MemoryBudget& budget,
                                                          Handler handler, runtime::DiskPool* cold_reads,
                                                          ConnectionGroup::MakeTransport make_transport) {
  auto socket = listen_on(options.host, options.port, options.socket);
  if (!socket) return std::unexpected(std::move(socket.error()));
  return std::unique_ptr<Listener>(new Listener(std::move(options), reactors, quota, budget, std::move(handler),
                                                cold_reads, std::move(make_transport), std::move(*socket)));
}

Listener::Listener(ListenerOptions options, runtime::ReactorPool& reactors, ConnectionQuota& quota,
                   runtime::MemoryBudget& budget, Handler handler, runtime::DiskPool* cold_reads,
                   ConnectionGroup::MakeTransport make_transport, runtime::Descriptor socket)
    : options_(std::move(options)),
      reactors_(reactors),
      quota_(quota),
      handler_(std::move(handler)),
      socket_(std::move(socket)),
      port_(port_of(socket_.get())) {
  quota_.add_listener(options_.name);
  for (int index = 0; index < reactors_.size(); ++index) {
    groups_.push_back(std::make_unique<ConnectionGroup>(reactors_.at(index), options_.connection, budget, handler_,
                                                        cold_reads, make_transport));
  }
}

Listener::~Listener() {
  stop(std::chrono::milliseconds(0));
}

void Listener::start() {
  CHECK(!started_);
  started_ = true;
  accepting_.add();
  reactors_.at(0).spawn(accept_all());
}

boost::asio::awaitable<void> Listener::accept_all() {
  boost::asio::posix::stream_descriptor descriptor(reactors_.at(0).context(), socket_.release());
  CancelWait cancel(descriptor);
  auto pause = runtime::Waiter::create();
  while (!accepting_stops_.requested()) {
    accepting_stops_.add(cancel);
    auto [failed] = co_await descriptor.async_wait(boost::asio::posix::stream_descriptor::wait_read, as_result);
    if (cancel.is_linked()) cancel.unlink();
    if (failed || accepting_stops_.requested()) break;
    co_await accept_waiting(descriptor.native_handle(), *pause);
  }
  boost::system::error_code ignored;
  descriptor.close(ignored);
  accepting_.done();
}

boost::asio::awaitable<void> Listener::accept_waiting(int socket, runtime::Waiter& pause) {
  for (int turn = 0; turn < accepts_per_turn; ++turn) {
    runtime::Reactor& reactor = reactors_.at(0);
    std::int64_t wait_ms = quota_.wait_ms(options_.name, reactor.now_ms());
    Accepted accepted;
    if (wait_ms == 0) {
      accepted = accept_from(socket, options_.socket);
      if (accepted.system_error == EAGAIN || accepted.system_error == EWOULDBLOCK) co_return;
      if (out_of_resources(accepted.system_error)) {
        if (!paused_) {
          std::string reason = std::generic_category().message(accepted.system_error);
          runtime::log_error(logger, "Listener {} accepts no connections for now: {}", options_.name, reason);
        }
        paused_ = true;
        wait_ms = out_of_files_ms;
      }
    }
    if (wait_ms > 0) {
      std::int64_t until_ms = reactor.now_ms() + wait_ms;
      (void)co_await pause.wait(until_ms, &accepting_stops_);
      co_return;
    }
    // Anything else that accept() reports is a connection that is gone already.
    if (accepted.system_error != 0) continue;
    if (paused_) runtime::log_info(logger, "Listener {} accepts connections again", options_.name);
    paused_ = false;
    if (quota_.admit(options_.name, accepted.host, reactor.now_ms())) {
      deal(std::move(accepted));
    } else {
      refuse(accepted);
    }
  }
}

void Listener::refuse(const Accepted& accepted) {
  static runtime::LogLimiter limiter(10, 60'000);
  if (!limiter.admit(reactors_.at(0).now_ms())) return;
  runtime::log_info(logger,
                    "Rejected connection from /{}, address already has the configured maximum of {} connections.",
                    accepted.host, quota_.address_max(accepted.host));
}

void Listener::deal(Accepted accepted) {
  ConnectionGroup& group = *groups_[next_group_];
  next_group_ = (next_group_ + 1) % groups_.size();
  auto session = std::make_unique<Session>();
  session->id = quota_.next_id();
  session->listener = options_.name;
  session->is_controller = options_.is_controller;
  session->peer_host = accepted.host;
  session->peer_port = accepted.port;
  connections_.add();
  auto ended = [this, host = accepted.host] {
    // The quota lives where connections are accepted.
    reactors_.at(0).post([this, host] {
      quota_.release(options_.name, host);
      connections_.done();
    });
  };
  auto serve = [&group, socket = accepted.socket.release(), session = std::move(session),
                ended = std::move(ended)]() mutable { group.serve(socket, std::move(session), std::move(ended)); };
  if (&group.reactor() == runtime::Reactor::current()) {
    serve();
  } else {
    group.reactor().post(std::move(serve));
  }
}

void Listener::on_each_group(void (ConnectionGroup::*call)()) {
  // Waited for: nothing may be on its way to a group when the listener goes.
  runtime::Tally left(groups_.size());
  for (auto& group : groups_) {
    group->reactor().post([&left, &group = *group, call] {
      (group.*call)();
      left.done();
    });
  }
  left.wait_zero();
}

void Listener::stop(std::chrono::milliseconds patience) {
  if (!started_) return;
  CHECK(runtime::Reactor::current() == nullptr);
  started_ = false;
  reactors_.at(0).post([this] { accepting_stops_.request(); });
  accepting_.wait_zero();
  on_each_group(&ConnectionGroup::request_stop);
  if (connections_.wait_zero_for(patience)) return;
  on_each_group(&ConnectionGroup::abort_all);
  connections_.wait_zero();
}

}  // namespace dohle::net
