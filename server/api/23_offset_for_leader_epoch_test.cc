#include "protocol/messages/offset_for_leader_epoch.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::OffsetForLeaderEpochRequest;
using protocol::OffsetForLeaderEpochResponse;

class OffsetForLeaderEpoch : public BrokerFixture {
 protected:
  OffsetForLeaderEpochResponse::EpochEndOffset ask(const std::string& topic, std::int32_t epoch,
                                                   std::int32_t current_epoch = -1) {
    OffsetForLeaderEpochRequest request;
    request.replica_id = -1;
    auto& asked = request.topics.emplace_back();
    asked.topic = topic;
    auto& one = asked.partitions.emplace_back();
    one.leader_epoch = epoch;
    one.current_leader_epoch = current_epoch;
    const auto response = call<OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse>(4, request);
    return response.topics.at(0).partitions.at(0);
  }
};

TEST_F(OffsetForLeaderEpoch, EpochsEndWhereTheNextBegins) {
  // behaviours.md 84
  create_topic("t");
  produce("t", {.records = 3});
  EXPECT_EQ(ask("t", 0).leader_epoch, 0);
  EXPECT_EQ(ask("t", 0).end_offset, 3);
  ASSERT_TRUE(broker().partition("t", 0)->apply(
      {.leader = 1, .leader_epoch = 4, .partition_epoch = 4, .replicas = {1}, .isr = {1}}));
  produce("t", {.records = 2});
  EXPECT_EQ(ask("t", 4).end_offset, 5);
  EXPECT_EQ(ask("t", 2).leader_epoch, 0);
  EXPECT_EQ(ask("t", 2).end_offset, 3);
  const auto newer = ask("t", 5);
  EXPECT_EQ(newer.error_code, 0);
  EXPECT_EQ(newer.leader_epoch, -1);
  EXPECT_EQ(newer.end_offset, -1);
}

TEST_F(OffsetForLeaderEpoch, UnknownTopicsAndWrongEpochs) {
  create_topic("t");
  EXPECT_EQ(ask("u", 0).error_code, code(ErrorCode::unknown_topic_or_partition));
  EXPECT_EQ(ask("t", 0, 1).error_code, code(ErrorCode::unknown_leader_epoch));
  ASSERT_TRUE(broker().partition("t", 0)->apply(
      {.leader = 1, .leader_epoch = 4, .partition_epoch = 4, .replicas = {1}, .isr = {1}}));
  EXPECT_EQ(ask("t", 0, 3).error_code, code(ErrorCode::fenced_leader_epoch));
  EXPECT_EQ(ask("t", 0, 3).end_offset, -1);
}

}  // namespace
}  // namespace dohle::api
