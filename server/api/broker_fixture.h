// For the tests of handlers: a broker, calls that wait for their answer, and the few requests that every test needs.
#pragma once

#include <gtest/gtest.h>

#include <deque>

#include "codec/reader.h"
#include "protocol/error_code.h"
#include "protocol/messages/create_topics.h"
#include "protocol/messages/fetch.h"
#include "protocol/messages/produce.h"
#include "protocol/record_batch_builder.h"
#include "server/api/test_broker.h"

namespace dohle::api {

/// Code of an error as answers have it.
constexpr std::int16_t code(protocol::ErrorCode error) {
  return static_cast<std::int16_t>(error);
}

/// A batch as a producer sends it.
struct Batch {
  int records = 1;
  std::int64_t timestamp_ms = 1'700'000'000'000;
  std::optional<std::string> key = std::nullopt;
  std::string value = "value";
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  std::int32_t sequence = -1;
  bool transactional = false;
  bool control = false;
  codec::Compression compression = codec::Compression::none;

  codec::Blob bytes() const {
    protocol::RecordBatchOptions options;
    options.compression = compression;
    options.producer_id = producer_id;
    options.producer_epoch = producer_epoch;
    options.base_sequence = sequence;
    options.is_transactional = transactional;
    options.is_control = control;
    protocol::RecordBatchBuilder builder(options);
    for (int i = 0; i < records; ++i) {
      if (control) {
        const codec::Blob end_marker(6);  // version 0, coordinator epoch 0
        builder.append_control(timestamp_ms, protocol::ControlRecordType::commit, end_marker);
        continue;
      }
      std::optional<codec::Bytes> key_bytes;
      if (key) key_bytes = codec::as_bytes(*key);
      builder.append(timestamp_ms + i, key_bytes, codec::as_bytes(value));
    }
    EXPECT_TRUE(builder.ok());
    return builder.build();
  }
};

class BrokerFixture : public ::testing::Test {
 protected:
  /// Made at the first use, so that a test can set `configs` before.
  TestBroker& broker() {
    if (!broker_) broker_ = std::make_unique<TestBroker>(configs);
    return *broker_;
  }

  Answer wait_for(std::future<Answer>& future) {
    if (future.wait_for(std::chrono::seconds(20)) != std::future_status::ready) {
      ADD_FAILURE() << "no answer";
      return {};
    }
    return future.get();
  }
  Answer answer_to(codec::Blob frame, bool on_controller = false) {
    auto future = broker().send(std::move(frame), on_controller);
    return wait_for(future);
  }

  /// What an answer says. Views in the response live as long as the fixture.
  template <typename Request, typename Response>
  Response read(std::int16_t version, Answer answer) {
    EXPECT_EQ(answer.action, net::Response::Action::send);
    const auto& bytes = answers_.emplace_back(std::move(answer.bytes));
    codec::Reader reader(bytes);
    EXPECT_EQ(protocol::decode_response_header(reader, *protocol::find_api(Request::api_key), version),
              TestBroker::correlation_id);
    Response response;
    decode(reader, version, response);
    EXPECT_TRUE(reader.ok());
    EXPECT_EQ(reader.remaining(), 0u);
    return response;
  }
  template <typename Request, typename Response>
  Response call(std::int16_t version, const Request& request, bool on_controller = false) {
    return read<Request, Response>(version, answer_to(frame_of(version, request), on_controller));
  }

  /// The new topic's id.
  codec::Uuid create_topic(const std::string& name, std::int32_t partitions = 1,
                           const std::map<std::string, std::string>& topic_configs = {}) {
    protocol::CreateTopicsRequest request;
    auto& topic = request.topics.emplace_back();
    topic.name = name;
    topic.num_partitions = partitions;
    topic.replication_factor = 1;
    for (const auto& [key, value] : topic_configs) {
      auto& config = topic.configs.emplace_back();
      config.name = key;
      config.value = value;
    }
    const auto response = call<protocol::CreateTopicsRequest, protocol::CreateTopicsResponse>(7, request);
    if (response.topics.size() != 1 || response.topics[0].error_code != 0) {
      ADD_FAILURE() << "topic " << name << " could not be created";
      return {};
    }
    return response.topics[0].topic_id;
  }

  using PartitionProduced = protocol::ProduceResponse::PartitionProduceResponse;
  /// Views of `records` must live until it was sent.
  static protocol::ProduceRequest produce_request(const std::string& topic, codec::Bytes records,
                                                  std::int32_t partition = 0) {
    protocol::ProduceRequest request;
    request.acks = -1;
    request.timeout_ms = 1000;
    auto& data = request.topic_data.emplace_back();
    data.name = topic;
    auto& one = data.partition_data.emplace_back();
    one.index = partition;
    one.records = protocol::Records::of(records);
    return request;
  }
  PartitionProduced produce(const protocol::ProduceRequest& request, std::int16_t version = 9) {
    const auto response = call<protocol::ProduceRequest, protocol::ProduceResponse>(version, request);
    if (response.responses.size() != 1 || response.responses[0].partition_responses.size() != 1) {
      ADD_FAILURE() << "not the answer for one partition";
      return {};
    }
    return response.responses[0].partition_responses[0];
  }
  PartitionProduced produce(const std::string& topic, const Batch& batch, std::int32_t partition = 0) {
    const auto records = batch.bytes();
    return produce(produce_request(topic, records, partition));
  }

  using PartitionFetched = protocol::FetchResponse::PartitionData;
  static protocol::FetchRequest fetch_request(const std::string& topic, std::int64_t offset,
                                              std::int32_t partition = 0) {
    protocol::FetchRequest request;
    request.replica_id = -1;
    request.max_wait_ms = 0;
    request.min_bytes = 1;
    request.max_bytes = 1 << 20;
    request.session_id = 0;
    request.session_epoch = -1;
    auto& asked = request.topics.emplace_back();
    asked.topic = topic;
    auto& one = asked.partitions.emplace_back();
    one.partition = partition;
    one.fetch_offset = offset;
    one.partition_max_bytes = 1 << 20;
    return request;
  }
  protocol::FetchResponse fetch_all(const protocol::FetchRequest& request, std::int16_t version = 12) {
    return call<protocol::FetchRequest, protocol::FetchResponse>(version, request);
  }
  PartitionFetched fetch(const protocol::FetchRequest& request, std::int16_t version = 12) {
    const auto response = fetch_all(request, version);
    if (response.responses.size() != 1 || response.responses[0].partitions.size() != 1) {
      ADD_FAILURE() << "not the answer for one partition";
      return {};
    }
    return response.responses[0].partitions[0];
  }

  /// Laid over Kafka's server.properties.
  std::map<std::string, std::string> configs;

 private:
  std::unique_ptr<TestBroker> broker_;
  std::deque<codec::Blob> answers_;
};

}  // namespace dohle::api
