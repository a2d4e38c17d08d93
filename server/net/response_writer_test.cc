#include "server/net/response_writer.h"

#include <gtest/gtest.h>

#include "server/net/scripted_transport.h"
#include "server/testing/fake_disk.h"
#include "server/testing/scratch_directory.h"

namespace dohle::net {
namespace {

using State = ResponseWriter::State;

std::vector<std::uint8_t> bytes(const std::string& text) {
  return {text.begin(), text.end()};
}

class ResponseWriterTest : public ::testing::Test {
 protected:
  ResponseWriterTest() {
    for (int i = 0; i < 300'000; ++i) content_ += static_cast<char>('a' + i % 26);
    auto real = runtime::open_directory(scratch_.path(), false).value();
    EXPECT_TRUE(real->replace_file("f", content_));
    real_ = real->open("f", {}).value();
    auto fake = disk_.directory();
    EXPECT_TRUE(fake->replace_file("f", content_));
    fake_ = fake->open("f", {}).value();
  }

  /// A response as Fetch gives it: heads, large and small slices, an empty one, a tail.
  Response response(std::shared_ptr<const runtime::File> file) {
    Response response;
    response.pieces.push_back(bytes("head"));
    response.pieces.push_back(FileSlice{file, 1000, 200'000});
    response.pieces.push_back(bytes(""));
    response.pieces.push_back(bytes("middle"));
    response.pieces.push_back(FileSlice{file, 7, 100});
    response.pieces.push_back(FileSlice{file, 0, 0});
    response.pieces.push_back(FileSlice{file, 5, 5000});
    response.pieces.push_back(bytes("tail"));
    return response;
  }
  std::string expected() {
    return framed("head" + content_.substr(1000, 200'000) + "middle" + content_.substr(7, 100) +
                  content_.substr(5, 5000) + "tail");
  }

  State finish(ResponseWriter& writer) {
    State state = writer.write();
    for (int calls = 0; state == State::need_output || state == State::yield; ++calls) {
      if (calls > 1'000'000) return State::failed;
      state = writer.write();
    }
    return state;
  }

  std::string content_;
  testing::ScratchDirectory scratch_;
  testing::FakeDisk disk_;
  std::shared_ptr<runtime::File> real_;
  std::shared_ptr<runtime::File> fake_;
};

TEST_F(ResponseWriterTest, memory_and_files_go_out_in_order_however_little_the_socket_takes) {
  for (const auto& file : {real_, fake_}) {
    for (std::size_t at_most : {SIZE_MAX, std::size_t{65'536}, std::size_t{4097}, std::size_t{3}, std::size_t{1}}) {
      ScriptedTransport transport;
      transport.send_bytes_max = at_most;
      transport.block_between_sends = true;
      ResponseWriter writer(transport);
      ASSERT_TRUE(writer.begin(response(file)));
      ASSERT_EQ(finish(writer), State::done);
      ASSERT_EQ(transport.outgoing, expected()) << at_most;
      EXPECT_EQ(writer.written_bytes(), expected().size());
      EXPECT_FALSE(transport.corked);
      if (at_most == 4097 && file == fake_) break;
    }
  }
}

TEST_F(ResponseWriterTest, a_transport_without_sendfile_gets_the_same_bytes) {
  ScriptedTransport transport;
  transport.send_files = false;
  ResponseWriter writer(transport);
  ASSERT_TRUE(writer.begin(response(real_)));
  ASSERT_EQ(finish(writer), State::done);
  EXPECT_EQ(transport.outgoing, expected());
}

TEST_F(ResponseWriterTest, a_small_response_is_one_call_without_more) {
  ScriptedTransport transport;
  ResponseWriter writer(transport);
  Response small;
  small.pieces.push_back(bytes("abc"));
  small.pieces.push_back(FileSlice{real_, 26, 4});
  small.pieces.push_back(bytes("d"));
  ASSERT_TRUE(writer.begin(std::move(small)));
  ASSERT_EQ(writer.write(), State::done);
  EXPECT_EQ(transport.outgoing, framed("abcabcdd"));
  EXPECT_EQ(transport.calls, 1);
  EXPECT_EQ(transport.more_flags, std::vector<bool>{false});
}

TEST_F(ResponseWriterTest, the_head_before_a_slice_says_that_more_follows) {
  ScriptedTransport transport;
  ResponseWriter writer(transport);
  Response fetch;
  fetch.pieces.push_back(bytes("head"));
  fetch.pieces.push_back(FileSlice{real_, 0, 10'000});
  ASSERT_TRUE(writer.begin(std::move(fetch)));
  ASSERT_EQ(writer.write(), State::done);
  EXPECT_EQ(transport.more_flags, std::vector<bool>{true});
}

TEST_F(ResponseWriterTest, an_empty_response_is_a_size_of_zero) {
  ScriptedTransport transport;
  ResponseWriter writer(transport);
  ASSERT_TRUE(writer.begin({}));
  ASSERT_EQ(writer.write(), State::done);
  EXPECT_EQ(transport.outgoing, std::string(4, '\0'));
}

TEST_F(ResponseWriterTest, a_slice_that_is_short_fails_wherever_it_ends) {
  for (const auto& file : {real_, fake_}) {
    for (std::uint64_t size : {std::uint64_t{100}, std::uint64_t{50'000}}) {
      ScriptedTransport transport;
      ResponseWriter writer(transport);
      Response fetch;
      fetch.pieces.push_back(bytes("head"));
      fetch.pieces.push_back(FileSlice{file, content_.size() - size + 1, size});
      bool begun = writer.begin(std::move(fetch));
      EXPECT_TRUE(!begun || finish(writer) == State::failed) << size;
    }
  }
}

TEST_F(ResponseWriterTest, a_file_that_cannot_be_read_fails) {
  for (std::uint64_t size : {std::uint64_t{100}, std::uint64_t{50'000}}) {
    ScriptedTransport transport;
    ResponseWriter writer(transport);
    Response fetch;
    fetch.pieces.push_back(FileSlice{fake_, 0, size});
    disk_.fail_all(5, testing::DiskCall::read);
    bool begun = writer.begin(std::move(fetch));
    EXPECT_TRUE(!begun || finish(writer) == State::failed);
    disk_.clear_failures();
  }
}

TEST_F(ResponseWriterTest, a_failure_of_any_call_is_seen) {
  int fail_at = 1;
  for (;; ++fail_at) {
    ScriptedTransport transport;
    transport.send_bytes_max = 50'000;
    transport.fail_at = fail_at;
    ResponseWriter writer(transport);
    ASSERT_TRUE(writer.begin(response(real_)));
    State state = finish(writer);
    if (transport.calls < fail_at) {
      EXPECT_EQ(state, State::done);
      break;
    }
    EXPECT_EQ(state, State::failed) << fail_at;
  }
  EXPECT_GT(fail_at, 6);
}

TEST_F(ResponseWriterTest, more_than_a_frame_can_hold_is_refused) {
  auto real = runtime::open_directory(scratch_.path(), false).value();
  auto huge = real->open("huge", {.create = true}).value();
  ASSERT_TRUE(huge->truncate(std::uint64_t{3} << 30));
  ScriptedTransport transport;
  ResponseWriter writer(transport);
  Response fetch;
  fetch.pieces.push_back(FileSlice{huge, 0, std::uint64_t{1} << 31});
  EXPECT_FALSE(writer.begin(std::move(fetch)));
}

TEST_F(ResponseWriterTest, a_long_response_lets_the_others_have_their_turn) {
  auto real = runtime::open_directory(scratch_.path(), false).value();
  auto large = real->open("large", {.create = true}).value();
  ASSERT_TRUE(large->truncate(3 << 20));
  ScriptedTransport transport;
  ResponseWriter writer(transport);
  Response fetch;
  fetch.pieces.push_back(FileSlice{large, 0, 3 << 20});
  ASSERT_TRUE(writer.begin(std::move(fetch)));
  EXPECT_EQ(writer.write(), State::yield);
  EXPECT_LE(transport.outgoing.size(), (1u << 20) + 4);
  EXPECT_EQ(finish(writer), State::done);
  EXPECT_EQ(transport.outgoing.size(), (3u << 20) + 4);
}

}  // namespace
}  // namespace dohle::net
