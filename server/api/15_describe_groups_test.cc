#include "protocol/messages/describe_groups.h"
#include "server/api/group_fixture.h"

namespace dohle::api {
namespace {

using protocol::DescribeGroupsRequest;
using protocol::DescribeGroupsResponse;
using protocol::ErrorCode;

class DescribeGroups : public GroupFixture {
 protected:
  DescribeGroupsResponse::DescribedGroup describe(const std::string& id, std::int16_t version) {
    DescribeGroupsRequest request;
    request.groups = {id};
    return call<DescribeGroupsRequest, DescribeGroupsResponse>(version, request).groups.at(0);
  }
};

TEST_F(DescribeGroups, AnAbsentGroupIsDead) {
  // behaviours.md 102
  start_coordinator();
  const auto old = describe("absent", 5);
  EXPECT_EQ(old.error_code, 0);
  EXPECT_EQ(old.group_id, "absent");
  EXPECT_EQ(old.group_state, "Dead");
  const auto absent = describe("absent", 6);
  EXPECT_EQ(absent.error_code, code(ErrorCode::group_id_not_found));
  EXPECT_EQ(absent.error_message, "Group absent not found.");
  EXPECT_EQ(absent.group_state, "Dead");
}

TEST_F(DescribeGroups, AGroupHasItsMembers) {
  start_coordinator();
  const auto member = join("g");
  EXPECT_EQ(describe("g", 6).group_state, "CompletingRebalance");
  ASSERT_EQ(sync(sync_request("g", member)).error_code, 0);
  const auto group = describe("g", 6);
  EXPECT_EQ(group.error_code, 0);
  EXPECT_EQ(group.group_state, "Stable");
  EXPECT_EQ(group.protocol_type, "consumer");
  EXPECT_EQ(group.protocol_data, "range");
  ASSERT_EQ(group.members.size(), 1u);
  EXPECT_EQ(group.members[0].member_id, member.member_id);
  EXPECT_EQ(group.members[0].client_id, "test");
}

}  // namespace
}  // namespace dohle::api
