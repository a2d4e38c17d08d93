// A whole connection against a whole broker on fake disks: frames, pipelined and cut anywhere, valid requests with some
// bytes changed among plain rubbish. What must hold: the answers are whole frames, in the order of their requests; a
// connection whose requests are all valid has each of them answered; nothing of the connection is left, neither memory
// nor waits; and the broker is there for the next.
//
// Input: a byte of flags, one for how much the server reads at a time, one for how much it writes at a time; then
// steps: which request, which version, how many changes, and for each change where, and what. A step of a number that
// no request has puts what follows on the wire as it is.
#include <algorithm>

#include "server/api/fuzz/sample_requests.h"
#include "server/api/test_broker_body.h"
#include "server/net/connection_over_pair.h"

namespace {

using namespace dohle;
using namespace dohle::api;

constexpr std::size_t frame_bytes_max = 1 << 20;
constexpr int steps_max = 32;

enum Flag : std::uint8_t {
  on_controller = 1,  // the connection is one to the controller's listener
  vanishes = 2,       // the client hangs up without reading
  tight_memory = 4,   // little request memory for the frames
};

/// What goes over the wire, and what is known of it.
struct Script {
  codec::Blob wire;
  bool all_valid = true;
};

std::int32_t number_at(codec::Bytes bytes, std::size_t position) {
  return codec::Reader(bytes.subspan(position, 4)).i32();
}

void put_number(codec::MutableBytes bytes, std::size_t position, std::int32_t value) {
  codec::Writer writer;
  writer.i32(value);
  std::ranges::copy(writer.bytes(), bytes.begin() + static_cast<std::ptrdiff_t>(position));
}

/// One step's bytes, put behind what is there.
void add_step(codec::Reader& input, std::int32_t number, Script& script) {
  const auto choice = static_cast<std::uint8_t>(input.i8());
  const auto version = static_cast<std::uint8_t>(input.i8());
  const auto changes = static_cast<std::uint8_t>(input.i8());
  if (choice >= samples::requests.size()) {
    const auto bytes = input.view(std::min<std::size_t>(changes, input.remaining()));
    script.wire.insert(script.wire.end(), bytes.begin(), bytes.end());
    script.all_valid = false;
    return;
  }
  codec::Blob frame(4);
  const auto request = samples::requests.at(choice)(version);
  frame.insert(frame.end(), request.begin(), request.end());
  put_number(frame, 0, static_cast<std::int32_t>(request.size()));
  constexpr std::size_t correlation_id_position = 8;
  put_number(frame, correlation_id_position, number);
  for (int i = 0; i < changes % 16 && input.remaining() >= 3; ++i) {
    const auto position = input.u16();
    frame[position % frame.size()] = static_cast<std::uint8_t>(input.i8());
    script.all_valid = false;
  }
  script.wire.insert(script.wire.end(), frame.begin(), frame.end());
}

/// The correlation ids of the frames on a wire, by the plainest code there is: at `position` of each.
std::vector<std::int32_t> correlation_ids(codec::Bytes wire, std::size_t position) {
  std::vector<std::int32_t> ids;
  while (wire.size() >= 4) {
    const auto size = static_cast<std::uint32_t>(number_at(wire, 0));
    if (size > wire.size() - 4) break;
    if (size >= position + 4) ids.push_back(number_at(wire.subspan(4), position));
    wire = wire.subspan(4 + size);
  }
  return ids;
}

void check_whole_frames(codec::Bytes wire) {
  while (!wire.empty()) {
    CHECK(wire.size() >= 8);
    const auto size = static_cast<std::uint32_t>(number_at(wire, 0));
    CHECK(size >= 4 && size <= wire.size() - 4);
    wire = wire.subspan(4 + size);
  }
}

void check_answers(codec::Bytes received, const Script& script, bool every_one) {
  check_whole_frames(received);
  const auto asked = correlation_ids(script.wire, 4);
  const auto answered = correlation_ids(received, 0);
  // Answers keep the order; a request without one is a Produce with acks=0, or the last before the end.
  auto next = asked.begin();
  for (const auto id : answered) {
    next = std::find(next, asked.end(), id);
    CHECK(next != asked.end());
    ++next;
  }
  if (every_one) CHECK(answered == asked);
}

void check_alive(TestBroker& broker) {
  auto last = broker.send(samples::frame<protocol::MetadataRequest>(1));
  CHECK(last.wait_for(net::ConnectionOverPair::patience) == std::future_status::ready);
  CHECK(last.get().action == net::Response::Action::send);
}

std::unique_ptr<net::Session> make_session(std::uint8_t flags) {
  auto session = std::make_unique<net::Session>();
  session->id = 1;
  session->is_controller = (flags & on_controller) != 0;
  session->listener = session->is_controller ? "CONTROLLER" : "PLAINTEXT";
  session->peer_host = "127.0.0.1";
  return session;
}

void talk(Services& services, runtime::Reactor& reactor, std::uint8_t flags, net::ConnectionOverPair::Cuts cuts,
          const Script& script) {
  runtime::MemoryBudget::Limits memory;
  if ((flags & tight_memory) != 0) memory = {.total_bytes = 1024, .reserve_bytes = 1024, .small_frame_bytes = 100};
  runtime::MemoryBudget budget(memory);
  net::ConnectionLimits limits;
  limits.frame_bytes_max = frame_bytes_max;
  Dispatcher dispatcher(services);
  const net::Handler handler = [&dispatcher](net::Request request) { return dispatcher.handle(request); };
  {
    constexpr std::chrono::milliseconds quiet{30};
    net::ConnectionOverPair connection(reactor, limits, budget, handler, cuts, quiet);
    if ((flags & vanishes) != 0) {
      connection.vanish(make_session(flags), script.wire);
    } else {
      const auto received = connection.talk(make_session(flags), script.wire);
      const bool every_one = script.all_valid && (flags & on_controller) == 0 && !connection.told_to_stop();
      check_answers(received, script, every_one);
    }
  }
  CHECK(budget.held_bytes() == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  codec::Reader input({data, size});
  const auto flags = static_cast<std::uint8_t>(input.i8());
  net::ConnectionOverPair::Cuts cuts;
  // 0 is "as it comes"; small numbers cut inside every field.
  if (const auto most = static_cast<std::uint8_t>(input.i8()); most != 0) cuts.receive_bytes_max = most;
  if (const auto most = static_cast<std::uint8_t>(input.i8()); most != 0) cuts.send_bytes_max = most;
  Script script;
  for (std::int32_t step = 1; step <= steps_max && input.remaining() >= 3; ++step) add_step(input, step, script);

  // Before the broker, and so gone after it: its threads may still have this one's executor in their hands.
  runtime::ReactorPool reactors(1, "client");
  reactors.start();
  TestBroker broker({{"offsets.topic.num.partitions", "1"}, {"transaction.state.log.num.partitions", "1"}});
  protocol::CreateTopicsRequest creation;
  auto& topic = creation.topics.emplace_back();
  topic.name = samples::topic_name;
  topic.num_partitions = 1;
  topic.replication_factor = 1;
  CHECK(broker.send(frame_of(7, creation)).get().action == net::Response::Action::send);
  talk(broker.services(), reactors.at(0), flags, cuts, script);
  check_alive(broker);
  return 0;
}
