#include "server/groups/consumer_group.h"

#include <gtest/gtest.h>

namespace dohle::groups {

namespace {

TEST(ConsumerGroup, CountsNamesAndVotes) {
  ConsumerGroup group("g");
  EXPECT_EQ(group.state_name(), "Empty");
  ConsumerGroupMember member;
  member.id = "a";
  member.topic_names.add("t");
  member.assignor_name = "range";
  group.put_member(member);
  EXPECT_TRUE(group.is_subscribed_to("t"));
  EXPECT_TRUE(group.homogeneous());
  EXPECT_EQ(group.preferred_assignor(), "range");
  member.id = "b";
  member.topic_names = {};
  group.put_member(member);
  EXPECT_FALSE(group.homogeneous());
  group.set_epoch(2, 0);
  EXPECT_EQ(group.state_name(), "Assigning");
  group.set_target_metadata(2, 0);
  EXPECT_EQ(group.state_name(), "Reconciling");
  group.remove_member("a");
  EXPECT_FALSE(group.is_subscribed_to("t"));
}

// Kafka asks two maps of different orders, so that each heartbeat of one of the two members changes the assignor.
TEST(ConsumerGroup, BreaksTiesOfVotesAsKafkaDoes) {
  ConsumerGroup group("g");
  ConsumerGroupMember range;
  range.id = "a";
  range.assignor_name = "range";
  ConsumerGroupMember uniform;
  uniform.id = "b";
  uniform.assignor_name = "uniform";
  group.put_member(range);
  group.put_member(uniform);
  EXPECT_EQ(group.preferred_assignor(), "uniform");
  EXPECT_EQ(group.preferred_assignor_with(uniform, uniform), "uniform");
  EXPECT_EQ(group.preferred_assignor_with(range, range), "range");
}

TEST(ConsumerGroup, RemembersWhoIsToHaveWhat) {
  ConsumerGroup group("g");
  const auto topic = codec::Uuid::reserved(1);
  group.set_target("a", {{topic, {0, 1}}});
  group.set_target("b", {{topic, {1}}});
  group.set_target("a", {{topic, {0}}});
  EXPECT_TRUE(group.is_in_a_target(topic, 1));
  group.remove_target("b");
  EXPECT_FALSE(group.is_in_a_target(topic, 1));
}

}  // namespace

}  // namespace dohle::groups
