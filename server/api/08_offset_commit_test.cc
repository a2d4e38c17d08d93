#include "protocol/messages/offset_commit.h"
#include "server/api/group_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;

using OffsetCommit = GroupFixture;

TEST_F(OffsetCommit, ASimpleConsumerNeedsNoGroup) {
  // behaviours.md 117, 119
  create_topic("t");
  start_coordinator();
  EXPECT_EQ(commit(commit_request("g", "t", 5)), 0);
  auto of_a_member = commit_request("absent", "t", 5);
  of_a_member.generation_id_or_member_epoch = 1;
  of_a_member.member_id = "m";
  EXPECT_EQ(commit(of_a_member, 8), code(ErrorCode::illegal_generation));
  EXPECT_EQ(commit(of_a_member, 9), code(ErrorCode::group_id_not_found));
}

TEST_F(OffsetCommit, MetadataHasALimit) {
  // behaviours.md 123
  create_topic("t");
  start_coordinator();
  auto request = commit_request("g", "t", 5);
  request.topics[0].partitions[0].committed_metadata = std::string(4096, 'x');
  EXPECT_EQ(commit(request), 0);
  request.topics[0].partitions[0].committed_metadata = std::string(4097, 'x');
  EXPECT_EQ(commit(request), code(ErrorCode::offset_metadata_too_large));
}

TEST_F(OffsetCommit, UnknownTopicsAreRefusedByNameAndById) {
  // behaviours.md 124
  const auto id = create_topic("t");
  start_coordinator();
  EXPECT_EQ(commit(commit_request("g", "u", 5)), code(ErrorCode::unknown_topic_or_partition));
  auto by_id = commit_request("g", "", 5);
  by_id.topics[0].topic_id = id;
  EXPECT_EQ(commit(by_id, 10), 0);
  by_id.topics[0].topic_id = codec::Uuid::random();
  EXPECT_EQ(commit(by_id, 10), code(ErrorCode::unknown_topic_id));
}

TEST_F(OffsetCommit, AGroupWithMembersTakesOnlyTheirs) {
  // behaviours.md 118, 120
  create_topic("t");
  start_coordinator();
  const auto member = join("g");
  EXPECT_EQ(commit(commit_request("g", "t", 5)), code(ErrorCode::unknown_member_id));
  auto request = commit_request("g", "t", 5);
  request.member_id = member.member_id;
  request.generation_id_or_member_epoch = member.generation_id;
  EXPECT_EQ(commit(request), code(ErrorCode::rebalance_in_progress));
  EXPECT_EQ(sync(sync_request("g", member)).error_code, 0);
  EXPECT_EQ(commit(request), 0);
}

}  // namespace
}  // namespace dohle::api
