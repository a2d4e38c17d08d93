#include "server/groups/group_conversion.h"

#include <gtest/gtest.h>

#include "server/groups/embedded_consumer_protocol.h"
#include "server/groups/migration_harness.h"

namespace dohle::groups {

namespace {

using protocol::ErrorCode;

class GroupConversion : public testing::Test {
 protected:
  GroupConversion() {
    auto topic = std::make_shared<metadata::TopicImage>();
    topic->name = "t";
    topic->id = codec::Uuid::reserved(1);
    auto topics = std::make_shared<metadata::TopicsImage>(*image.topics);
    topics->put(std::move(topic));
    image.topics = std::move(topics);
  }
  ClassicGroup classic(std::optional<std::string> protocol = "range") const {
    ClassicGroup::Stored stored;
    stored.state = ClassicGroupState::stable;
    stored.generation = 5;
    stored.protocol_type = "consumer";
    stored.protocol_name = std::move(protocol);
    return {"g", std::move(stored)};
  }
  ClassicGroupMember member(const std::string& id, const std::vector<std::int32_t>& partitions) const {
    ClassicGroupMember member;
    member.id = id;
    member.protocol_type = "consumer";
    member.session_timeout_ms = 7;
    member.rebalance_timeout_ms = 8;
    member.protocols = {{"range", subscription_bytes({"t"})}};
    member.assignment = embedded_assignment({{codec::Uuid::reserved(1), partitions}}, image, 3);
    return member;
  }
  metadata::MetadataImage image;
};

TEST_F(GroupConversion, ThereAndBackIsTheSame114) {
  auto group = classic();
  group.add(member("a", {0, 1}));
  group.add(member("b", {2}));
  const auto consumer = consumer_group_of(group, image);
  ASSERT_TRUE(consumer);
  EXPECT_EQ((*consumer)->epoch(), 5);
  EXPECT_EQ((*consumer)->assignment_epoch(), 5);
  EXPECT_EQ((*consumer)->state_name(), "Stable");
  EXPECT_EQ((*consumer)->partition_epoch(codec::Uuid::reserved(1), 2), 5);
  EXPECT_EQ((*consumer)->classic_member_count(), 2U);
  const auto back = classic_group_of({.group = **consumer, .leaving = {}}, image, 99);
  ASSERT_TRUE(back);
  EXPECT_EQ((*back)->generation(), 5);
  EXPECT_EQ((*back)->protocol_name(), "range");
  EXPECT_EQ((*back)->find("a")->assignment, member("a", {0, 1}).assignment);
  EXPECT_EQ((*back)->find("b")->session_timeout_ms, 7);
}

TEST_F(GroupConversion, FailsWhereKafkaDoes114) {
  const auto error_of = [this](const ClassicGroup& group) {
    const auto result = consumer_group_of(group, image);
    return result ? ErrorCode::none : result.error().error;
  };
  auto without_protocol = classic(std::nullopt);
  without_protocol.add(member("a", {}));
  EXPECT_EQ(error_of(without_protocol), ErrorCode::unknown_server_error);
  auto twice = classic();
  twice.add(member("a", {0}));
  twice.add(member("b", {0}));
  EXPECT_EQ(error_of(twice), ErrorCode::unknown_server_error);
  auto unreadable = classic();
  auto broken = member("a", {});
  broken.assignment = {0};
  unreadable.add(std::move(broken));
  EXPECT_EQ(error_of(unreadable), ErrorCode::group_id_not_found);
}

}  // namespace

}  // namespace dohle::groups
