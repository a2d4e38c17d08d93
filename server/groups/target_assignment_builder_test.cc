#include "server/groups/target_assignment_builder.h"

#include <gtest/gtest.h>

namespace dohle::groups {

namespace {

TEST(TargetAssignmentBuilder, WritesOnlyWhatChanges) {
  metadata::MetadataImage image;
  auto topics = std::make_shared<metadata::TopicsImage>();
  auto topic = std::make_shared<metadata::TopicImage>();
  topic->name = "t";
  topic->id = codec::Uuid::reserved(1);
  topic->partitions[0] = {};
  topics->put(topic);
  image.topics = topics;
  ConsumerGroup group("g");
  ConsumerGroupMember member;
  member.id = "a";
  member.topic_names.add("t");
  group.put_member(member);
  group.set_target("a", {{topic->id, {0}}});
  const auto same = build_target({.group = group, .member = member, .epoch = 2, .image = image});
  ASSERT_TRUE(same.has_value());
  EXPECT_EQ(same->records.size(), 1U);
  ConsumerGroupMember other = member;
  other.id = "b";
  const auto more = build_target({.group = group, .member = other, .epoch = 3, .image = image});
  ASSERT_TRUE(more.has_value());
  EXPECT_EQ(more->records.size(), 2U);  // an empty target of the new member, and the epoch
  EXPECT_TRUE(more->target.empty());
}

}  // namespace

}  // namespace dohle::groups
