#include "server/net/connection.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <thread>

#include "server/net/listener.h"
#include "server/net/loopback_client.h"
#include "server/testing/fake_disk.h"
#include "server/testing/scratch_directory.h"

namespace dohle::net {
namespace {

using namespace std::chrono_literals;
using runtime::WakeReason;

/// A small server whose handler does what the request's first word says.
class ConnectionTest : public ::testing::Test {
 protected:
  void SetUp() override { reactors_.start(); }
  void TearDown() override {
    listener_.reset();
    reactors_.stop();
    EXPECT_EQ(budget_.held_bytes(), 0u);
  }

  void listen(ConnectionLimits limits = {}, ConnectionGroup::MakeTransport make_transport = {}) {
    ListenerOptions options;
    options.name = "PLAINTEXT";
    options.host = "127.0.0.1";
    options.connection = limits;
    Handler handler = [this](Request request) { return handle(request); };
    listener_ = Listener::open(options, reactors_, quota_, budget_, handler, nullptr, make_transport).value();
    listener_->start();
  }

  LoopbackClient client() { return LoopbackClient(listener_->port()); }

  boost::asio::awaitable<Response> handle(Request request) {
    ++handled_;
    std::string text(codec::as_text(request.frame));
    Response response;
    if (text.starts_with("none")) response.action = Response::Action::none;
    if (text.starts_with("close")) response.action = Response::Action::close;
    if (text.starts_with("throw")) throw std::runtime_error("a bug");
    if (text.starts_with("mute")) response.mute_ms = 200;
    if (text.starts_with("file")) {
      response.pieces.push_back(FileSlice{file_, 0, file_->size().value()});
      co_return response;
    }
    if (text.starts_with("park")) {
      if (text.starts_with("parkfree")) request.owner->release_frame();
      auto waiter = runtime::Waiter::create();
      request.session->is_forgotten = text.starts_with("parkforgotten");
      ++parked_;
      std::int64_t deadline_ms = runtime::Reactor::current()->now_ms() + (text.starts_with("parkshort") ? 300 : 20'000);
      WakeReason reason = co_await waiter->wait(deadline_ms, &request.session->closing);
      text += reason == WakeReason::cancelled ? " cancelled" : " deadline";
    }
    std::vector<std::uint8_t> body(text.begin(), text.end());
    response.pieces.push_back(std::move(body));
    co_return response;
  }

  void wait_until_parked(int count) {
    for (int i = 0; i < 5000 && parked_ < count; ++i) std::this_thread::sleep_for(1ms);
    ASSERT_GE(parked_, count);
  }

  runtime::ReactorPool reactors_{2};
  ConnectionQuota quota_{{}};
  runtime::MemoryBudget budget_{{.total_bytes = 1 << 20, .reserve_bytes = 1 << 20, .small_frame_bytes = 64 << 10}};
  std::shared_ptr<runtime::File> file_;
  std::atomic<int> handled_{0};
  std::atomic<int> parked_{0};
  std::unique_ptr<Listener> listener_;
};

TEST_F(ConnectionTest, pipelined_requests_are_answered_in_order) {
  // behaviours.md 9
  listen();
  LoopbackClient client = this->client();
  for (int i = 0; i < 500; ++i) {
    std::string body = i == 100 ? "parkshort" : "request " + std::to_string(i);
    ASSERT_TRUE(client.send_frame(body));
  }
  for (int i = 0; i < 500; ++i) {
    std::string expected = i == 100 ? "parkshort deadline" : "request " + std::to_string(i);
    ASSERT_EQ(client.receive_frame(), expected);
  }
}

TEST_F(ConnectionTest, a_request_cut_at_every_byte_is_answered) {
  listen();
  LoopbackClient client = this->client();
  std::string wire = std::string("\0\0\0\5hello", 9);
  for (std::size_t cut = 1; cut < wire.size(); ++cut) {
    ASSERT_TRUE(client.send_raw(wire.substr(0, cut)));
    std::this_thread::sleep_for(2ms);
    ASSERT_TRUE(client.send_raw(wire.substr(cut)));
    EXPECT_EQ(client.receive_frame(), "hello");
  }
}

TEST_F(ConnectionTest, a_large_request_and_its_large_response_arrive_whole) {
  listen();
  LoopbackClient client = this->client();
  std::string large(20 << 20, 'x');
  for (std::size_t i = 0; i < large.size(); i += 1000) large[i] = static_cast<char>('a' + i / 1000 % 26);
  std::thread sender([&] { EXPECT_TRUE(client.send_frame(large)); });
  auto response = client.receive_frame();
  sender.join();
  EXPECT_TRUE(response == large);
}

TEST_F(ConnectionTest, an_oversized_or_negative_frame_closes_only_its_own_connection) {
  listen({.frame_bytes_max = 1000});
  LoopbackClient healthy = client();
  for (const char* size : {"\xff\xff\xff\xff", "\x00\x00\x03\xe9"}) {
    LoopbackClient bad = client();
    ASSERT_TRUE(bad.send_raw(std::string(size, 4)));
    EXPECT_TRUE(bad.closed_by_server());
  }
  ASSERT_TRUE(healthy.send_frame("still here"));
  EXPECT_EQ(healthy.receive_frame(), "still here");
  EXPECT_EQ(handled_, 1);
}

TEST_F(ConnectionTest, a_response_may_be_none_or_the_end) {
  listen();
  LoopbackClient client = this->client();
  ASSERT_TRUE(client.send_frame("none 1"));
  ASSERT_TRUE(client.send_frame("second"));
  EXPECT_EQ(client.receive_frame(), "second");
  ASSERT_TRUE(client.send_frame("close"));
  EXPECT_TRUE(client.closed_by_server());
}

TEST_F(ConnectionTest, a_handlers_exception_closes_its_connection_and_no_other) {
  listen();
  LoopbackClient healthy = client();
  LoopbackClient client = this->client();
  ::testing::internal::CaptureStdout();
  ASSERT_TRUE(client.send_frame("throw"));
  EXPECT_TRUE(client.closed_by_server());
  EXPECT_NE(::testing::internal::GetCapturedStdout().find("a bug"), std::string::npos);
  ASSERT_TRUE(healthy.send_frame("x"));
  EXPECT_EQ(healthy.receive_frame(), "x");
}

TEST_F(ConnectionTest, while_a_request_is_handled_the_next_one_is_not) {
  listen();
  LoopbackClient client = this->client();
  ASSERT_TRUE(client.send_frame("parkshort"));
  ASSERT_TRUE(client.send_frame("next"));
  wait_until_parked(1);
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(handled_, 1);
  EXPECT_EQ(client.receive_frame(), "parkshort deadline");
  EXPECT_EQ(client.receive_frame(), "next");
}

TEST_F(ConnectionTest, an_idle_connection_is_closed_but_a_parked_one_counts_as_active) {
  listen({.idle_ms_max = 100});
  LoopbackClient idle = client();
  LoopbackClient half = client();
  ASSERT_TRUE(half.send_raw(std::string("\0\0\0\5he", 6)));
  LoopbackClient parked = client();
  ASSERT_TRUE(parked.send_frame("parkshort"));
  EXPECT_TRUE(idle.closed_by_server());
  EXPECT_TRUE(half.closed_by_server());
  EXPECT_EQ(parked.receive_frame(), "parkshort deadline");
  EXPECT_TRUE(parked.closed_by_server());
}

TEST_F(ConnectionTest, one_whose_request_is_never_answered_counts_as_idle) {
  listen({.idle_ms_max = 100});
  LoopbackClient forgotten = client();
  forgotten.send_frame("parkforgotten");
  EXPECT_TRUE(forgotten.closed_by_server());
}

TEST_F(ConnectionTest, a_reader_that_takes_nothing_is_closed_when_idle_and_others_do_not_notice) {
  listen({.idle_ms_max = 300});
  testing::ScratchDirectory scratch;
  auto directory = runtime::open_directory(scratch.path(), false).value();
  auto large = directory->open("large", {.create = true}).value();
  ASSERT_TRUE(large->truncate(64 << 20));
  file_ = large;
  LoopbackClient slow = client();
  ASSERT_TRUE(slow.send_frame("file"));
  LoopbackClient healthy = client();
  for (int i = 0; i < 10; ++i) {
    std::this_thread::sleep_for(50ms);
    ASSERT_TRUE(healthy.send_frame("x"));
    ASSERT_EQ(healthy.receive_frame(), "x");
  }
  for (int i = 0; i < 5000 && listener_->connections() > 1; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(listener_->connections(), 1u);
}

TEST_F(ConnectionTest, a_muted_connection_waits_before_its_next_request) {
  listen();
  LoopbackClient client = this->client();
  auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(client.send_frame("mute"));
  ASSERT_TRUE(client.send_frame("next"));
  EXPECT_EQ(client.receive_frame(), "mute");
  EXPECT_LT(std::chrono::steady_clock::now() - start, 190ms);
  EXPECT_EQ(client.receive_frame(), "next");
  EXPECT_GE(std::chrono::steady_clock::now() - start, 199ms);
}

TEST_F(ConnectionTest, files_go_out_from_disk_and_from_memory) {
  std::string content;
  for (int i = 0; i < 3'000'000; ++i) content += static_cast<char>('a' + i % 26);
  testing::ScratchDirectory scratch;
  testing::FakeDisk disk;
  listen();
  for (auto& directory : {runtime::open_directory(scratch.path(), false).value(), disk.directory()}) {
    ASSERT_TRUE(directory->replace_file("f", content));
    file_ = directory->open("f", {}).value();
    LoopbackClient client = this->client();
    ASSERT_TRUE(client.send_frame("file"));
    EXPECT_TRUE(client.receive_frame() == content);
  }
}

TEST_F(ConnectionTest, stop_finishes_what_is_in_flight_and_closes_what_is_idle) {
  // behaviours.md 13
  listen();
  LoopbackClient idle = client();
  LoopbackClient parked = client();
  LoopbackClient half = client();
  ASSERT_TRUE(half.send_raw(std::string("\0\0\0\5he", 6)));
  ASSERT_TRUE(parked.send_frame("park"));
  wait_until_parked(1);
  auto start = std::chrono::steady_clock::now();
  listener_->stop(5s);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 4s);
  EXPECT_EQ(parked.receive_frame(), "park cancelled");
  EXPECT_TRUE(parked.closed_by_server());
  EXPECT_TRUE(idle.closed_by_server());
  EXPECT_TRUE(half.closed_by_server());
  EXPECT_EQ(listener_->connections(), 0u);
  EXPECT_FALSE(client().connected());
}

TEST_F(ConnectionTest, stop_closes_a_reader_that_takes_nothing_when_patience_ends) {
  listen();
  testing::ScratchDirectory scratch;
  auto directory = runtime::open_directory(scratch.path(), false).value();
  auto large = directory->open("large", {.create = true}).value();
  ASSERT_TRUE(large->truncate(64 << 20));
  file_ = large;
  LoopbackClient slow = client();
  ASSERT_TRUE(slow.send_frame("file"));
  while (handled_ == 0) std::this_thread::sleep_for(1ms);
  auto start = std::chrono::steady_clock::now();
  listener_->stop(200ms);
  EXPECT_GE(std::chrono::steady_clock::now() - start, 199ms);
  EXPECT_EQ(listener_->connections(), 0u);
}

TEST_F(ConnectionTest, a_stalled_frame_is_closed_when_others_need_its_memory) {
  listen({.stalled_frame_ms_max = 150});
  // One takes the whole budget, the other is the large frame that is always admitted.
  std::string size("\0\x10\0\0", 4);  // 1 MiB
  LoopbackClient first = client();
  ASSERT_TRUE(first.send_raw(std::string("\1\0\0\0", 4) + std::string((1 << 20) - 1000, 'x')));
  for (int i = 0; i < 5000 && budget_.held_bytes() < (1u << 20); ++i) std::this_thread::sleep_for(1ms);
  LoopbackClient stalled = client();
  ASSERT_TRUE(stalled.send_raw(size + std::string(700 << 10, 'x')));
  for (int i = 0; i < 5000 && budget_.held_bytes() < (2u << 20); ++i) std::this_thread::sleep_for(1ms);
  ASSERT_EQ(budget_.held_bytes(), 2u << 20);
  std::this_thread::sleep_for(400ms);
  ASSERT_FALSE(stalled.anything_within_ms(0));  // nobody needs its memory yet
  LoopbackClient waiting = client();
  ASSERT_TRUE(waiting.send_raw(size));
  std::string body(1 << 20, 'y');
  std::thread sender([&] { EXPECT_TRUE(waiting.send_raw(body)); });
  auto response = waiting.receive_frame();
  sender.join();
  EXPECT_TRUE(response == body);
}

TEST_F(ConnectionTest, a_parked_request_can_give_its_memory_back) {
  listen();
  LoopbackClient parked = client();
  ASSERT_TRUE(parked.send_frame("parkfree" + std::string(500'000, 'x')));
  wait_until_parked(1);
  EXPECT_EQ(budget_.held_bytes(), 0u);
}

TEST_F(ConnectionTest, a_client_that_hangs_up_leaves_nothing_behind) {
  listen();
  for (int i = 0; i < 50; ++i) {
    LoopbackClient client = this->client();
    if (i % 3 == 0) client.send_raw(std::string("\0\0\1\0half", 8));
    if (i % 3 == 1) client.send_frame("answered to nobody");
  }
  LoopbackClient parked = client();
  ASSERT_TRUE(parked.send_frame("parkshort"));
  parked.close();
  for (int i = 0; i < 5000 && listener_->connections() > 0; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(listener_->connections(), 0u);
  EXPECT_EQ(quota_.connections(), 0);
}

/// A socket whose n-th call fails.
class FailingTransport final : public Transport {
 public:
  FailingTransport(int socket, int fail_at) : plain_(socket), fail_at_(fail_at) {}

  IoResult receive(codec::MutableBytes buffer) override { return due() ? failed() : plain_.receive(buffer.first(3)); }
  IoResult send(std::span<iovec> pieces, bool more) override {
    return due() ? failed() : plain_.send(pieces.first(1), more);
  }
  IoResult send_file(int file, std::uint64_t offset_bytes, std::size_t size_bytes) override {
    return due() ? failed() : plain_.send_file(file, offset_bytes, std::min<std::size_t>(size_bytes, 5000));
  }
  bool can_send_file() const override { return true; }
  void cork(bool on) override { plain_.cork(on); }

 private:
  bool due() { return ++calls_ == fail_at_; }
  IoResult failed() { return {IoResult::Kind::failed, 0, ECONNRESET}; }

  PlainTransport plain_;
  int fail_at_;
  int calls_ = 0;
};

TEST_F(ConnectionTest, a_network_error_at_any_call_closes_that_connection_and_leaks_nothing) {
  testing::ScratchDirectory scratch;
  auto directory = runtime::open_directory(scratch.path(), false).value();
  ASSERT_TRUE(directory->replace_file("f", std::string(20'000, 'f')));
  file_ = directory->open("f", {}).value();
  std::atomic<int> fail_at{1};
  listen({}, [&](int socket) { return std::make_unique<FailingTransport>(socket, fail_at); });
  int whole = 0;
  for (; whole == 0; ++fail_at) {
    ASSERT_LT(fail_at, 100);
    LoopbackClient client = this->client();
    client.send_frame("file");
    client.send_frame("second");
    auto first = client.receive_frame();
    auto second = client.receive_frame();
    EXPECT_TRUE(!first || first->size() == 20'000u);
    if (second) ++whole;
  }
  EXPECT_GT(fail_at, 10);
  for (int i = 0; i < 5000 && listener_->connections() > 0; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(listener_->connections(), 0u);
}

}  // namespace
}  // namespace dohle::net
