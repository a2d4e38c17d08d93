#include "server/net/frame_reader.h"

#include <gtest/gtest.h>

#include "server/net/scripted_transport.h"

namespace dohle::net {
namespace {

using State = FrameReader::State;

class FrameReaderTest : public ::testing::Test {
 protected:
  State read() { return reader_.read(scratch_, nullptr); }
  std::string take() {
    std::string body(codec::as_text(reader_.frame()));
    reader_.release();
    return body;
  }

  ScriptedTransport transport_;
  runtime::MemoryBudget budget_{{.total_bytes = 1 << 20, .reserve_bytes = 1 << 20, .small_frame_bytes = 64 << 10}};
  FrameReader reader_{transport_, budget_, 10 << 20};
  std::vector<std::uint8_t> scratch_ = std::vector<std::uint8_t>(1024);
};

TEST_F(FrameReaderTest, a_frame_cut_at_every_byte_arrives_whole) {
  std::string wire = framed("hello") + framed("") + framed("world");
  for (std::size_t first = 0; first <= wire.size(); ++first) {
    for (std::size_t second = first; second <= wire.size(); ++second) {
      for (const std::string& part : {wire.substr(0, first), wire.substr(first, second - first), wire.substr(second)}) {
        if (!part.empty()) transport_.incoming.push_back(part);
      }
      std::vector<std::string> bodies;
      for (int calls = 0; bodies.size() < 3; ++calls) {
        ASSERT_LT(calls, 20);
        State state = read();
        if (state == State::frame) {
          bodies.push_back(take());
        } else {
          ASSERT_EQ(state, State::need_input);
        }
      }
      ASSERT_EQ(bodies, (std::vector<std::string>{"hello", "", "world"})) << first << " " << second;
      ASSERT_EQ(read(), State::need_input);
      ASSERT_FALSE(reader_.mid_frame());
    }
  }
  EXPECT_EQ(budget_.held_bytes(), 0u);
}

TEST_F(FrameReaderTest, a_frame_larger_than_all_buffers_arrives_whole_and_leaves_the_next_one) {
  std::string body;
  for (int i = 0; i < 900'000; ++i) body += static_cast<char>('a' + i % 23);
  std::string wire = framed(body) + framed("next") + framed("last").substr(0, 6);
  while (!wire.empty()) {
    transport_.incoming.push_back(wire.substr(0, 30'001));
    wire.erase(0, 30'001);
  }
  State state = read();
  while (state == State::yield || state == State::need_input) state = read();
  ASSERT_EQ(state, State::frame);
  EXPECT_EQ(take(), body);
  while ((state = read()) == State::need_input) {
  }
  ASSERT_EQ(state, State::frame);
  EXPECT_EQ(take(), "next");
  EXPECT_EQ(read(), State::need_input);
  EXPECT_TRUE(reader_.mid_frame());
}

TEST_F(FrameReaderTest, a_negative_or_too_large_size_is_refused_and_nothing_is_allocated) {
  for (const char* size : {"\xff\xff\xff\xff", "\x80\x00\x00\x00", "\x7f\xff\xff\xff", "\x00\xa0\x00\x01"}) {
    ScriptedTransport transport;
    FrameReader reader(transport, budget_, 10 << 20);
    transport.incoming.push_back(std::string(size, 4));
    EXPECT_EQ(reader.read(scratch_, nullptr), State::refused);
    EXPECT_EQ(budget_.held_bytes(), 0u);
  }
  transport_.incoming.push_back(std::string("\x00\xa0\x00\x00", 4));  // exactly the limit
  EXPECT_EQ(read(), State::need_input);
}

TEST_F(FrameReaderTest, an_announced_size_is_not_believed) {
  transport_.incoming.push_back(std::string("\x00\xa0\x00\x00 a few bytes", 16));
  EXPECT_EQ(read(), State::need_input);
  EXPECT_TRUE(reader_.mid_frame());
  EXPECT_LE(budget_.held_bytes(), 256u << 10);
}

TEST_F(FrameReaderTest, waits_for_memory_and_goes_on_where_it_was) {
  runtime::MemoryBudget::Share exempt(budget_, 5 << 20);
  runtime::MemoryBudget::Share full(budget_, 1 << 20);
  ASSERT_TRUE(full.grow(1 << 20, nullptr));
  ASSERT_TRUE(exempt.grow(1, nullptr));
  std::string body(100'000, 'x');
  transport_.incoming.push_back(framed(body));
  EXPECT_EQ(read(), State::need_memory);
  EXPECT_EQ(read(), State::need_memory);
  EXPECT_TRUE(reader_.mid_frame());
  full.give_back();
  ASSERT_EQ(read(), State::frame);
  EXPECT_EQ(take(), body);
}

TEST_F(FrameReaderTest, tells_the_end_and_a_failure) {
  transport_.incoming.push_back("\x01");
  transport_.end_after_incoming = true;
  EXPECT_EQ(read(), State::need_input);
  EXPECT_EQ(read(), State::end);
  ScriptedTransport failing;
  failing.fail_at = 1;
  FrameReader reader(failing, budget_, 100);
  EXPECT_EQ(reader.read(scratch_, nullptr), State::failed);
}

TEST_F(FrameReaderTest, a_frame_may_be_released_early_and_again) {
  transport_.incoming.push_back(framed("one") + framed("two"));
  ASSERT_EQ(read(), State::frame);
  reader_.release();
  EXPECT_EQ(budget_.held_bytes(), 0u);
  reader_.release();
  ASSERT_EQ(read(), State::frame);
  EXPECT_EQ(take(), "two");
}

TEST_F(FrameReaderTest, a_flood_on_one_connection_lets_the_others_have_their_turn) {
  FrameReader reader(transport_, budget_, 10 << 20);
  transport_.incoming.push_back(std::string("\x00\x90\x00\x00", 4));
  for (int i = 0; i < 20; ++i) transport_.incoming.push_back(std::string(256 << 10, 'x'));
  State state = reader.read(scratch_, nullptr);
  while (state == State::need_input) state = reader.read(scratch_, nullptr);
  EXPECT_EQ(state, State::yield);
}

}  // namespace
}  // namespace dohle::net
