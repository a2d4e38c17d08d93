#include "protocol/messages/leave_group.h"
#include "server/api/group_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::LeaveGroupRequest;
using protocol::LeaveGroupResponse;

class LeaveGroup : public GroupFixture {
 protected:
  LeaveGroupResponse ask(const LeaveGroupRequest& request, std::int16_t version) {
    return call<LeaveGroupRequest, LeaveGroupResponse>(version, request);
  }
};

TEST_F(LeaveGroup, EachMemberHasItsAnswer) {
  // behaviours.md 97
  start_coordinator();
  const auto member = join("g");
  LeaveGroupRequest request;
  request.group_id = "g";
  request.members.emplace_back().member_id = "m";
  request.members.emplace_back().member_id = member.member_id;
  const auto response = ask(request, 5);
  EXPECT_EQ(response.error_code, 0);
  ASSERT_EQ(response.members.size(), 2u);
  EXPECT_EQ(response.members[0].member_id, "m");
  EXPECT_EQ(response.members[0].error_code, code(ErrorCode::unknown_member_id));
  EXPECT_EQ(response.members[1].member_id, member.member_id);
  EXPECT_EQ(response.members[1].error_code, 0);
  EXPECT_EQ(ask(request, 5).members.at(1).error_code, code(ErrorCode::unknown_member_id));
}

TEST_F(LeaveGroup, OldVersionsNameOneMember) {
  start_coordinator();
  const auto member = join("g");
  LeaveGroupRequest request;
  request.group_id = "g";
  request.member_id = "m";
  EXPECT_EQ(ask(request, 2).error_code, code(ErrorCode::unknown_member_id));
  request.member_id = member.member_id;
  EXPECT_EQ(ask(request, 2).error_code, 0);
  request.group_id = "";
  EXPECT_EQ(ask(request, 2).error_code, code(ErrorCode::invalid_group_id));
}

}  // namespace
}  // namespace dohle::api
