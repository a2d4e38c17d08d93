// How long the codec takes, and what it allocates: build/dohle_protocol_bench. docs/protocol.md has the figures.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "codec/reader.h"
#include "codec/writer.h"
#include "protocol/fuzz/allocation_count.h"
#include "protocol/messages/fetch.h"
#include "protocol/messages/metadata.h"
#include "protocol/messages/produce.h"

namespace dohle::protocol {
namespace {

using fuzz::AllocationCount;

const std::vector<std::uint8_t> payload(1 << 20, 7);

codec::Uuid id(std::size_t number) {
  return codec::Uuid::reserved(static_cast<std::uint8_t>(100 + number % 100));
}

ProduceRequest produce_request(std::size_t partitions, std::size_t records_bytes) {
  ProduceRequest request;
  request.acks = -1;
  request.timeout_ms = 30000;
  request.topic_data.resize(1);
  request.topic_data[0].topic_id = id(1);
  request.topic_data[0].partition_data.resize(partitions);
  for (std::size_t i = 0; i < partitions; ++i) {
    request.topic_data[0].partition_data[i].index = static_cast<std::int32_t>(i);
    request.topic_data[0].partition_data[i].records = Records::of(codec::Bytes(payload).first(records_bytes));
  }
  return request;
}

ProduceResponse produce_response(std::size_t partitions) {
  ProduceResponse response;
  response.responses.resize(1);
  response.responses[0].topic_id = id(1);
  response.responses[0].partition_responses.resize(partitions);
  return response;
}

FetchRequest fetch_request(std::size_t partitions) {
  FetchRequest request;
  request.topics.resize(1);
  request.topics[0].topic_id = id(1);
  request.topics[0].partitions.resize(partitions);
  return request;
}

/// The records come from files, as the server's do.
FetchResponse fetch_response(std::size_t partitions, std::size_t records_bytes) {
  FetchResponse response;
  response.responses.resize(1);
  response.responses[0].topic_id = id(1);
  response.responses[0].partitions.resize(partitions);
  for (auto& partition : response.responses[0].partitions) partition.records = Records::external(records_bytes);
  return response;
}

MetadataResponse metadata_response(std::size_t topics) {
  MetadataResponse response;
  response.brokers.resize(3);
  for (auto& broker : response.brokers) broker.host = "broker.example.org";
  response.topics.resize(topics);
  for (std::size_t i = 0; i < topics; ++i) {
    auto& topic = response.topics[i];
    topic.name = "a-topic-with-a-usual-name-" + std::to_string(i);
    topic.topic_id = id(i);
    topic.partitions.resize(3);
    for (auto& partition : topic.partitions) {
      partition.replica_nodes = {1, 2, 3};
      partition.isr_nodes = {1, 2, 3};
    }
  }
  return response;
}

MetadataRequest metadata_request(std::size_t topics) {
  MetadataRequest request;
  request.topics.emplace(topics);
  for (std::size_t i = 0; i < topics; ++i) (*request.topics)[i].name = "a-topic-with-a-usual-name-" + std::to_string(i);
  return request;
}

template <typename Message>
std::vector<std::uint8_t> bytes_of(const Message& message) {
  codec::Writer writer;
  encode(writer, Message::max_version, message);
  return writer.release();
}

void count(benchmark::State& state, const AllocationCount& allocations, std::size_t size_bytes) {
  const auto runs = static_cast<double>(state.iterations());
  state.counters["allocations"] = static_cast<double>(allocations.blocks()) / runs;
  state.counters["allocated_bytes"] = static_cast<double>(allocations.bytes()) / runs;
  state.counters["message_bytes"] = static_cast<double>(size_bytes);
}

template <typename Message>
void decode_it(benchmark::State& state, const Message& message) {
  const std::vector<std::uint8_t> bytes = bytes_of(message);
  const AllocationCount allocations;
  for (auto _ : state) {
    codec::Reader reader(bytes);
    Message decoded;
    decode(reader, Message::max_version, decoded);
    if (!reader.ok()) state.SkipWithError("does not decode");
    benchmark::DoNotOptimize(decoded);
  }
  count(state, allocations, bytes.size());
}

template <typename Message>
void encode_it(benchmark::State& state, const Message& message) {
  codec::Writer sized;
  encode(sized, Message::max_version, message);
  const AllocationCount allocations;
  for (auto _ : state) {
    codec::Writer writer;
    encode(writer, Message::max_version, message);
    if (!writer.ok()) state.SkipWithError("does not encode");
    benchmark::DoNotOptimize(writer.bytes().data());
  }
  count(state, allocations, sized.size_with_gaps());
}

template <typename Message>
void decoding(const char* name, Message message) {
  benchmark::RegisterBenchmark((std::string("decode/") + name).c_str(),
                               [message](benchmark::State& state) { decode_it(state, message); });
}

template <typename Message>
void encoding(const char* name, Message message) {
  benchmark::RegisterBenchmark((std::string("encode/") + name).c_str(),
                               [message](benchmark::State& state) { encode_it(state, message); });
}

void register_all() {
  decoding("produce_request_1_partition_64_KiB", produce_request(1, 65536));
  decoding("produce_request_100_partitions_1_KiB", produce_request(100, 1024));
  encoding("produce_response_1_partition", produce_response(1));
  encoding("produce_response_100_partitions", produce_response(100));
  decoding("fetch_request_1_partition", fetch_request(1));
  decoding("fetch_request_100_partitions", fetch_request(100));
  encoding("fetch_response_1_partition_1_MiB", fetch_response(1, 1 << 20));
  encoding("fetch_response_100_partitions_1_MiB", fetch_response(100, 1 << 20));
  decoding("metadata_request_1000_topics", metadata_request(1000));
  encoding("metadata_response_1000_topics", metadata_response(1000));
  decoding("metadata_response_1000_topics", metadata_response(1000));
}

}  // namespace
}  // namespace dohle::protocol

int main(int argc, char** argv) {
  dohle::protocol::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
