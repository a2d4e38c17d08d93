#include "server/groups/consumer_group_records.h"

#include <gtest/gtest.h>

namespace dohle::groups {

namespace {

TEST(ConsumerGroupRecords, HaveKafkasTypesAndVersions) {
  const auto record = group_epoch_record("g", 7, 1);
  EXPECT_EQ(record.key, (codec::Blob{0, 3, 0, 1, 'g'}));
  EXPECT_EQ(coordinator::record_type(partition_metadata_tombstone("g").key), 4);
  EXPECT_EQ(coordinator::record_type(member_subscription_tombstone("g", "m").key), 5);
  EXPECT_EQ(coordinator::record_type(target_assignment_metadata_record("g", 1, 2).key), 6);
  EXPECT_EQ(coordinator::record_type(target_assignment_record("g", "m", {}).key), 7);
  EXPECT_EQ(coordinator::record_type(current_assignment_record("g", {}).key), 8);
  EXPECT_EQ(coordinator::record_type(regex_record("g", "x", {}).key), 16);
  EXPECT_EQ(record.value->at(1), 0);
  EXPECT_FALSE(regex_tombstone("g", "x").value.has_value());
}

TEST(ConsumerGroupRecords, SortTopicNames) {
  ConsumerGroupMember member;
  member.id = "m";
  for (const auto* name : {"b", "c", "a"}) member.topic_names.add(name);
  protocol::ConsumerGroupMemberMetadataValue value;
  ASSERT_TRUE(coordinator::decode_value(*member_subscription_record("g", member).value, value));
  EXPECT_EQ(value.subscribed_topic_names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(value.subscribed_topic_regex, "");
  EXPECT_EQ(value.classic_member_metadata, std::nullopt);
}

}  // namespace

}  // namespace dohle::groups
