#include "protocol/messages/heartbeat.h"
#include "server/api/group_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::HeartbeatRequest;
using protocol::HeartbeatResponse;

class Heartbeat : public GroupFixture {
 protected:
  std::int16_t beat(const std::string& group, const std::string& member, std::int32_t generation) {
    HeartbeatRequest request;
    request.group_id = group;
    request.member_id = member;
    request.generation_id = generation;
    return call<HeartbeatRequest, HeartbeatResponse>(4, request).error_code;
  }
};

TEST_F(Heartbeat, OfNoMemberIsRefused) {
  // behaviours.md 89, 98
  start_coordinator();
  EXPECT_EQ(beat("absent", "m", 1), code(ErrorCode::unknown_member_id));
  EXPECT_EQ(beat("", "m", 1), code(ErrorCode::invalid_group_id));
}

TEST_F(Heartbeat, OfAMemberHasItsGeneration) {
  // behaviours.md 89
  start_coordinator();
  const auto member = join("g");
  EXPECT_EQ(beat("g", member.member_id, 1), 0);
  ASSERT_EQ(sync(sync_request("g", member)).error_code, 0);
  EXPECT_EQ(beat("g", member.member_id, 1), 0);
  EXPECT_EQ(beat("g", member.member_id, 2), code(ErrorCode::illegal_generation));
  EXPECT_EQ(beat("g", "m", 1), code(ErrorCode::unknown_member_id));
}

}  // namespace
}  // namespace dohle::api
