#include "protocol/messages/delete_records.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::DeleteRecordsRequest;
using protocol::DeleteRecordsResponse;
using protocol::ErrorCode;

class DeleteRecords : public BrokerFixture {
 protected:
  DeleteRecordsResponse::DeleteRecordsPartitionResult ask(const std::string& topic, std::int64_t offset,
                                                          std::int32_t partition = 0) {
    DeleteRecordsRequest request;
    auto& asked = request.topics.emplace_back();
    asked.name = topic;
    auto& one = asked.partitions.emplace_back();
    one.partition_index = partition;
    one.offset = offset;
    const auto response = call<DeleteRecordsRequest, DeleteRecordsResponse>(2, request);
    EXPECT_EQ(response.topics.at(0).name, topic);
    return response.topics[0].partitions.at(0);
  }
};

TEST_F(DeleteRecords, TheAnswerIsTheNewStart) {
  // behaviours.md 161, 185
  create_topic("t");
  produce("t", {.records = 4});
  EXPECT_EQ(ask("t", 2).low_watermark, 2);
  EXPECT_EQ(ask("t", 1).low_watermark, 2);
  EXPECT_EQ(ask("t", -1).low_watermark, 4);
  const auto beyond = ask("t", 5);
  EXPECT_EQ(beyond.error_code, code(ErrorCode::offset_out_of_range));
  EXPECT_EQ(beyond.low_watermark, -1);
  EXPECT_EQ(fetch(fetch_request("t", 3)).error_code, code(ErrorCode::offset_out_of_range));
}

TEST_F(DeleteRecords, WhatCannotBeDeleted) {
  create_topic("t");
  create_topic("compacted", 1, {{"cleanup.policy", "compact"}});
  create_topic("__consumer_offsets");
  EXPECT_EQ(ask("u", 0).error_code, code(ErrorCode::unknown_topic_or_partition));
  EXPECT_EQ(ask("t", 0, 9).error_code, code(ErrorCode::unknown_topic_or_partition));
  EXPECT_EQ(ask("compacted", 0).error_code, code(ErrorCode::policy_violation));
  EXPECT_EQ(ask("__consumer_offsets", 0).error_code, code(ErrorCode::invalid_topic_exception));
}

}  // namespace
}  // namespace dohle::api
