#include "server/groups/consumer_group_member.h"

#include <gtest/gtest.h>

namespace dohle::groups {

namespace {

TEST(ConsumerGroupMember, TakesItsOwnEpochWhereOldRecordsHaveNone) {
  protocol::ConsumerGroupCurrentMemberAssignmentValue value;
  value.member_epoch = 4;
  value.state = 9;
  value.assigned_partitions.push_back({codec::Uuid::reserved(1), {0, 1}, std::nullopt, {}});
  ConsumerGroupMember member;
  member.apply(value);
  EXPECT_EQ(member.assignment_epoch(codec::Uuid::reserved(1), 1), 4);
  EXPECT_EQ(member.assignment_epoch(codec::Uuid::reserved(1), 2), std::nullopt);
  EXPECT_EQ(member.state, MemberState::unknown);
  member.reset_assignment_epochs();
  EXPECT_EQ(member.assignment_epoch(codec::Uuid::reserved(1), 1), 0);
}

}  // namespace

}  // namespace dohle::groups
