#include "protocol/messages/describe_producers.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

class DescribeProducers : public BrokerFixture {
 protected:
  protocol::DescribeProducersResponse::PartitionResponse describe(const std::string& topic, std::int32_t partition) {
    protocol::DescribeProducersRequest request;
    auto& asked = request.topics.emplace_back();
    asked.name = topic;
    asked.partition_indexes = {partition};
    const auto response = call<protocol::DescribeProducersRequest, protocol::DescribeProducersResponse>(0, request);
    return response.topics.at(0).partitions.at(0);
  }
};

TEST_F(DescribeProducers, WhatTheLogRemembers) {
  create_topic("t");
  EXPECT_EQ(produce("t", {.records = 2, .producer_id = 500, .producer_epoch = 1, .sequence = 0}).error_code, 0);
  const auto answer = describe("t", 0);
  EXPECT_EQ(answer.error_code, 0);
  ASSERT_EQ(answer.active_producers.size(), 1u);
  EXPECT_EQ(answer.active_producers[0].producer_id, 500);
  EXPECT_EQ(answer.active_producers[0].producer_epoch, 1);
  EXPECT_EQ(answer.active_producers[0].last_sequence, 1);
  EXPECT_EQ(answer.active_producers[0].coordinator_epoch, -1);
  EXPECT_EQ(answer.active_producers[0].current_txn_start_offset, -1);
}

TEST_F(DescribeProducers, UnknownPlaces) {
  create_topic("t");
  EXPECT_EQ(describe("t", 7).error_code, code(protocol::ErrorCode::unknown_topic_or_partition));
  EXPECT_EQ(describe("nowhere", 0).error_message, "This server does not host this topic-partition.");
  EXPECT_EQ(describe("a/b", 0).error_code, code(protocol::ErrorCode::invalid_topic_exception));
}

}  // namespace
}  // namespace dohle::api
