#include "server/net/listener.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <set>
#include <thread>

#include "server/net/loopback_client.h"

namespace dohle::net {
namespace {

using namespace std::chrono_literals;

boost::asio::awaitable<Response> answer_with_place(Request request) {
  std::string text = std::to_string(runtime::Reactor::current()->index()) + " " + request.session->listener + " " +
                     request.session->peer_host + " " + std::to_string(request.session->id);
  Response response;
  std::vector<std::uint8_t> body(text.begin(), text.end());
  response.pieces.push_back(std::move(body));
  co_return response;
}

class ListenerTest : public ::testing::Test {
 protected:
  void SetUp() override { reactors_.start(); }
  void TearDown() override {
    listener_.reset();
    reactors_.stop();
    EXPECT_EQ(quota_.connections(), 0);
  }

  void listen() {
    ListenerOptions options;
    options.name = "EXTERNAL";
    options.host = "127.0.0.1";
    Handler handler = answer_with_place;
    listener_ = Listener::open(options, reactors_, quota_, budget_, handler).value();
    listener_->start();
  }
  LoopbackClient client() { return LoopbackClient(listener_->port()); }
  std::string ask(LoopbackClient& client) {
    client.send_frame("x");
    return client.receive_frame().value_or("closed");
  }

  runtime::ReactorPool reactors_{3};
  ConnectionQuota quota_{{}};
  runtime::MemoryBudget budget_{{}};
  std::unique_ptr<Listener> listener_;
};

TEST_F(ListenerTest, deals_connections_out_in_turn_and_tells_who_they_are) {
  listen();
  std::vector<LoopbackClient> clients;
  std::set<std::string> ids;
  for (int i = 0; i < 6; ++i) {
    clients.push_back(client());
    std::string answer = ask(clients.back());
    EXPECT_EQ(answer.substr(0, 20), std::to_string(i % 3) + " EXTERNAL 127.0.0.1");
    ids.insert(answer.substr(21));
  }
  EXPECT_EQ(ids.size(), 6u);
  EXPECT_EQ(listener_->connections(), 6u);
}

TEST_F(ListenerTest, a_port_in_use_is_told_before_anything_starts) {
  listen();
  ListenerOptions options;
  options.host = "127.0.0.1";
  options.port = listener_->port();
  Handler handler = answer_with_place;
  auto second = Listener::open(options, reactors_, quota_, budget_, handler);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, runtime::ErrorKind::busy);
}

TEST_F(ListenerTest, an_address_with_too_many_connections_is_closed_with_kafkas_line) {
  quota_.change({.connections_per_address_max = 2});
  listen();
  LoopbackClient one = client();
  LoopbackClient two = client();
  ask(one);
  ask(two);
  ::testing::internal::CaptureStdout();
  LoopbackClient three = client();
  EXPECT_TRUE(three.closed_by_server());
  std::string line = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(
      line.find("Rejected connection from /127.0.0.1, address already has the configured maximum of 2 connections."),
      std::string::npos);
  one.close();
  std::string answer = "closed";
  for (int i = 0; i < 100 && answer == "closed"; ++i) {
    LoopbackClient again = client();
    answer = ask(again);
  }
  EXPECT_NE(answer, "closed");
}

TEST_F(ListenerTest, above_the_total_new_connections_wait_in_the_backlog) {
  quota_.change({.connections_max = 1});
  listen();
  LoopbackClient one = client();
  ask(one);
  LoopbackClient two = client();
  ASSERT_TRUE(two.send_frame("x"));
  EXPECT_FALSE(two.anything_within_ms(100));
  one.close();
  EXPECT_TRUE(two.receive_frame());
}

TEST_F(ListenerTest, when_files_run_out_accepting_pauses_with_one_line_and_goes_on_later) {
  listen();
  LoopbackClient before = client();
  ASSERT_NE(ask(before), "closed");
  rlimit limit;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  ::testing::internal::CaptureStdout();
  // The client's own socket takes the last free number; the server's end finds none.
  int lowest_free = ::dup(0);
  ::close(lowest_free);
  rlimit low{static_cast<rlim_t>(lowest_free) + 1, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  LoopbackClient late = client();
  bool sent = late.send_frame("x");
  bool answered = late.anything_within_ms(700);
  std::string other = ask(before);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  std::optional<std::string> response = late.receive_frame();
  std::string lines = ::testing::internal::GetCapturedStdout();
  EXPECT_TRUE(sent);
  EXPECT_FALSE(answered);
  EXPECT_NE(other, "closed");
  EXPECT_TRUE(response);
  EXPECT_NE(lines.find("Listener EXTERNAL accepts no connections for now: Too many open files"), std::string::npos);
  EXPECT_NE(lines.find("Listener EXTERNAL accepts connections again"), std::string::npos);
  EXPECT_EQ(std::ranges::count(lines, '\n'), 2) << lines;
}

TEST_F(ListenerTest, connections_that_open_and_close_without_a_word_leave_no_line) {
  listen();
  ::testing::internal::CaptureStdout();
  for (int i = 0; i < 20; ++i) client();
  for (int i = 0; i < 5000 && listener_->connections() > 0; ++i) std::this_thread::sleep_for(1ms);
  listener_->stop(1s);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST_F(ListenerTest, stops_under_a_storm_of_connections) {
  listen();
  std::atomic<bool> over{false};
  std::vector<std::thread> storm;
  for (int i = 0; i < 3; ++i) {
    storm.emplace_back([&] {
      while (!over) {
        LoopbackClient client = this->client();
        if (client.connected()) ask(client);
      }
    });
  }
  std::this_thread::sleep_for(200ms);
  listener_->stop(1s);
  EXPECT_EQ(listener_->connections(), 0u);
  over = true;
  for (std::thread& thread : storm) thread.join();
  listener_->stop(1s);
}

TEST_F(ListenerTest, may_go_without_ever_having_started) {
  ListenerOptions options;
  options.host = "127.0.0.1";
  Handler handler = answer_with_place;
  auto listener = Listener::open(options, reactors_, quota_, budget_, handler);
  ASSERT_TRUE(listener);
  EXPECT_NE((*listener)->port(), 0);
}

}  // namespace
}  // namespace dohle::net
