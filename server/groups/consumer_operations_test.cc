#include <gtest/gtest.h>

#include "server/groups/shard_harness.h"

namespace dohle::groups {

namespace {

protocol::ConsumerGroupHeartbeatRequest joining(const std::string& group) {
  protocol::ConsumerGroupHeartbeatRequest request;
  request.group_id = group;
  request.member_id = "m";
  request.rebalance_timeout_ms = 1'000;
  request.subscribed_topic_names.emplace();
  request.topic_partitions.emplace();
  return request;
}

protocol::ConsumerGroupHeartbeatResponse send(ShardHarness& harness,
                                              const protocol::ConsumerGroupHeartbeatRequest& request) {
  return *harness.ask<protocol::ConsumerGroupHeartbeatResponse>([&](auto reply) {
    return harness.shard().consumer_heartbeat(harness.context(), {"client", "/host", 1}, request, std::move(reply));
  });
}

DescribedConsumerGroups describe(ShardHarness& harness) {
  return *harness.ask<DescribedConsumerGroups>(
      [&](auto reply) { return harness.shard().consumer_describe(harness.context(), {"g"}, std::move(reply)); });
}

TEST(ConsumerOperations, KeepAGroupAcrossARestartAndEndItsSession) {
  ShardHarness harness;
  // Without topics nothing changes: a group begins with epoch 1.
  EXPECT_EQ(send(harness, joining("g")).member_epoch, 1);
  harness.restart();
  EXPECT_EQ(describe(harness).front().group_state, "Stable");
  harness.advance(45'000);
  EXPECT_EQ(describe(harness).front().group_state, "Empty");
}

TEST(ConsumerOperations, ChangeNothingWhenTheLogRefuses) {
  ShardHarness harness;
  harness.fail_appends(protocol::ErrorCode::not_coordinator);
  EXPECT_EQ(send(harness, joining("g")).error_code, static_cast<std::int16_t>(protocol::ErrorCode::not_coordinator));
  EXPECT_EQ(describe(harness).front().error_code, static_cast<std::int16_t>(protocol::ErrorCode::group_id_not_found));
}

TEST(ConsumerOperations, KeepAGroupOfTheConsumerProtocol114) {
  ShardHarness harness;
  send(harness, joining("g"));
  const auto* group = harness.shard().groups().find("g");
  ASSERT_NE(group, nullptr);
  EXPECT_EQ(group->type(), GroupType::consumer);
  EXPECT_EQ(group->validate_delete(), protocol::ErrorCode::non_empty_group);
}

TEST(ConsumerOperations, CheckCommits115) {
  ShardHarness harness;
  send(harness, joining("g"));
  const auto* group = harness.shard().groups().find("g");
  const auto check = [group](const std::string& member, std::int32_t epoch, std::int16_t version) {
    return group->validate_offset_commit(member, std::nullopt, epoch, false, version);
  };
  EXPECT_EQ(check("m", 1, 9), protocol::ErrorCode::none);
  EXPECT_EQ(check("m", 1, 8), protocol::ErrorCode::unsupported_version);
  EXPECT_EQ(check("m", 3, 9), protocol::ErrorCode::stale_member_epoch);
  EXPECT_EQ(check("x", 1, 9), protocol::ErrorCode::unknown_member_id);
  EXPECT_EQ(group->validate_offset_fetch("m", 1), protocol::ErrorCode::none);
  EXPECT_EQ(group->validate_offset_fetch("m", 3), protocol::ErrorCode::stale_member_epoch);
  EXPECT_EQ(group->validate_offset_fetch(std::nullopt, -1), protocol::ErrorCode::none);
}

}  // namespace

}  // namespace dohle::groups
