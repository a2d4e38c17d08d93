#include "protocol/messages/consumer_group_describe.h"
#include "protocol/messages/consumer_group_heartbeat.h"
#include "server/api/group_fixture.h"

namespace dohle::api {
namespace {

using protocol::ConsumerGroupDescribeRequest;
using protocol::ConsumerGroupDescribeResponse;
using protocol::ConsumerGroupHeartbeatRequest;
using protocol::ConsumerGroupHeartbeatResponse;
using protocol::ErrorCode;

class ConsumerGroupDescribe : public GroupFixture {
 protected:
  ConsumerGroupDescribeResponse::DescribedGroup describe(const std::string& id) {
    ConsumerGroupDescribeRequest request;
    request.group_ids = {id};
    return call<ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse>(1, request).groups.at(0);
  }
};

TEST_F(ConsumerGroupDescribe, AbsentAndClassicGroupsAreNotFound) {
  start_coordinator();
  const auto absent = describe("absent");
  EXPECT_EQ(absent.group_id, "absent");
  EXPECT_EQ(absent.error_code, code(ErrorCode::group_id_not_found));
  EXPECT_EQ(absent.error_message, "Group absent not found.");
  join("g");
  const auto classic = describe("g");
  EXPECT_EQ(classic.error_code, code(ErrorCode::group_id_not_found));
  EXPECT_EQ(classic.error_message, "Group g is not a consumer group.");
}

TEST_F(ConsumerGroupDescribe, AGroupHasItsMembers) {
  create_topic("t");
  start_coordinator();
  ConsumerGroupHeartbeatRequest beat;
  beat.group_id = "g";
  beat.member_id = "m";
  beat.rebalance_timeout_ms = 60'000;
  beat.subscribed_topic_names = std::vector<std::string>{"t"};
  beat.topic_partitions.emplace();
  const auto joined = call<ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse>(1, beat);
  ASSERT_EQ(joined.error_code, 0);
  const auto group = describe("g");
  EXPECT_EQ(group.error_code, 0);
  EXPECT_EQ(group.group_state, "Stable");
  EXPECT_EQ(group.assignor_name, "uniform");
  ASSERT_EQ(group.members.size(), 1u);
  EXPECT_EQ(group.members[0].member_id, "m");
  EXPECT_EQ(group.members[0].member_epoch, joined.member_epoch);
  EXPECT_EQ(group.members[0].subscribed_topic_names, std::vector<std::string>{"t"});
  EXPECT_EQ(group.members[0].assignment.topic_partitions.at(0).topic_name, "t");
}

}  // namespace
}  // namespace dohle::api
