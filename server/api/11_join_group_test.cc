#include "protocol/messages/join_group.h"
#include "server/api/group_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;

using JoinGroup = GroupFixture;

TEST_F(JoinGroup, AMemberFirstGetsItsId) {
  // behaviours.md 85, 87, 94
  start_coordinator();
  auto request = join_request("g");
  const auto refused = ask_to_join(request, 4);
  EXPECT_EQ(refused.error_code, code(ErrorCode::member_id_required));
  EXPECT_EQ(refused.generation_id, -1);
  EXPECT_TRUE(refused.member_id.starts_with("test-"));
  request.member_id = refused.member_id;
  const auto joined = ask_to_join(request);
  EXPECT_EQ(joined.error_code, 0);
  EXPECT_EQ(joined.generation_id, 1);
  EXPECT_EQ(joined.protocol_type, "consumer");
  EXPECT_EQ(joined.protocol_name, "range");
  EXPECT_EQ(joined.member_id, refused.member_id);
  EXPECT_EQ(joined.leader, refused.member_id);
  ASSERT_EQ(joined.members.size(), 1u);
  EXPECT_EQ(joined.members[0].metadata, request.protocols[0].metadata);
}

TEST_F(JoinGroup, OldVersionsJoinAtOnce) {
  // behaviours.md 85
  start_coordinator();
  const auto joined = ask_to_join(join_request("g"), 3);
  EXPECT_EQ(joined.error_code, 0);
  EXPECT_EQ(joined.generation_id, 1);
}

TEST_F(JoinGroup, ImpossibleRequestsAreRefused) {
  // behaviours.md 98
  start_coordinator();
  EXPECT_EQ(ask_to_join(join_request("")).error_code, code(ErrorCode::invalid_group_id));
  for (const auto timeout_ms : {5'999, 1'800'001}) {
    auto request = join_request("g");
    request.session_timeout_ms = timeout_ms;
    EXPECT_EQ(ask_to_join(request).error_code, code(ErrorCode::invalid_session_timeout));
  }
  auto unknown = join_request("g");
  unknown.member_id = "m";
  EXPECT_EQ(ask_to_join(unknown).error_code, code(ErrorCode::unknown_member_id));
}

TEST_F(JoinGroup, MembersNeedACommonProtocol) {
  // behaviours.md 92
  start_coordinator();
  join("g");
  auto request = join_request("g");
  request.protocols[0].name = "other";
  EXPECT_EQ(ask_to_join(request).error_code, code(ErrorCode::inconsistent_group_protocol));
}

}  // namespace
}  // namespace dohle::api
