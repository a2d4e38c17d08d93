// Many connections with small requests: a closed loop that saturates, or an open-loop schedule that does not wait for
// slow answers (a request's latency counts from when it was due, so nothing is omitted).
//
//   dohle_rate PORT TOPIC PARTITIONS CONNECTIONS IN_FLIGHT RECORD_BYTES ACKS SECONDS RATE
//
// RATE is requests a second over all connections, 0 the closed loop. Each request produces one record. Also speaks to
// `dohle_floor echo`. Prints one line of JSON: seconds, requests and their latencies (microseconds) after a second of
// warming up, and all that was answered. A refused record ends it with exit code 1.

#include <fcntl.h>
#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <string>

#include "compat-tests/bench/request_frame.h"
#include "compat-tests/bench/wire.h"
#include "protocol/frame.h"
#include "protocol/messages/produce.h"
#include "protocol/record_batch_builder.h"

namespace {

using namespace dohle;

constexpr std::int16_t produce_version = 9;
constexpr std::int64_t warm_up_us = 1'000'000;

std::int64_t now_us() {
  using namespace std::chrono;
  return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

struct Load {
  int port;
  std::string topic;
  int partitions;
  int connections;
  int in_flight;
  std::size_t record_bytes;
  int acks;
  std::int64_t seconds;
  double rate;
};

std::vector<std::uint8_t> frame_of(const Load& load, int partition_index) {
  protocol::RecordBatchBuilder builder({});
  const std::vector<std::uint8_t> value(load.record_bytes, 'x');
  builder.append(
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count(),
      std::nullopt, codec::Bytes(value));
  const auto batch = builder.build();
  return bench::produce_frame(load.topic, partition_index, batch, static_cast<std::int16_t>(load.acks),
                              produce_version);
}

/// One non-blocking connection: the times at which its unanswered requests were due, and an answer's part.
struct Connection {
  int socket = -1;
  std::vector<std::uint8_t> frame;
  std::deque<std::int64_t> due_us;
  std::vector<std::uint8_t> received;
};

class Generator {
 public:
  explicit Generator(const Load& load) : load_(load), epoll_(epoll_create1(0)) {
    connections_.resize(static_cast<std::size_t>(load.connections));
    for (std::size_t i = 0; i < connections_.size(); ++i) open(connections_[i], i);
  }

  void run() {
    begin_us_ = now_us();
    end_us_ = begin_us_ + warm_up_us + load_.seconds * 1'000'000;
    if (load_.rate == 0) {
      for (auto& connection : connections_) {
        for (int i = 0; i < load_.in_flight; ++i) send_one(connection, now_us());
      }
    }
    while (now_us() < end_us_ || outstanding_ > 0) turn();
    report();
  }

 private:
  void open(Connection& connection, std::size_t index) {
    connection.socket = bench::connect_to(load_.port);
    fcntl(connection.socket, F_SETFL, O_NONBLOCK);
    connection.frame = frame_of(load_, static_cast<int>(index) % load_.partitions);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    if (epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.socket, &event) != 0) bench::die("epoll_ctl");
  }

  void send_one(Connection& connection, std::int64_t due_us) {
    for (std::size_t sent = 0; sent < connection.frame.size();) {
      const auto done =
          send(connection.socket, connection.frame.data() + sent, connection.frame.size() - sent, MSG_NOSIGNAL);
      if (done < 0 && errno != EAGAIN) bench::die("send");
      if (done > 0) sent += static_cast<std::size_t>(done);
    }
    connection.due_us.push_back(due_us);
    ++outstanding_;
  }

  /// Sends what is due by the schedule, round robin.
  void send_due(std::int64_t now) {
    while (now < end_us_) {
      const auto due = begin_us_ + static_cast<std::int64_t>(static_cast<double>(scheduled_) * 1e6 / load_.rate);
      if (due > now) return;
      send_one(connections_[scheduled_++ % connections_.size()], due);
    }
  }

  void turn() {
    if (load_.rate > 0) send_due(now_us());
    epoll_event events[64];
    // An open loop polls: a sleeping core would be late by more than what is measured.
    const int count = epoll_wait(epoll_, events, 64, load_.rate > 0 ? 0 : 100);
    for (int i = 0; i < count; ++i) receive(connections_[events[i].data.u64]);
  }

  void receive(Connection& connection) {
    std::uint8_t bytes[16 << 10];
    const auto size = recv(connection.socket, bytes, sizeof bytes, 0);
    if (size == 0) bench::die("the server closed the connection");
    if (size < 0) return;
    auto& received = connection.received;
    received.insert(received.end(), bytes, bytes + size);
    std::size_t at = 0;
    while (received.size() - at >= 4) {
      codec::Reader head(codec::Bytes(received).subspan(at, 4));
      const auto frame = static_cast<std::size_t>(head.i32());
      if (received.size() - at - 4 < frame) break;
      answered(connection, codec::Bytes(received).subspan(at + 4, frame));
      at += 4 + frame;
    }
    received.erase(received.begin(), received.begin() + static_cast<std::ptrdiff_t>(at));
  }

  void answered(Connection& connection, codec::Bytes frame) {
    const auto now = now_us();
    check(frame);
    const auto due = connection.due_us.front();
    connection.due_us.pop_front();
    --outstanding_;
    ++answered_;
    if (due >= begin_us_ + warm_up_us && due < end_us_) latencies_us_.push_back(now - due);
    if (load_.rate == 0 && now < end_us_) send_one(connection, now);
  }

  static void check(codec::Bytes frame) {
    if (frame.size() < 16) return;  // the bare loop answers with nothing to read
    codec::Reader reader(frame);
    protocol::decode_response_header(reader, protocol::api_info(protocol::ApiKey::produce), produce_version);
    protocol::ProduceResponse response;
    decode(reader, produce_version, response);
    if (reader.ok() && response.responses.at(0).partition_responses.at(0).error_code == 0) return;
    std::fprintf(stderr, "a record was refused\n");
    std::exit(1);
  }

  double quantile(double part) const {
    if (latencies_us_.empty()) return 0;
    const auto index = static_cast<std::size_t>(part * static_cast<double>(latencies_us_.size() - 1));
    return static_cast<double>(latencies_us_[index]);
  }

  void report() {
    std::sort(latencies_us_.begin(), latencies_us_.end());
    std::printf(
        "{\"seconds\": %lld, \"answered\": %zu, \"requests\": %zu, \"p50_us\": %.0f, \"p99_us\": %.0f, \"p999_us\": "
        "%.0f}\n",
        static_cast<long long>(load_.seconds), answered_, latencies_us_.size(), quantile(0.5), quantile(0.99),
        quantile(0.999));
  }

  const Load load_;
  const int epoll_;
  std::vector<Connection> connections_;
  std::vector<std::int64_t> latencies_us_;
  std::size_t scheduled_ = 0;
  std::size_t outstanding_ = 0;
  std::size_t answered_ = 0;
  std::int64_t begin_us_ = 0;
  std::int64_t end_us_ = 0;
};

}  // namespace

int main(int count, char** values) {
  if (count != 10) {
    std::fprintf(stderr, "dohle_rate PORT TOPIC PARTITIONS CONNECTIONS IN_FLIGHT RECORD_BYTES ACKS SECONDS RATE\n");
    return 1;
  }
  Generator({std::atoi(values[1]), values[2], std::atoi(values[3]), std::atoi(values[4]), std::atoi(values[5]),
             std::strtoull(values[6], nullptr, 10), std::atoi(values[7]), std::atoll(values[8]), std::atof(values[9])})
      .run();
  return 0;
}
