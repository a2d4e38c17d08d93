#include "server/net/transport.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "server/runtime/file.h"
#include "server/testing/scratch_directory.h"

namespace dohle::net {
namespace {

class PlainTransportTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_), 0); }
  void TearDown() override {
    ::close(ends_[0]);
    if (ends_[1] >= 0) ::close(ends_[1]);
  }
  void close_peer() {
    ::close(ends_[1]);
    ends_[1] = -1;
  }

  int ends_[2] = {-1, -1};
};

TEST_F(PlainTransportTest, receives_what_is_there_then_would_block_then_the_end) {
  PlainTransport transport(ends_[0]);
  std::uint8_t buffer[10];
  EXPECT_EQ(transport.receive(buffer).kind, IoResult::Kind::would_block);
  ASSERT_EQ(::write(ends_[1], "hello", 5), 5);
  IoResult result = transport.receive(buffer);
  EXPECT_EQ(result.kind, IoResult::Kind::done);
  EXPECT_EQ(result.bytes, 5u);
  close_peer();
  EXPECT_EQ(transport.receive(buffer).kind, IoResult::Kind::end);
}

TEST_F(PlainTransportTest, sends_pieces_until_the_socket_is_full_and_a_closed_peer_is_no_signal) {
  PlainTransport transport(ends_[0]);
  std::string text(1 << 20, 'x');
  iovec pieces[2] = {{text.data(), 10}, {text.data(), text.size()}};
  IoResult result = transport.send(pieces, false);
  ASSERT_EQ(result.kind, IoResult::Kind::done);
  EXPECT_LT(result.bytes, text.size());
  while (result.kind == IoResult::Kind::done) result = transport.send(pieces, true);
  EXPECT_EQ(result.kind, IoResult::Kind::would_block);
  close_peer();
  result = transport.send(pieces, false);
  EXPECT_EQ(result.kind, IoResult::Kind::failed);
  EXPECT_EQ(result.system_error, EPIPE);
}

TEST_F(PlainTransportTest, sends_files_and_tells_their_end) {
  testing::ScratchDirectory scratch;
  auto directory = runtime::open_directory(scratch.path(), false).value();
  ASSERT_TRUE(directory->replace_file("f", "0123456789"));
  auto file = directory->open("f", {}).value();
  PlainTransport transport(ends_[0]);
  transport.cork(true);
  IoResult result = transport.send_file(file->descriptor(), 4, 3);
  EXPECT_EQ(result.kind, IoResult::Kind::done);
  EXPECT_EQ(result.bytes, 3u);
  char buffer[10];
  ASSERT_EQ(::read(ends_[1], buffer, 10), 3);
  EXPECT_EQ(std::string(buffer, 3), "456");
  EXPECT_EQ(transport.send_file(file->descriptor(), 10, 3).kind, IoResult::Kind::end);
  result = transport.send_file(-1, 0, 3);
  EXPECT_EQ(result.kind, IoResult::Kind::failed);
  EXPECT_EQ(result.system_error, EBADF);
}

}  // namespace
}  // namespace dohle::net
