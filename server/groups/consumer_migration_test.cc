// The numbers in the names are those of Kafka's behaviours for groups of KIP-848.
#include <gtest/gtest.h>

#include "server/groups/migration_harness.h"

namespace dohle::groups {

namespace {

using protocol::ErrorCode;
using Partitions = std::vector<std::int32_t>;

ErrorCode error_of(const protocol::ConsumerGroupHeartbeatResponse& answer) {
  return static_cast<ErrorCode>(answer.error_code);
}

GroupSettings with_policy(const std::string& policy) {
  config::ConfigMap properties = config::sample_properties();
  properties["group.consumer.migration.policy"] = policy;
  return GroupSettings::from(config::load_broker_config(properties)->config);
}

TEST(ConsumerMigration, UpgradesAClassicGroupWithItsMembers114) {
  MigrationHarness harness;
  harness.put_topic("t", 1, 4);
  const auto a = harness.make_classic_group({0, 1, 2, 3});
  EXPECT_EQ(harness.group(), "classic Stable");
  const auto joined = harness.beat("c", 0);
  EXPECT_EQ(error_of(joined), ErrorCode::none);
  EXPECT_EQ(joined.member_epoch, 2);
  EXPECT_EQ(harness.group(), "consumer Reconciling");
  EXPECT_EQ(harness.heartbeat(a, 1), ErrorCode::rebalance_in_progress);
  // What the classic member has stays in the log.
  harness.shard().restart();
  EXPECT_EQ(harness.group(), "consumer Reconciling");
  EXPECT_EQ(harness.heartbeat(a, 1), ErrorCode::rebalance_in_progress);
}

TEST(ConsumerMigration, GoesBackWhenTheLastConsumerMemberLeaves114) {
  MigrationHarness harness;
  harness.put_topic("t", 1, 4);
  harness.beat("c", 0);
  EXPECT_EQ(harness.join("a", {"t"})->generation_id, 3);
  EXPECT_EQ(error_of(harness.beat("c", -1)), ErrorCode::none);
  EXPECT_EQ(harness.group(), "classic PreparingRebalance");
  EXPECT_EQ(harness.heartbeat("a", 3), ErrorCode::rebalance_in_progress);
  harness.shard().restart();
  EXPECT_EQ(harness.group(), "classic Stable");
  EXPECT_EQ(harness.heartbeat("a", 3), ErrorCode::none);
}

TEST(ConsumerMigration, PutsTheConsumerGroupBackWhenADowngradeIsNotWritten114) {
  MigrationHarness harness;
  harness.put_topic("t", 1, 4);
  harness.beat("c", 0);
  harness.join("a", {"t"});
  harness.shard().fail_appends(ErrorCode::not_coordinator);
  EXPECT_EQ(error_of(harness.beat("c", -1)), ErrorCode::not_coordinator);
  harness.shard().fail_appends(std::nullopt);
  EXPECT_EQ(harness.group(), "consumer Reconciling");
  EXPECT_EQ(error_of(harness.beat("c", 2)), ErrorCode::none);
}

TEST(ConsumerMigration, GoesBackWhenASessionEndsOrPartitionsAreNotGivenBack114) {
  for (const auto wait_ms : {50'000, 61'000}) {
    MigrationHarness harness;
    harness.put_topic("t", 1, 4);
    harness.beat("c", 0);
    harness.join("a", {"t"});
    harness.beat("c", 2, Partitions{0, 1, 2, 3});
    for (std::int64_t passed = 0; passed < wait_ms; passed += 5'000) {
      harness.shard().advance(5'000);
      harness.sync("a", 3);
      harness.heartbeat("a", 3);
      if (wait_ms > 60'000) harness.beat("c", 2, Partitions{0, 1, 2, 3});
    }
    EXPECT_EQ(harness.group().substr(0, 7), "classic") << wait_ms;
  }
}

TEST(ConsumerMigration, FollowsThePolicy114) {
  for (const std::string policy : {"disabled", "downgrade"}) {
    MigrationHarness harness(with_policy(policy));
    harness.put_topic("t", 1, 4);
    harness.make_classic_group({0});
    const auto refused = harness.beat("c", 0);
    EXPECT_EQ(error_of(refused), ErrorCode::group_id_not_found);
    EXPECT_EQ(refused.error_message,
              "Cannot upgrade classic group g to consumer group because online upgrade is disabled.");
  }
  for (const std::string policy : {"disabled", "Upgrade", "bidirectional"}) {
    MigrationHarness harness(with_policy(policy));
    harness.put_topic("t", 1, 4);
    harness.beat("c", 0);
    const auto joined = harness.join("a", {"t"});
    if (policy == "disabled") {
      EXPECT_EQ(joined->error_code, static_cast<std::int16_t>(ErrorCode::inconsistent_group_protocol));
      continue;
    }
    harness.beat("c", -1);
    EXPECT_EQ(harness.group().substr(0, 7), policy == "Upgrade" ? "consume" : "classic");
  }
}

TEST(ConsumerMigration, PutsAClassicGroupInThePlaceOfAnEmptyConsumerGroup114) {
  MigrationHarness harness;
  harness.put_topic("t", 1, 4);
  harness.beat("c", 0);
  harness.beat("c", -1);
  EXPECT_EQ(harness.group(), "consumer Empty");
  // Kafka's answer; but here the group stays what it is.
  EXPECT_EQ(harness.join("bogus", {"t"})->error_code, static_cast<std::int16_t>(ErrorCode::unknown_member_id));
  EXPECT_EQ(harness.group(), "consumer Empty");
  harness.join("", {"t"});
  EXPECT_EQ(harness.group(), "classic PreparingRebalance");
  harness.shard().restart();
  EXPECT_EQ(harness.group(), "classic Empty");
}

}  // namespace

}  // namespace dohle::groups
