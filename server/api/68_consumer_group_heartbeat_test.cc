#include "protocol/messages/consumer_group_heartbeat.h"
#include "server/api/group_fixture.h"

namespace dohle::api {
namespace {

using protocol::ConsumerGroupHeartbeatRequest;
using protocol::ConsumerGroupHeartbeatResponse;
using protocol::ErrorCode;

class ConsumerGroupHeartbeat : public GroupFixture {
 protected:
  ConsumerGroupHeartbeatResponse ask(const ConsumerGroupHeartbeatRequest& request, std::int16_t version = 1) {
    return call<ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse>(version, request);
  }
  static ConsumerGroupHeartbeatRequest first() {
    ConsumerGroupHeartbeatRequest request;
    request.group_id = "g";
    request.member_id = "m";
    request.rebalance_timeout_ms = 60'000;
    request.subscribed_topic_names = std::vector<std::string>{"t"};
    request.topic_partitions.emplace();
    return request;
  }
};

TEST_F(ConsumerGroupHeartbeat, AFullJoinIsAnsweredWithAnAssignment) {
  // behaviours.md 107, 109
  const auto id = create_topic("t", 2);
  start_coordinator();
  const auto response = ask(first());
  EXPECT_EQ(response.error_code, 0);
  EXPECT_EQ(response.member_id, "m");
  EXPECT_GT(response.member_epoch, 0);
  EXPECT_EQ(response.heartbeat_interval_ms, 5000);
  ASSERT_TRUE(response.assignment);
  ASSERT_EQ(response.assignment->topic_partitions.size(), 1u);
  EXPECT_EQ(response.assignment->topic_partitions[0].topic_id, id);
  EXPECT_EQ(response.assignment->topic_partitions[0].partitions.size(), 2u);
}

TEST_F(ConsumerGroupHeartbeat, BadRequestsAreRefused) {
  // behaviours.md 107
  start_coordinator();
  auto request = first();
  request.member_id = "";
  const auto refused = ask(request);
  EXPECT_EQ(refused.error_code, code(ErrorCode::invalid_request));
  EXPECT_EQ(refused.error_message, "MemberId can't be empty.");
  request = first();
  request.rebalance_timeout_ms = -1;
  EXPECT_EQ(ask(request).error_code, code(ErrorCode::invalid_request));
  request = first();
  request.topic_partitions.reset();
  EXPECT_EQ(ask(request).error_code, code(ErrorCode::invalid_request));
  request = first();
  request.subscribed_topic_names.reset();
  EXPECT_EQ(ask(request).error_code, code(ErrorCode::invalid_request));
}

TEST_F(ConsumerGroupHeartbeat, AnAbsentGroupHasNoEpochs) {
  // behaviours.md 113
  start_coordinator();
  auto request = first();
  request.member_epoch = 1;
  EXPECT_EQ(ask(request).error_code, code(ErrorCode::group_id_not_found));
  request.member_epoch = -1;
  EXPECT_EQ(ask(request).error_code, code(ErrorCode::group_id_not_found));
}

}  // namespace
}  // namespace dohle::api
