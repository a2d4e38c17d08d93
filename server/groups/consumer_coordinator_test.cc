// Numbers in the names are those of Kafka's behaviours for groups of KIP-848 (106 to 116).
#include "server/groups/consumer_coordinator.h"

#include <gtest/gtest.h>

#include "server/groups/consumer_harness.h"

namespace dohle::groups {

namespace {

using protocol::ErrorCode;
using Partitions = std::vector<std::int32_t>;

std::optional<GroupFailure> check(const ConsumerHarness::Request& request, std::int16_t version = 1) {
  return ConsumerCoordinator::check(request, version, {AssignorKind::uniform, AssignorKind::range});
}

ConsumerHarness::Request joining() {
  ConsumerHarness::Request request;
  request.group_id = "g";
  request.member_id = "m";
  request.rebalance_timeout_ms = 1'000;
  request.subscribed_topic_names.emplace();
  request.topic_partitions.emplace();
  return request;
}

TEST(ConsumerCoordinator, ChecksAJoin107) {
  EXPECT_EQ(check(joining()), std::nullopt);
  const auto message = [](auto change, std::int16_t version = 1) {
    auto request = joining();
    change(request);
    const auto failure = check(request, version);
    EXPECT_TRUE(failure && failure->error == ErrorCode::invalid_request);
    return failure ? failure->message : "";
  };
  EXPECT_EQ(message([](auto& r) { r.rebalance_timeout_ms = -1; }),
            "RebalanceTimeoutMs must be provided in first request.");
  EXPECT_EQ(message([](auto& r) { r.topic_partitions.reset(); }), "TopicPartitions must be empty when (re-)joining.");
  EXPECT_EQ(message([](auto& r) { r.subscribed_topic_names.reset(); }),
            "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.");
  EXPECT_EQ(message([](auto& r) { r.member_id = " "; }), "MemberId can't be empty.");
  EXPECT_EQ(message([](auto& r) { r.group_id = ""; }), "GroupId can't be empty.");
  EXPECT_EQ(message([](auto& r) { r.instance_id = ""; }), "InstanceId can't be empty.");
  EXPECT_EQ(message([](auto& r) { r.rack_id = ""; }), "RackId can't be empty.");
  EXPECT_EQ(message([](auto& r) { r.member_epoch = -3; }), "MemberEpoch is invalid.");
  EXPECT_EQ(message([](auto& r) { r.member_epoch = -2; }), "InstanceId can't be null.");
  auto request = joining();
  request.member_id.clear();
  EXPECT_EQ(check(request, 0), std::nullopt);
  request.member_id = "m";
  request.server_assignor = "sticky";
  const auto failure = check(request);
  EXPECT_EQ(failure->error, ErrorCode::unsupported_assignor);
  EXPECT_EQ(failure->message, "ServerAssignor sticky is not supported. Supported assignors: uniform, range.");
}

TEST(ConsumerCoordinator, GivesTheOnlyMemberEverything) {
  ConsumerHarness harness;
  harness.put_topic("t", 1, 4);
  const auto answer = harness.join("a", {"t"});
  EXPECT_EQ(error_of(answer), ErrorCode::none);
  EXPECT_EQ(answer.member_epoch, 2);  // a group begins with 1
  EXPECT_EQ(answer.heartbeat_interval_ms, 5'000);
  EXPECT_EQ(partitions_of(answer), (Partitions{0, 1, 2, 3}));
  // Behaviour 108: nothing new is no assignment.
  EXPECT_FALSE(harness.beat("a", 2).assignment.has_value());
  EXPECT_EQ(harness.find("g")->state_name(), "Stable");
}

TEST(ConsumerCoordinator, GivesAPartitionOnlyWhenItIsFree110) {
  ConsumerHarness harness;
  harness.put_topic("t", 1, 4);
  harness.join("a", {"t"});
  const auto second = harness.join("b", {"t"});
  EXPECT_EQ(second.member_epoch, 3);
  EXPECT_TRUE(partitions_of(second).empty());
  EXPECT_TRUE(second.assignment.has_value());
  // The first one is told to give two back, and stays in its epoch until it has.
  const auto told = harness.beat("a", 2, 1, {0, 1, 2, 3});
  EXPECT_EQ(told.member_epoch, 2);
  ASSERT_EQ(partitions_of(told).size(), 2U);
  EXPECT_TRUE(partitions_of(harness.beat("b", 3)).empty());
  const auto kept = partitions_of(told);
  EXPECT_EQ(harness.beat("a", 2, 1, kept).member_epoch, 3);
  EXPECT_EQ(partitions_of(harness.beat("b", 3)).size(), 2U);
  EXPECT_EQ(harness.find("g")->state_name(), "Stable");
}

TEST(ConsumerCoordinator, FencesWhoDoesNotGiveBackInTime110) {
  ConsumerHarness harness;
  harness.settings.session_timeout_ms = 1'000'000;
  harness.put_topic("t", 1, 2);
  harness.join("a", {"t"});
  harness.join("b", {"t"});
  harness.beat("a", 2);
  harness.pass(59'999);
  EXPECT_NE(harness.find("g")->find_member("a"), nullptr);
  harness.pass(1);
  EXPECT_EQ(harness.find("g")->find_member("a"), nullptr);
  EXPECT_EQ(error_of(harness.beat("a", 2)), ErrorCode::unknown_member_id);
  EXPECT_EQ(partitions_of(harness.beat("b", 3)), (Partitions{0, 1}));
}

TEST(ConsumerCoordinator, EndsSessions) {
  ConsumerHarness harness;
  harness.put_topic("t", 1, 1);
  harness.join("a", {"t"});
  harness.pass(44'999);
  harness.beat("a", 2);
  harness.pass(44'999);
  EXPECT_FALSE(harness.find("g")->is_empty());
  harness.pass(1);
  EXPECT_TRUE(harness.find("g")->is_empty());
  EXPECT_EQ(harness.find("g")->state_name(), "Empty");
}

TEST(ConsumerCoordinator, FencesWrongEpochs111) {
  ConsumerHarness harness;
  harness.put_topic("t", 1, 2);
  harness.join("a", {"t"});
  const auto greater = harness.beat("a", 3);
  EXPECT_EQ(error_of(greater), ErrorCode::fenced_member_epoch);
  EXPECT_EQ(*greater.error_message,
            "The consumer group member has a greater member epoch (3) than the one known by the group coordinator (2). "
            "The member must abandon all its partitions and rejoin.");
  harness.put_topic("t", 1, 3);
  EXPECT_EQ(harness.beat("a", 2).member_epoch, 3);
  // The answer was lost: the former epoch is good, as long as nothing is owned that is not assigned.
  EXPECT_EQ(harness.beat("a", 2, 1, {0, 1}).member_epoch, 3);
  EXPECT_EQ(error_of(harness.beat("a", 2, 1, {7})), ErrorCode::fenced_member_epoch);
  EXPECT_EQ(error_of(harness.beat("a", 2)), ErrorCode::fenced_member_epoch);
  EXPECT_EQ(error_of(harness.beat("a", 1, 1, {0})), ErrorCode::fenced_member_epoch);
}

TEST(ConsumerCoordinator, KnowsAbsentGroupsAndMembers113) {
  ConsumerHarness harness;
  const auto absent = harness.beat("a", 1);
  EXPECT_EQ(error_of(absent), ErrorCode::group_id_not_found);
  EXPECT_EQ(*absent.error_message, "Consumer group g not found.");
  const auto leaving = harness.beat("a", -1);
  EXPECT_EQ(error_of(leaving), ErrorCode::group_id_not_found);
  EXPECT_EQ(*leaving.error_message, "Group g not found.");
  harness.join("b", {});
  EXPECT_EQ(*harness.beat("a", 1).error_message, "Member a is not a member of group g.");
  EXPECT_EQ(error_of(harness.beat("a", -1)), ErrorCode::unknown_member_id);
}

TEST(ConsumerCoordinator, RefusesAnotherProtocolsGroup114) {
  ConsumerHarness harness;
  auto request = joining();
  request.group_id = "classic";
  EXPECT_EQ(error_of(harness.send(request)), ErrorCode::group_id_not_found);
  EXPECT_EQ(*harness.coordinator().describe(harness.context(), "classic").error_message,
            "Group classic is not a consumer group.");
}

TEST(ConsumerCoordinator, KeepsWhatAStaticMemberHad112) {
  ConsumerHarness harness;
  harness.put_topic("t", 1, 3);
  auto request = joining();
  request.subscribed_topic_names = {"t"};
  request.instance_id = "i";
  EXPECT_EQ(harness.send(request).member_epoch, 2);
  request.member_id = "n";
  EXPECT_EQ(error_of(harness.send(request)), ErrorCode::unreleased_instance_id);
  request.member_id = "m";
  request.member_epoch = static_leave_epoch;
  const auto left = harness.send(request);
  EXPECT_EQ(left.member_epoch, -2);
  EXPECT_EQ(harness.find("g")->epoch(), 2);
  request.member_id = "n";
  request.member_epoch = 0;
  const auto back = harness.send(request);
  EXPECT_EQ(back.member_epoch, 2);
  EXPECT_EQ(partitions_of(back), (Partitions{0, 1, 2}));
  request.member_id = "m";
  request.member_epoch = 2;
  EXPECT_EQ(error_of(harness.send(request)), ErrorCode::fenced_instance_id);
  request.instance_id = "j";
  EXPECT_EQ(error_of(harness.send(request)), ErrorCode::unknown_member_id);
}

TEST(ConsumerCoordinator, LeavesAndDeletes) {
  ConsumerHarness harness;
  harness.put_topic("t", 1, 1);
  harness.join("a", {"t"});
  EXPECT_EQ(harness.beat("a", -1).member_epoch, -1);
  ASSERT_NE(harness.find("g"), nullptr);
  EXPECT_TRUE(harness.find("g")->is_empty());
  // The next one need not wait for the assignment interval.
  EXPECT_EQ(harness.find("g")->assignment_timestamp_ms(), 0);
  std::vector<coordinator::Record> records;
  harness.find("g")->append_tombstones(records);
  harness.apply(std::move(records));
  EXPECT_EQ(harness.find("g"), nullptr);
}

TEST(ConsumerCoordinator, FollowsARegularExpression116) {
  ConsumerHarness harness;
  harness.put_topic("orders-1", 1, 1);
  auto request = joining();
  request.subscribed_topic_names.reset();
  request.subscribed_topic_regex = "[";
  EXPECT_EQ(error_of(harness.send(request)), ErrorCode::invalid_regular_expression);
  request.subscribed_topic_regex = "orders-.*";
  EXPECT_TRUE(partitions_of(harness.send(request)).empty());
  harness.pass(0);
  const auto first = harness.beat("m", harness.find("g")->find_member("m")->epoch);
  EXPECT_EQ(partitions_of(first), (Partitions{0}));
  harness.put_topic("orders-2", 2, 1);
  harness.pass(10'001);
  harness.beat("m", first.member_epoch);
  harness.pass(0);
  const auto second = harness.beat("m", first.member_epoch);
  ASSERT_TRUE(second.assignment.has_value());
  EXPECT_EQ(second.assignment->topic_partitions.size(), 2U);
}

TEST(ConsumerCoordinator, WaitsForTheAssignmentInterval) {
  ConsumerHarness harness;
  harness.settings.assignment_interval_ms = 1'000;
  harness.put_topic("t", 1, 2);
  harness.join("a", {"t"});
  harness.pass(999);
  EXPECT_EQ(harness.join("b", {"t"}).member_epoch, 2);
  EXPECT_EQ(harness.find("g")->state_name(), "Assigning");
  harness.pass(1);
  EXPECT_EQ(harness.beat("b", 2).member_epoch, 3);
}

TEST(ConsumerCoordinator, IsTheSameAfterARestart) {
  ConsumerHarness harness;
  harness.put_topic("t", 1, 5);
  harness.join("a", {"t"});
  harness.join("b", {"t"});
  harness.beat("a", 2, 1, {0, 1, 2, 3, 4});
  const auto before = harness.coordinator().describe(harness.context(), "g");
  harness.restart();
  EXPECT_EQ(harness.coordinator().describe(harness.context(), "g"), before);
  // Its time to give back begins anew.
  EXPECT_TRUE(harness.is_armed({static_cast<std::int32_t>(TimerKind::consumer_rebalance), "g", "a"}));
  EXPECT_TRUE(harness.is_armed({static_cast<std::int32_t>(TimerKind::consumer_session), "g", "b"}));
}

TEST(ConsumerCoordinator, IsFull) {
  ConsumerHarness harness;
  harness.settings.max_size = 1;
  harness.join("a", {"t"});
  const auto refused = harness.join("b", {"t"});
  EXPECT_EQ(error_of(refused), ErrorCode::group_max_size_reached);
  EXPECT_EQ(*refused.error_message, "The consumer group has reached its maximum capacity of 1 members.");
  EXPECT_EQ(error_of(harness.join("a", {"t"})), ErrorCode::none);
}

}  // namespace

}  // namespace dohle::groups
