// Orders and more are tested in partition_assignor_test.cc, with what Kafka says.
#include "server/groups/uniform_heterogeneous_assignment.h"

#include <gtest/gtest.h>

namespace dohle::groups {

namespace {

AssignableGroup group_of(std::vector<std::pair<std::string, std::vector<std::uint8_t>>> members,
                         std::int32_t partitions) {
  AssignableGroup group;
  for (auto& [id, topics] : members) {
    auto& member = group.members.emplace_back();
    member.id = id;
    for (const auto topic : topics) member.subscribed_topics.push_back(codec::Uuid::reserved(topic));
    member.subscribed_name_count = topics.size();
  }
  group.is_assigned = [](const codec::Uuid&, std::int32_t) { return false; };
  group.partition_count = [partitions](const codec::Uuid&) { return partitions; };
  return group;
}

TEST(UniformHeterogeneousAssignment, TakesFromTheOneThatHasMost) {
  auto group = group_of({{"a", {1, 2}}, {"b", {1}}}, 4);
  group.homogeneous = false;
  group.members[0].assignment = {{codec::Uuid::reserved(1), {0, 1, 2, 3}}};
  const auto result = assign_uniformly_across_subscriptions(group);
  ASSERT_TRUE(result.has_value());
  // Only "a" may have the second topic; so "b" gets the first.
  ASSERT_EQ((*result)[1].size(), 1U);
  EXPECT_EQ((*result)[1].front().second.size(), 4U);
}

TEST(UniformHeterogeneousAssignment, TakesWhatIsNotSubscribedToAnyMore) {
  auto group = group_of({{"a", {2}}, {"b", {1}}}, 1);
  group.homogeneous = false;
  group.members[0].assignment = {{codec::Uuid::reserved(1), {0}}};
  const auto result = assign_uniformly_across_subscriptions(group);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ((*result)[1].front().first, codec::Uuid::reserved(1));
  EXPECT_EQ((*result)[0].front().first, codec::Uuid::reserved(2));
}

}  // namespace

}  // namespace dohle::groups
