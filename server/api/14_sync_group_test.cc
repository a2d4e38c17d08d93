#include "protocol/messages/sync_group.h"
#include "server/api/group_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;

using SyncGroup = GroupFixture;

TEST_F(SyncGroup, OfNoMemberIsRefused) {
  start_coordinator();
  protocol::JoinGroupResponse member;
  member.member_id = "m";
  member.generation_id = 1;
  EXPECT_EQ(sync(sync_request("absent", member)).error_code, code(ErrorCode::unknown_member_id));
  EXPECT_EQ(sync(sync_request("", member)).error_code, code(ErrorCode::invalid_group_id));
}

TEST_F(SyncGroup, TheLeadersAssignmentIsGivenOut) {
  // behaviours.md 88, 93, 94
  start_coordinator();
  const auto member = join("g");
  auto request = sync_request("g", member);
  auto& assignment = request.assignments.emplace_back();
  assignment.member_id = member.member_id;
  assignment.assignment = {1, 2, 3};
  const auto response = sync(request);
  EXPECT_EQ(response.error_code, 0);
  EXPECT_EQ(response.protocol_type, "consumer");
  EXPECT_EQ(response.protocol_name, "range");
  EXPECT_EQ(response.assignment, (codec::Blob{1, 2, 3}));
}

TEST_F(SyncGroup, AMemberThatWasSkippedGetsNothing) {
  // behaviours.md 88
  start_coordinator();
  const auto response = sync(sync_request("g", join("g")));
  EXPECT_EQ(response.error_code, 0);
  EXPECT_TRUE(response.assignment.empty());
}

TEST_F(SyncGroup, GenerationAndProtocolMustFit) {
  // behaviours.md 94
  start_coordinator();
  const auto member = join("g");
  auto request = sync_request("g", member);
  request.generation_id += 1;
  EXPECT_EQ(sync(request).error_code, code(ErrorCode::illegal_generation));
  request = sync_request("g", member);
  request.protocol_name = "other";
  EXPECT_EQ(sync(request).error_code, code(ErrorCode::inconsistent_group_protocol));
  request.protocol_name.reset();
  EXPECT_EQ(sync(request).error_code, code(ErrorCode::inconsistent_group_protocol));
  EXPECT_EQ(sync(request, 4).error_code, 0);
}

}  // namespace
}  // namespace dohle::api
