// Feeds arbitrary bytes, cut arbitrarily, through the frame reader, and writes what came back out by the response
// writer over a transport that takes arbitrary little. What must hold: every frame that the bytes contain is handed
// out, whole and in order; a bad size ends it; memory never exceeds a small multiple of what has arrived; nothing is
// left in the budget.
//
// Input: one byte for the limit of frames, one for how the bytes are cut, then the bytes of the wire.
#include <cstdint>
#include <string>
#include <vector>

#include "server/net/frame_reader.h"
#include "server/net/response_writer.h"
#include "server/net/scripted_transport.h"
#include "server/runtime/check.h"

using namespace dohle;

namespace {

/// The frames that a wire contains, by the plainest code there is. Sets `refused` where a size is bad.
std::vector<std::string> frames_of(const std::string& wire, std::size_t limit, bool& refused) {
  std::vector<std::string> frames;
  std::size_t at = 0;
  while (wire.size() - at >= 4) {
    std::size_t size = 0;
    for (int i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(wire[at + static_cast<std::size_t>(i)]);
    refused = size > limit;
    if (refused || wire.size() - at - 4 < size) break;
    frames.push_back(wire.substr(at + 4, size));
    at += 4 + size;
  }
  return frames;
}

void echo(const std::string& body, std::size_t at_most) {
  net::ScriptedTransport transport;
  transport.send_bytes_max = at_most;
  transport.block_between_sends = true;
  net::ResponseWriter writer(transport);
  net::Response response;
  std::vector<std::uint8_t> piece(body.begin(), body.end());
  response.pieces.emplace_back(std::move(piece));
  CHECK(writer.begin(std::move(response)));
  net::ResponseWriter::State state = writer.write();
  while (state != net::ResponseWriter::State::done) {
    CHECK(state != net::ResponseWriter::State::failed);
    state = writer.write();
  }
  CHECK(transport.outgoing == net::framed(body));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  std::size_t limit = std::size_t{data[0]} * 64;
  std::size_t cut = data[1] % 61 + 1;
  std::string wire(reinterpret_cast<const char*>(data) + 2, size - 2);
  bool refused = false;
  std::vector<std::string> expected = frames_of(wire, limit, refused);

  runtime::MemoryBudget budget({});
  net::ScriptedTransport transport;
  for (std::size_t at = 0; at < wire.size(); at += cut) transport.incoming.push_back(wire.substr(at, cut));
  transport.end_after_incoming = true;
  std::vector<std::uint8_t> scratch(data[1] % 7 * 16 + 8);
  std::vector<std::string> found;
  {
    net::FrameReader reader(transport, budget, limit);
    net::FrameReader::State state = net::FrameReader::State::need_input;
    while (state != net::FrameReader::State::end && state != net::FrameReader::State::refused) {
      state = reader.read(scratch, nullptr);
      CHECK(state != net::FrameReader::State::failed && state != net::FrameReader::State::need_memory);
      CHECK(budget.held_bytes() <= limit);
      if (state != net::FrameReader::State::frame) continue;
      found.emplace_back(codec::as_text(reader.frame()));
      echo(found.back(), cut);
      reader.release();
    }
    CHECK((state == net::FrameReader::State::refused) == refused);
  }
  CHECK(found == expected);
  CHECK(budget.held_bytes() == 0);
  return 0;
}
