// Orders and more are tested in partition_assignor_test.cc, with what Kafka says.
#include "server/groups/range_assignor.h"

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

TEST(RangeAssignor, PutsStaticMembersFirst) {
  auto group = group_of({{"a", {1}}, {"b", {1}}}, 3);
  group.members[1].instance_id = "static";
  const auto result = assign_ranges(group);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ((*result)[1].front().second, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ((*result)[0].front().second, (std::vector<std::int32_t>{2}));
}

}  // namespace

}  // namespace dohle::groups
