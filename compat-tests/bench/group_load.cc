// Many members of classic groups over raw connections, one each: they join in two steps, share, send heartbeats every
// three seconds, and join again when they hear that they must. No client library, one thread.
//
//   dohle_group_load PORT GROUPS MEMBERS SECONDS
//
// Everybody joins at once; then SECONDS of heartbeats; then a member of each group leaves and the rest rebalances (not
// with one member a group). After each part it waits for a line on the standard input, so that who measures the
// server can look at it. Prints one line of JSON a part; a wrong answer ends it with exit code 1.

#include <fcntl.h>
#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <iostream>
#include <queue>
#include <string>
#include <utility>

#include "codec/writer.h"
#include "compat-tests/bench/request_frame.h"
#include "compat-tests/bench/wire.h"
#include "protocol/frame.h"
#include "protocol/messages/heartbeat.h"
#include "protocol/messages/join_group.h"
#include "protocol/messages/leave_group.h"
#include "protocol/messages/sync_group.h"

namespace {

using namespace dohle;

constexpr std::int64_t heartbeat_ms = 3'000;  // as the clients do by default
constexpr std::int64_t retry_ms = 200;
constexpr std::int16_t rebalance_in_progress = 27;
constexpr std::int16_t member_id_required = 79;

std::int64_t now_us() {
  using namespace std::chrono;
  return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

/// Of one topic "load": a subscription, or partition `partition` as an assignment.
codec::Blob consumer_protocol(std::int32_t partition) {
  codec::Writer writer;
  writer.i16(0);
  writer.i32(1);
  writer.i16(4);
  for (const char letter : std::string("load")) writer.i8(letter);
  if (partition >= 0) {
    writer.i32(1);
    writer.i32(partition);
  }
  writer.i32(-1);
  return writer.release();
}

enum class Step : std::uint8_t { join, sync, heartbeat, leave, gone };

struct Member {
  int socket = -1;
  std::string group;
  std::string id;
  std::int32_t generation = -1;
  Step step = Step::join;
  bool asked = false;  // an answer is due
  bool stable = false;
  bool leaves = false;
  std::int64_t sent_us = 0;
  std::vector<std::uint8_t> input;
};

template <typename Request>
void send(Member& member, const Request& request) {
  const auto frame = bench::frame_of(request, Request::max_version);
  member.asked = true;
  member.sent_us = now_us();
  std::size_t sent = 0;
  while (sent < frame.size()) {  // a leader's assignment may be larger than the socket's buffer
    const auto some = ::send(member.socket, frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
    if (some < 0 && errno != EAGAIN) bench::die("send");
    if (some > 0) sent += static_cast<std::size_t>(some);
  }
}

template <typename Response>
Response parse(const std::vector<std::uint8_t>& frame, protocol::ApiKey key) {
  codec::Reader reader(codec::Bytes(frame).subspan(4));
  protocol::decode_response_header(reader, protocol::api_info(key), Response::max_version);
  Response response;
  decode(reader, Response::max_version, response);
  if (!reader.ok()) bench::die("an answer that cannot be read");
  return response;
}

class Load {
 public:
  Load(int port, int groups, int members) : members_(static_cast<std::size_t>(groups) * members), per_group_(members) {
    epoll_ = epoll_create1(0);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      auto& member = members_[i];
      member.group = "load-" + std::to_string(i / members);
      member.socket = bench::connect_to(port);
      fcntl(member.socket, F_SETFL, O_NONBLOCK);
      epoll_event event{EPOLLIN, {}};
      event.data.u64 = i;
      epoll_ctl(epoll_, EPOLL_CTL_ADD, member.socket, &event);
    }
  }

  void join_all() {
    for (std::size_t i = 0; i < members_.size(); ++i) due_.emplace(now_us(), i);
  }
  void leave_one_of_each() {
    for (std::size_t i = 0; i < members_.size(); i += per_group_) {
      members_[i].leaves = true;
      if (!members_[i].asked) again(members_[i], Step::leave);
      for (std::size_t other = 1; other < per_group_; ++other) members_[i + other].stable = false;
    }
    unstable_ = members_.size() - members_.size() / per_group_;
  }

  void run_until_stable() {
    while (unstable_ > 0) turn();
  }
  void run_for(int seconds) {
    const auto until = now_us() + seconds * 1'000'000LL;
    while (now_us() < until) turn();
  }

  /// Seconds, and how long heartbeats were on their way since the last report.
  void report(const char* part, std::int64_t began_us) {
    std::ranges::sort(latencies_us_);
    const auto at = [&](double share) {
      return latencies_us_.empty() ? 0 : latencies_us_[static_cast<std::size_t>(share * (latencies_us_.size() - 1))];
    };
    std::printf(
        "{\"part\": \"%s\", \"seconds\": %.3f, \"requests\": %zu, \"heartbeats\": %zu, \"p50_us\": %lld, \"p99_us\": "
        "%lld, \"max_us\": %lld, \"generation\": %d}\n",
        part, static_cast<double>(now_us() - began_us) / 1e6, requests_, latencies_us_.size(),
        static_cast<long long>(at(0.5)), static_cast<long long>(at(0.99)), static_cast<long long>(at(1)),
        members_.back().generation);
    std::fflush(stdout);
    latencies_us_.clear();
    requests_ = 0;
  }

  /// Until somebody says a line; members go on meanwhile.
  void wait_for_line() {
    while (true) {
      fd_set input;
      FD_ZERO(&input);
      FD_SET(0, &input);
      timeval none{};
      if (select(1, &input, nullptr, nullptr, &none) > 0) break;
      turn();
    }
    std::string line;
    std::getline(std::cin, line);
  }

 private:
  using Due = std::pair<std::int64_t, std::size_t>;

  void turn() {
    while (!due_.empty() && due_.top().first <= now_us()) {
      const auto index = due_.top().second;
      due_.pop();
      if (!members_[index].asked && members_[index].step != Step::gone) ask(members_[index]);
    }
    epoll_event events[256];
    const int ready = epoll_wait(epoll_, events, 256, 5);
    for (int i = 0; i < ready; ++i) receive(events[i].data.u64);
  }

  void ask(Member& member) {
    ++requests_;
    switch (member.step) {
      case Step::join:
        return join(member);
      case Step::sync:
        return sync(member);
      case Step::heartbeat: {
        protocol::HeartbeatRequest request;
        request.group_id = member.group;
        request.member_id = member.id;
        request.generation_id = member.generation;
        return send(member, request);
      }
      case Step::leave: {
        protocol::LeaveGroupRequest request;
        request.group_id = member.group;
        request.members.emplace_back().member_id = member.id;
        return send(member, request);
      }
      case Step::gone:
        return;
    }
  }

  void join(Member& member) {
    protocol::JoinGroupRequest request;
    request.group_id = member.group;
    request.member_id = member.id;
    request.session_timeout_ms = 45'000;
    request.rebalance_timeout_ms = 300'000;
    request.protocol_type = "consumer";
    auto& protocol = request.protocols.emplace_back();
    protocol.name = "range";
    protocol.metadata = consumer_protocol(-1);
    send(member, request);
  }

  void sync(Member& member) {
    protocol::SyncGroupRequest request;
    request.group_id = member.group;
    request.member_id = member.id;
    request.generation_id = member.generation;
    request.protocol_type = "consumer";
    request.protocol_name = "range";
    for (auto& id : led_) {
      auto& assignment = request.assignments.emplace_back();
      assignment.member_id = id;
      assignment.assignment = consumer_protocol(static_cast<std::int32_t>(request.assignments.size()) - 1);
    }
    led_.clear();
    send(member, request);
  }

  void receive(std::size_t index) {
    auto& member = members_[index];
    std::uint8_t bytes[1 << 16];
    while (true) {
      const auto count = recv(member.socket, bytes, sizeof bytes, 0);
      if (count < 0 && errno == EAGAIN) break;
      if (count <= 0) bench::die("the server closed a connection");
      member.input.insert(member.input.end(), bytes, bytes + count);
    }
    if (member.input.size() < 4) return;
    const auto& input = member.input;
    const std::size_t size = std::size_t{input[0]} << 24 | input[1] << 16 | input[2] << 8 | input[3];
    if (input.size() < 4 + size) return;
    const auto frame = std::exchange(member.input, {});
    member.asked = false;
    answered(index, member, frame);
  }

  void answered(std::size_t index, Member& member, const std::vector<std::uint8_t>& frame) {
    switch (member.step) {
      case Step::join:
        return joined(index, member, parse<protocol::JoinGroupResponse>(frame, protocol::ApiKey::join_group));
      case Step::sync: {
        const auto response = parse<protocol::SyncGroupResponse>(frame, protocol::ApiKey::sync_group);
        if (response.error_code == rebalance_in_progress) return again(member, Step::join);
        expect(response.error_code, "sync");
        if (response.assignment.empty()) wrong("sync: an empty assignment");
        if (!std::exchange(member.stable, true)) --unstable_;
        member.step = Step::heartbeat;
        due_.emplace(now_us() + heartbeat_ms * 1000, index);
        return;
      }
      case Step::leave:
        expect(parse<protocol::LeaveGroupResponse>(frame, protocol::ApiKey::leave_group).error_code, "leave");
        member.step = Step::gone;
        return;
      case Step::heartbeat: {
        latencies_us_.push_back(now_us() - member.sent_us);
        const auto response = parse<protocol::HeartbeatResponse>(frame, protocol::ApiKey::heartbeat);
        if (member.leaves) return again(member, Step::leave);
        if (response.error_code == rebalance_in_progress) return again(member, Step::join);
        expect(response.error_code, "heartbeat");
        due_.emplace(member.sent_us + heartbeat_ms * 1000, index);
        return;
      }
      case Step::gone:
        return;
    }
  }

  void joined(std::size_t index, Member& member, const protocol::JoinGroupResponse& response) {
    switch (response.error_code) {
      case member_id_required:
        member.id = response.member_id;
        return again(member, Step::join);
      case 14:  // the coordinator is loading, or
      case 15:  // its topic is being made
      case 16:
        due_.emplace(now_us() + retry_ms * 1000, index);
        return;
      default:
        expect(response.error_code, "join");
    }
    member.generation = response.generation_id;
    for (const auto& other : response.members) led_.push_back(other.member_id);
    again(member, Step::sync);
  }

  void again(Member& member, Step step) {
    member.step = step;
    ask(member);
  }

  static void wrong(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::exit(1);
  }
  static void expect(std::int16_t error, const char* what) {
    if (error != 0) wrong(std::string(what) + ": error " + std::to_string(error));
  }

  std::vector<Member> members_;
  std::size_t per_group_;
  std::size_t unstable_ = members_.size();
  int epoll_ = -1;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::vector<std::int64_t> latencies_us_;
  std::vector<std::string> led_;  // ids of the group whose leader asks next
  std::size_t requests_ = 0;
};

int number(const char* text) {
  return static_cast<int>(std::strtol(text, nullptr, 10));
}

}  // namespace

int main(int count, char** values) {
  if (count != 5) {
    std::fprintf(stderr, "dohle_group_load PORT GROUPS MEMBERS SECONDS\n");
    return 1;
  }
  const int members = number(values[3]);
  Load load(number(values[1]), number(values[2]), members);
  auto began = now_us();
  load.join_all();
  load.run_until_stable();
  load.report("join", began);
  load.wait_for_line();
  began = now_us();
  load.run_for(number(values[4]));
  load.report("heartbeats", began);
  load.wait_for_line();
  if (members == 1) return 0;
  began = now_us();
  load.leave_one_of_each();
  load.run_until_stable();
  load.report("rebalance", began);
  load.wait_for_line();
  return 0;
}
