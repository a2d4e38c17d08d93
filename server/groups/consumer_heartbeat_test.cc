#include <gtest/gtest.h>

#include "server/groups/consumer_coordinator.h"
#include "server/groups/consumer_harness.h"

namespace dohle::groups {

namespace {

TEST(ConsumerHeartbeat, BumpsTheEpochWhenAPartitionComes) {
  ConsumerHarness harness;
  harness.put_topic("t", 1, 1);
  harness.put_topic("other", 2, 1);
  harness.join("a", {"t"});
  harness.put_topic("other", 2, 2);
  EXPECT_EQ(harness.beat("a", 2).member_epoch, 2);
  harness.put_topic("t", 1, 2);
  const auto answer = harness.beat("a", 2);
  EXPECT_EQ(answer.member_epoch, 3);
  EXPECT_EQ(partitions_of(answer), (std::vector<std::int32_t>{0, 1}));
}

TEST(ConsumerHeartbeat, AnswersAFullRequestInFull) {
  ConsumerHarness harness;
  harness.put_topic("t", 1, 1);
  harness.join("a", {"t"});
  ConsumerHarness::Request request;
  request.group_id = "g";
  request.member_id = "a";
  request.member_epoch = 2;
  request.rebalance_timeout_ms = 60'000;
  request.subscribed_topic_names = {"t"};
  request.topic_partitions.emplace();
  EXPECT_EQ(partitions_of(harness.send(request)), (std::vector<std::int32_t>{0}));
}

TEST(ConsumerHeartbeat, MakesAMemberIdForOldClients) {
  ConsumerHarness harness;
  EXPECT_EQ(harness.join("", {}).member_id, "generated");
}

TEST(ConsumerHeartbeat, FollowsTheVotesForAnAssignor) {
  ConsumerHarness harness;
  harness.put_topic("t", 1, 2);
  ConsumerHarness::Request request;
  request.group_id = "g";
  request.member_id = "a";
  request.rebalance_timeout_ms = 60'000;
  request.subscribed_topic_names = {"t"};
  request.server_assignor = "range";
  request.topic_partitions.emplace();
  harness.send(request);
  EXPECT_EQ(harness.coordinator().describe(harness.context(), "g").assignor_name, "range");
}

}  // namespace

}  // namespace dohle::groups
