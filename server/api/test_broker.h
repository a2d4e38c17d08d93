// For tests: a whole broker behind the dispatcher, without sockets: formatted directories on fake disks, the
// controller's home, replicas, one reactor. Its definitions are in test_broker_body.h, which one file of a binary
// includes.
#pragma once

#include <chrono>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <string>

#include "codec/bytes.h"
#include "codec/writer.h"
#include "protocol/frame.h"
#include "server/api/services.h"
#include "server/net/request.h"
#include "server/replica/replica_set.h"
#include "server/testing/fake_disk.h"

namespace dohle::api {

/// A wall clock that a test can set; timeouts run by the system's.
class TestClock final : public runtime::Clock {
 public:
  std::int64_t wall_ms() const override { return wall_ms_.load(); }
  std::int64_t monotonic_ms() const override { return runtime::system_clock().monotonic_ms(); }
  void set_wall_ms(std::int64_t ms) { wall_ms_ = ms; }

 private:
  std::atomic<std::int64_t> wall_ms_{1'700'000'000'000};
};

struct Answer {
  net::Response::Action action = net::Response::Action::send;
  /// All pieces, those from files too.
  codec::Blob bytes;
};

class TestBroker {
 public:
  static constexpr std::int32_t node_id = 1;
  /// That of an answer must be the one of its request.
  static constexpr std::int32_t correlation_id = 7;

  /// `configs` are laid over Kafka's server.properties.
  explicit TestBroker(const std::map<std::string, std::string>& configs = {});
  ~TestBroker();

  /// Starts to handle one frame of the one connection to a listener. Frames are begun in the order of the calls.
  std::future<Answer> send(codec::Blob frame, bool on_controller = false);
  /// The connection to the broker's listener ends: its waits are called off.
  void close_connection();
  const net::Session& session() const;

  Services& services();
  TestClock& clock();
  /// Of the partitions' logs; the metadata log has another.
  testing::FakeDisk& log_disk();
  log::LogDirectories& directories();
  std::shared_ptr<replica::Partition> partition(const std::string& topic, std::int32_t index);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The frame of a request, without its size.
template <typename Request>
codec::Blob frame_of(std::int16_t version, const Request& request, const std::string& client_id = "test") {
  protocol::RequestHeader header;
  header.request_api_key = Request::api_key;
  header.request_api_version = version;
  header.correlation_id = TestBroker::correlation_id;
  header.client_id = client_id;
  codec::Writer writer;
  encode_request_header(writer, header);
  encode(writer, version, request);
  return writer.release();
}

}  // namespace dohle::api
