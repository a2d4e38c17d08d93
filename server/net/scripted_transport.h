// A transport for tests: gives and takes what the script says, in pieces as small as wished, and fails where told.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <deque>
#include <string>

#include "server/net/transport.h"

namespace dohle::net {

class ScriptedTransport final : public Transport {
 public:
  // What receive() gives: each text in one call, then would_block, or the end.
  std::deque<std::string> incoming;
  bool end_after_incoming = false;
  // What was sent.
  std::string outgoing;
  std::size_t send_bytes_max = SIZE_MAX;  // one call takes at most this much
  bool block_between_sends = false;       // every second send would block
  bool send_files = true;
  std::vector<bool> more_flags;
  // The call with this number (1 is the first) fails.
  int fail_at = 0;
  int calls = 0;

  IoResult receive(codec::MutableBytes buffer) override {
    if (++calls == fail_at) return {IoResult::Kind::failed, 0, 104};
    if (incoming.empty()) return {end_after_incoming ? IoResult::Kind::end : IoResult::Kind::would_block, 0, 0};
    std::string& next = incoming.front();
    std::size_t count = std::min(next.size(), buffer.size());
    std::copy_n(next.begin(), count, buffer.begin());
    next.erase(0, count);
    if (next.empty()) incoming.pop_front();
    return {IoResult::Kind::done, count, 0};
  }

  IoResult send(std::span<iovec> pieces, bool more) override {
    if (++calls == fail_at) return {IoResult::Kind::failed, 0, 32};
    if (blocked()) return {IoResult::Kind::would_block, 0, 0};
    more_flags.push_back(more);
    std::size_t sent = 0;
    for (const iovec& piece : pieces) {
      std::size_t count = std::min(piece.iov_len, send_bytes_max - sent);
      outgoing.append(static_cast<const char*>(piece.iov_base), count);
      sent += count;
    }
    return {IoResult::Kind::done, sent, 0};
  }

  IoResult send_file(int file, std::uint64_t offset_bytes, std::size_t size_bytes) override {
    if (++calls == fail_at) return {IoResult::Kind::failed, 0, 5};
    if (blocked()) return {IoResult::Kind::would_block, 0, 0};
    std::string content(std::min(size_bytes, send_bytes_max), '\0');
    ssize_t count = ::pread(file, content.data(), content.size(), static_cast<off_t>(offset_bytes));
    if (count <= 0) return {IoResult::Kind::end, 0, 0};
    outgoing.append(content, 0, static_cast<std::size_t>(count));
    return {IoResult::Kind::done, static_cast<std::size_t>(count), 0};
  }

  bool can_send_file() const override { return send_files; }
  void cork(bool on) override { corked = on; }

  bool corked = false;

 private:
  bool blocked() {
    just_blocked_ = block_between_sends && !just_blocked_;
    return just_blocked_;
  }

  bool just_blocked_ = false;
};

/// A frame as it goes over the wire.
inline std::string framed(const std::string& body) {
  std::string frame;
  for (int shift = 24; shift >= 0; shift -= 8) frame += static_cast<char>(body.size() >> shift & 0xff);
  return frame + body;
}

}  // namespace dohle::net
