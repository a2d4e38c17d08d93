#include "protocol/messages/list_offsets.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::ListOffsetsRequest;
using protocol::ListOffsetsResponse;

class ListOffsets : public BrokerFixture {
 protected:
  static ListOffsetsRequest request_for(const std::string& topic, std::int64_t timestamp_ms,
                                        std::int32_t partition = 0) {
    ListOffsetsRequest request;
    request.replica_id = -1;
    auto& asked = request.topics.emplace_back();
    asked.name = topic;
    auto& one = asked.partitions.emplace_back();
    one.partition_index = partition;
    one.timestamp = timestamp_ms;
    return request;
  }
  ListOffsetsResponse::ListOffsetsPartitionResponse ask(const ListOffsetsRequest& request, std::int16_t version = 11) {
    const auto response = call<ListOffsetsRequest, ListOffsetsResponse>(version, request);
    if (response.topics.size() == 1 && response.topics[0].partitions.size() == 1) {
      return response.topics[0].partitions[0];
    }
    ADD_FAILURE() << "not the answer for one partition";
    return {};
  }
};

TEST_F(ListOffsets, SpecialTimes) {
  // behaviours.md 77 to 81, 83
  create_topic("t");
  produce("t", {.timestamp_ms = 1000});
  produce("t", {.timestamp_ms = 5000});
  produce("t", {.timestamp_ms = 3000});
  EXPECT_EQ(ask(request_for("t", -1)).offset, 3);
  EXPECT_EQ(ask(request_for("t", -1)).timestamp, -1);
  EXPECT_EQ(ask(request_for("t", -1)).leader_epoch, 0);
  EXPECT_EQ(ask(request_for("t", -1), 3).leader_epoch, -1);
  EXPECT_EQ(ask(request_for("t", -2)).offset, 0);
  EXPECT_EQ(ask(request_for("t", -3)).offset, 1);
  EXPECT_EQ(ask(request_for("t", -3)).timestamp, 5000);
  EXPECT_EQ(ask(request_for("t", -4)).offset, 0);
  EXPECT_EQ(ask(request_for("t", -5)).offset, -1);
  EXPECT_EQ(ask(request_for("t", 2000)).offset, 1);
  const auto none = ask(request_for("t", 5001));
  EXPECT_EQ(none.error_code, 0);
  EXPECT_EQ(none.offset, -1);
  EXPECT_EQ(none.timestamp, -1);
}

TEST_F(ListOffsets, AnEmptyPartitionIsNoError) {
  // behaviours.md 79
  create_topic("t");
  for (const std::int64_t timestamp_ms : {-3, 0}) {
    const auto answer = ask(request_for("t", timestamp_ms));
    EXPECT_EQ(answer.error_code, 0);
    EXPECT_EQ(answer.offset, -1);
  }
  EXPECT_EQ(ask(request_for("t", -1)).offset, 0);
}

TEST_F(ListOffsets, EachSpecialTimeHasItsFirstVersion) {
  // behaviours.md 81
  create_topic("t");
  const std::pair<int, std::int16_t> first_versions[] = {{-1, 1}, {-2, 1}, {-3, 7}, {-4, 8}, {-5, 9}, {-6, 11}};
  for (const auto& [timestamp_ms, version] : first_versions) {
    EXPECT_EQ(ask(request_for("t", timestamp_ms), version).error_code, 0) << timestamp_ms;
    if (version == 1) continue;
    EXPECT_EQ(ask(request_for("t", timestamp_ms), static_cast<std::int16_t>(version - 1)).error_code,
              code(ErrorCode::unsupported_version))
        << timestamp_ms;
  }
  EXPECT_EQ(ask(request_for("t", -7)).error_code, code(ErrorCode::unsupported_version));
}

TEST_F(ListOffsets, CommittedReadersEndAtTheStableOffset) {
  create_topic("t");
  produce("t", {.records = 2});
  auto bytes = Batch{.producer_id = 9, .producer_epoch = 0, .sequence = 0, .transactional = true}.bytes();
  ASSERT_EQ(broker().partition("t", 0)->append({.batches = bytes}, -1).error, ErrorCode::none);
  auto request = request_for("t", -1);
  EXPECT_EQ(ask(request).offset, 3);
  request.isolation_level = 1;
  EXPECT_EQ(ask(request).offset, 2);
  // A record that is not stable yet is not there for a time either.
  request.topics[0].partitions[0].timestamp = 1'700'000'000'001;
  EXPECT_EQ(ask(request).offset, 1);
}

TEST_F(ListOffsets, AnIsolationThatNobodyKnowsFailsTheRequest) {
  create_topic("t");
  protocol::ListOffsetsRequest request;
  request.replica_id = -1;
  request.isolation_level = 2;
  auto& topic = request.topics.emplace_back();
  topic.name = "t";
  topic.partitions.emplace_back().timestamp = -1;
  const auto response = call<protocol::ListOffsetsRequest, protocol::ListOffsetsResponse>(7, request);
  EXPECT_EQ(response.topics.at(0).partitions.at(0).error_code, code(ErrorCode::unknown_server_error));
  EXPECT_EQ(response.topics[0].partitions[0].offset, -1);
}

TEST_F(ListOffsets, WhatIsAskedTwiceIsInvalid) {
  // ReplicaManager answers duplicates once, with INVALID_REQUEST.
  create_topic("t", 2);
  auto request = request_for("t", -1);
  request.topics[0].partitions.push_back(request.topics[0].partitions[0]);
  request.topics[0].partitions.push_back(request_for("t", -1, 1).topics[0].partitions[0]);
  const auto response = call<ListOffsetsRequest, ListOffsetsResponse>(11, request);
  ASSERT_EQ(response.topics.at(0).partitions.size(), 2u);
  EXPECT_EQ(response.topics[0].partitions[0].error_code, code(ErrorCode::invalid_request));
  EXPECT_EQ(response.topics[0].partitions[1].error_code, 0);
}

TEST_F(ListOffsets, UnknownPartitionsAndEpochs) {
  create_topic("t");
  EXPECT_EQ(ask(request_for("u", -1)).error_code, code(ErrorCode::unknown_topic_or_partition));
  EXPECT_EQ(ask(request_for("t", -1, 1)).error_code, code(ErrorCode::unknown_topic_or_partition));
  auto request = request_for("t", -1);
  request.topics[0].partitions[0].current_leader_epoch = 7;
  EXPECT_EQ(ask(request).error_code, code(ErrorCode::unknown_leader_epoch));
}

}  // namespace
}  // namespace dohle::api
