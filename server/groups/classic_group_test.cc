#include "server/groups/classic_group.h"

#include <gtest/gtest.h>

#include "codec/writer.h"

namespace dohle::groups {
namespace {

using protocol::ErrorCode;

ClassicGroupMember member(const std::string& id, MemberProtocols protocols, const std::string& type = "consumer") {
  ClassicGroupMember member;
  member.id = id;
  member.protocol_type = type;
  member.protocols = std::move(protocols);
  return member;
}

/// Version 0 of a consumer's subscription: the version, topics, user data null.
codec::Blob subscription(const std::string& topic) {
  codec::Writer writer;
  writer.i16(0);
  writer.i32(1);
  writer.i16(static_cast<std::int16_t>(topic.size()));
  writer.raw(topic);
  writer.i32(-1);
  return writer.release();
}

void complete(ClassicGroup& group) {
  group.transition_to(ClassicGroupState::preparing_rebalance, 1);
  group.begin_next_generation(2);
  group.transition_to(ClassicGroupState::stable, 3);
}

TEST(ClassicGroup, OneVoteEachAndTiesAsHashMapBreaksThem_92) {
  ClassicGroup group("g", 0);
  group.add(member("a", {{"roundrobin", {}}, {"range", {}}, {"sticky", {}}}));
  group.add(member("b", {{"range", {}}, {"roundrobin", {}}}));
  // In a HashMap "range" comes before "roundrobin"; "sticky" is not common to all.
  EXPECT_EQ(group.select_protocol(), "range");
  group.add(member("c", {{"roundrobin", {}}, {"range", {}}}));
  EXPECT_EQ(group.select_protocol(), "roundrobin");
  complete(group);  // an empty group takes anybody
  EXPECT_FALSE(group.supports("consumer", {{"sticky", {}}}));
  EXPECT_FALSE(group.supports("connect", {{"range", {}}}));
  EXPECT_TRUE(group.supports("consumer", {{"sticky", {}}, {"range", {}}}));
}

TEST(ClassicGroup, KnowsWhatItsConsumersSubscribe_127) {
  ClassicGroup group("g", 0);
  group.add(member("a", {{"range", subscription("one")}}));
  group.add(member("b", {{"range", subscription("two")}}));
  complete(group);
  EXPECT_TRUE(group.is_subscribed_to("one"));
  EXPECT_TRUE(group.is_subscribed_to("two"));
  EXPECT_FALSE(group.is_subscribed_to("three"));
  EXPECT_EQ(group.validate_offset_delete(), ErrorCode::none);
}

TEST(ClassicGroup, AConsumerThatIsNotUnderstoodMayBeSubscribedToAnything_93) {
  ClassicGroup group("g", 0);
  group.add(member("a", {{"range", {0}}}));
  complete(group);
  EXPECT_EQ(group.subscribed_topics(), std::nullopt);
  EXPECT_TRUE(group.is_subscribed_to("one"));
  EXPECT_EQ(group.offset_expiration(), std::nullopt);
}

TEST(ClassicGroup, OtherTypesOfClientsAreNotParsed_93) {
  ClassicGroup group("g", 0);
  group.add(member("a", {{"v0", {1, 2, 3}}}, "connect"));
  complete(group);
  EXPECT_FALSE(group.is_subscribed_to("one"));
  EXPECT_EQ(group.validate_offset_delete(), ErrorCode::non_empty_group);
}

TEST(ClassicGroup, TheNextLeaderIsAMember) {
  ClassicGroup group("g", 0);
  group.add(member("a", {{"range", {}}}));
  group.add(member("b", {{"range", {}}}));
  EXPECT_EQ(group.leader(), "a");
  group.remove("a");
  EXPECT_EQ(group.leader(), "b");
  group.remove("b");
  EXPECT_EQ(group.leader(), std::nullopt);
}

}  // namespace
}  // namespace dohle::groups
