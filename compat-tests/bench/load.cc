// A load generator that costs less than a good broker: prebuilt batches, one connection, a fixed number of requests in
// flight, no client library.
//
//   dohle_load produce PORT TOPIC BATCH_BYTES TOTAL_BYTES RECORD_BYTES PARTITIONS CODEC   acks=all, five in flight
//   dohle_load fetch   PORT TOPIC BATCH_BYTES TOTAL_BYTES RECORD_BYTES PARTITIONS CODEC   what produce wrote
//
// Partitions are written in turn, and read one after the other with 1 MiB a request. BATCH_BYTES is before compression;
// with a CODEC (none, zstd, ...) the records are lines of JSON, without one they are noise. TOTAL_BYTES counts what is
// on the wire. Both also speak to dohle_floor, which answers any frame. Prints seconds, bytes and requests as one line
// of JSON.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>

#include "compat-tests/bench/request_frame.h"
#include "compat-tests/bench/wire.h"
#include "protocol/frame.h"
#include "protocol/messages/fetch.h"
#include "protocol/messages/produce.h"
#include "protocol/record_batch_builder.h"

namespace {

using namespace dohle;

constexpr std::int16_t produce_version = 9;
constexpr std::int16_t fetch_version = 12;
constexpr int in_flight = 5;
constexpr std::int32_t fetch_bytes = 1 << 20;

struct Load {
  int port;
  std::string topic;
  std::size_t batch_bytes;
  std::uint64_t total_bytes;
  std::size_t record_bytes;
  int partitions;
  codec::Compression compression;
};

/// A line of JSON with some numbers that differ, or noise.
void fill(std::vector<std::uint8_t>& value, std::uint32_t& noise, bool is_json) {
  const auto next = [&noise] { return (noise = noise * 1664525 + 1013904223) >> 8; };
  if (!is_json) {
    for (auto& byte : value) byte = static_cast<std::uint8_t>(next() >> 16);
    return;
  }
  std::string text;
  while (text.size() < value.size()) {
    text += "{\"user\":" + std::to_string(next() % 100'000) + ",\"action\":\"" + (next() % 3 == 0 ? "view" : "click") +
            "\",\"page\":\"/products/" + std::to_string(next() % 5'000) + "\",\"ms\":" + std::to_string(next() % 900) +
            "}";
  }
  std::copy_n(text.begin(), value.size(), value.begin());
}

codec::Blob build_batch(const Load& load, std::int32_t& records) {
  protocol::RecordBatchBuilder builder({.compression = load.compression});
  std::vector<std::uint8_t> value(load.record_bytes);
  std::uint32_t noise = 12345;
  const auto now_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  do {
    fill(value, noise, load.compression != codec::Compression::none);
    builder.append(now_ms, std::nullopt, codec::Bytes(value));
  } while (builder.uncompressed_bytes() + load.record_bytes + 16 <= load.batch_bytes);
  records = builder.record_count();
  return builder.build();
}

std::vector<std::uint8_t> fetch_frame(const Load& load, int index, std::int64_t offset) {
  protocol::FetchRequest request;
  request.max_wait_ms = 1'000;
  request.min_bytes = 1;
  request.max_bytes = fetch_bytes;
  auto& topic = request.topics.emplace_back();
  topic.topic = load.topic;
  auto& partition = topic.partitions.emplace_back();
  partition.partition = index;
  partition.fetch_offset = offset;
  partition.partition_max_bytes = fetch_bytes;
  return bench::frame_of(request, fetch_version);
}

void check_produced(const std::vector<std::uint8_t>& frame) {
  codec::Reader reader(frame);
  protocol::decode_response_header(reader, protocol::api_info(protocol::ApiKey::produce), produce_version);
  protocol::ProduceResponse response;
  decode(reader, produce_version, response);
  if (!reader.ok() || response.responses.empty()) return;  // the bare loop answers with nothing to read
  const auto error = response.responses[0].partition_responses[0].error_code;
  if (error == 0) return;
  std::fprintf(stderr, "produce: error %d\n", error);
  std::exit(1);
}

void report(std::chrono::steady_clock::time_point began, std::uint64_t bytes, std::uint64_t requests) {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  std::printf("{\"seconds\": %.3f, \"bytes\": %llu, \"requests\": %llu}\n", seconds.count(),
              static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(requests));
}

void produce(const Load& load) {
  std::int32_t records = 0;
  const auto batch = build_batch(load, records);
  std::vector<std::vector<std::uint8_t>> frames;
  for (int i = 0; i < load.partitions; ++i)
    frames.push_back(bench::produce_frame(load.topic, i, batch, -1, produce_version));
  const int socket = bench::connect_to(load.port);
  const std::uint64_t requests = load.total_bytes / batch.size();
  std::vector<std::uint8_t> answer;
  const auto began = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < requests + in_flight; ++i) {
    const auto& frame = frames[i % frames.size()];
    if (i < requests) bench::send_all(socket, frame.data(), frame.size());
    if (i < in_flight) continue;
    if (!bench::read_frame(socket, answer)) bench::die("the server closed the connection");
    check_produced(answer);
  }
  report(began, requests * batch.size(), requests);
}

/// Reads so many batches of one partition and returns the number of requests.
std::uint64_t fetch_partition(const Load& load, int socket, int index, std::size_t batch_bytes, std::int32_t records,
                              std::uint64_t batches) {
  std::vector<std::uint8_t> answer;
  std::uint64_t requests = 0;
  std::int64_t offset = 0;
  while (batches > 0) {
    const auto frame = fetch_frame(load, index, offset);
    bench::send_all(socket, frame.data(), frame.size());
    if (!bench::read_frame(socket, answer)) bench::die("the server closed the connection");
    const auto read = std::min<std::uint64_t>(answer.size() / batch_bytes, batches);
    if (read == 0) bench::die("the server has no more");
    offset += static_cast<std::int64_t>(read) * records;
    batches -= read;
    ++requests;
  }
  return requests;
}

void fetch(const Load& load) {
  std::int32_t records = 0;
  const auto batch_bytes = build_batch(load, records).size();
  const int socket = bench::connect_to(load.port);
  const std::uint64_t batches = load.total_bytes / batch_bytes;
  const auto partitions = static_cast<std::uint64_t>(load.partitions);
  std::uint64_t requests = 0;
  const auto began = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < partitions; ++i) {
    const auto mine = batches / partitions + (i < batches % partitions ? 1 : 0);
    requests += fetch_partition(load, socket, static_cast<int>(i), batch_bytes, records, mine);
  }
  report(began, batches * batch_bytes, requests);
}

}  // namespace

int main(int count, char** values) {
  const auto compression = count == 9 ? codec::compression_from_name(values[8]) : std::nullopt;
  if (!compression) {
    std::fprintf(stderr, "dohle_load produce|fetch PORT TOPIC BATCH_BYTES TOTAL_BYTES RECORD_BYTES PARTITIONS CODEC\n");
    return 1;
  }
  const Load load{std::atoi(values[2]),
                  values[3],
                  std::strtoull(values[4], nullptr, 10),
                  std::strtoull(values[5], nullptr, 10),
                  std::strtoull(values[6], nullptr, 10),
                  std::atoi(values[7]),
                  *compression};
  std::string(values[1]) == "produce" ? produce(load) : fetch(load);
  return 0;
}
