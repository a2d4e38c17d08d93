// One client connection: frames in, the handler, responses out, one after another (behaviours.md A 9, 12-14). While a
// request is being handled nothing more is read, so that a client that sends faster than it is served feels TCP's
// back-pressure, as with Kafka's muted channels.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/intrusive/list.hpp>
#include <functional>
#include <memory>

#include "server/net/connection_group.h"
#include "server/net/frame_reader.h"
#include "server/net/request.h"
#include "server/net/response_writer.h"
#include "server/net/transport.h"
#include "server/runtime/waiter.h"

namespace dohle::net {

/// Only on its reactor's thread.
class Connection final
    : public FrameOwner,
      public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  /// `ended` is called when everything of the connection is gone, also if it never ran.
  Connection(ConnectionGroup& group, int socket, std::unique_ptr<Transport> transport, std::unique_ptr<Session> session,
             std::function<void()> ended);

  /// Leaves the group's list before `ended` says that the group may go.
  virtual ~Connection() {
    if (is_linked()) unlink();
  }

  /// Serves until the connection is over. Throws nothing.
  boost::asio::awaitable<void> run();

  /// Finish the response in flight, then close.
  void request_stop();
  /// Close now.
  void abort();

  void release_frame() override { reader_.release(); }

 private:
  boost::asio::awaitable<bool> read_frame();
  boost::asio::awaitable<bool> answer();
  boost::asio::awaitable<bool> write(Response response);
  boost::asio::awaitable<void> warm(const Response& response);
  boost::asio::awaitable<bool> wait_for(boost::asio::posix::stream_descriptor::wait_type what);
  boost::asio::awaitable<void> let_others_run();

  struct AtEnd {
    std::function<void()> ended;
    ~AtEnd() { ended(); }
  };

  void on_timer();
  void arm_timer();
  std::int64_t next_look_ms() const;
  void touch() { active_at_ms_ = group_.reactor().now_ms(); }

  AtEnd at_end_;  // the first member, destroyed last
  ConnectionGroup& group_;
  boost::asio::posix::stream_descriptor descriptor_;  // owns the socket
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<Session> session_;
  FrameReader reader_;
  std::shared_ptr<runtime::Waiter> waiter_;
  runtime::Timer timer_;
  std::int64_t active_at_ms_ = 0;
  bool busy_ = false;     // the server's turn: a request is handled, or waits for memory, or is muted
  bool writing_ = false;  // a response is on its way
  bool stopping_ = false;
  bool aborted_ = false;
};

}  // namespace dohle::net
