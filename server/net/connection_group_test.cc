// The group is tested through its listener in connection_test.cc; here: what happens when it cannot serve any more.
#include "server/net/connection_group.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/awaitable.hpp>
#include <future>

namespace dohle::net {
namespace {

boost::asio::awaitable<Response> answer_nothing(Request) {
  Response response;
  co_return response;
}

class ConnectionGroupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_), 0);
    reactors_.start();
  }
  void TearDown() override {
    reactors_.stop();
    ::close(ends_[1]);
  }

  bool peer_is_closed() {
    char byte = 0;
    return ::recv(ends_[1], &byte, 1, 0) == 0;
  }

  int ends_[2] = {-1, -1};
  runtime::MemoryBudget budget_{{}};
  Handler handler_ = answer_nothing;
  runtime::ReactorPool reactors_{1};
};

TEST_F(ConnectionGroupTest, a_group_that_stops_closes_what_comes_late) {
  ConnectionGroup group(reactors_.at(0), {}, budget_, handler_);
  std::promise<void> ended;
  reactors_.at(0).post([&] {
    group.request_stop();
    group.serve(ends_[0], std::make_unique<Session>(), [&] { ended.set_value(); });
  });
  ended.get_future().get();
  EXPECT_TRUE(peer_is_closed());
}

TEST_F(ConnectionGroupTest, a_connection_that_never_came_to_run_is_closed_and_counted_off) {
  ConnectionGroup group(reactors_.at(0), {}, budget_, handler_);
  std::promise<void> ended;
  reactors_.at(0).post([&] {
    group.serve(ends_[0], std::make_unique<Session>(), [&] { ended.set_value(); });
    // The reactor begins to stop before the connection's coroutine has begun.
    reactors_.at(0).stopping().request();
  });
  ended.get_future().get();
  reactors_.stop();
  EXPECT_EQ(group.size(), 0u);
  EXPECT_TRUE(peer_is_closed());
}

TEST_F(ConnectionGroupTest, abort_closes_at_once) {
  ConnectionGroup group(reactors_.at(0), {}, budget_, handler_);
  std::promise<void> ended;
  reactors_.at(0).post([&] {
    group.serve(ends_[0], std::make_unique<Session>(), [&] { ended.set_value(); });
    EXPECT_EQ(group.size(), 1u);
    group.abort_all();
  });
  ended.get_future().get();
  EXPECT_TRUE(peer_is_closed());
}

}  // namespace
}  // namespace dohle::net
