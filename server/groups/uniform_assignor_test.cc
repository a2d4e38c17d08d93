// Orders and more are tested in partition_assignor_test.cc, with what Kafka says.
#include "server/groups/uniform_assignor.h"

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

TEST(UniformAssignor, SharesEqually) {
  const auto result = assign_uniformly(group_of({{"a", {1}}, {"b", {1}}}, 5));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ((*result)[0].front().second.size() + (*result)[1].front().second.size(), 5U);
  EXPECT_LE((*result)[0].front().second.size(), 3U);
}

TEST(UniformAssignor, GivesNothingWithoutTopics) {
  const auto result = assign_uniformly(group_of({{"a", {}}}, 5));
  ASSERT_TRUE(result.has_value());
  EXPECT_TRUE(result->front().empty());
}

}  // namespace

}  // namespace dohle::groups
