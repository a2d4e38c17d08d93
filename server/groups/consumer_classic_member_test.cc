// The numbers in the names are those of Kafka's behaviours for groups of KIP-848.
#include <gtest/gtest.h>

#include "server/groups/migration_harness.h"

namespace dohle::groups {

namespace {

using protocol::ErrorCode;
using Partitions = std::vector<std::int32_t>;

class ConsumerClassicMember : public testing::Test {
 protected:
  ConsumerClassicMember() {
    harness.put_topic("t", 1, 4);
    harness.beat("c", 0);
  }
  MigrationHarness harness;
};

TEST_F(ConsumerClassicMember, GetsItsPartitionsWhenTheyAreFree110) {
  EXPECT_EQ(harness.join("a", {"t"})->generation_id, 3);
  EXPECT_EQ(assigned_partitions(harness.sync("a", 3).assignment), Partitions{});
  EXPECT_EQ(harness.heartbeat("a", 3), ErrorCode::none);
  harness.beat("c", 2, Partitions{0, 1});
  harness.beat("c", 2, Partitions{0, 1});
  EXPECT_EQ(harness.heartbeat("a", 3), ErrorCode::rebalance_in_progress);
  EXPECT_EQ(harness.join("a", {"t"})->generation_id, 3);
  EXPECT_EQ(assigned_partitions(harness.sync("a", 3).assignment), (Partitions{2, 3}));
  EXPECT_EQ(harness.group(), "consumer Stable");
}

TEST_F(ConsumerClassicMember, IsFencedWhenItDoesNotSyncOrJoinInTime) {
  harness.join("a", {"t"});
  harness.shard().advance(9'000);
  EXPECT_EQ(harness.heartbeat("a", 3), ErrorCode::none);
  harness.shard().advance(9'000);
  EXPECT_EQ(harness.heartbeat("a", 3), ErrorCode::none);
  harness.shard().advance(2'000);
  EXPECT_EQ(harness.heartbeat("a", 3), ErrorCode::unknown_member_id);

  harness.beat("c", 2);
  harness.join("b", {"t"});
  const auto generation = 5;
  EXPECT_EQ(harness.sync("b", generation).error_code, 0);
  harness.beat("c", 2, Partitions{0, 1});
  EXPECT_EQ(harness.heartbeat("b", generation), ErrorCode::rebalance_in_progress);
  for (int i = 0; i < 3; ++i) {
    harness.shard().advance(6'000);
    EXPECT_EQ(harness.heartbeat("b", generation), ErrorCode::rebalance_in_progress);
  }
  harness.shard().advance(2'000);
  EXPECT_EQ(harness.heartbeat("b", generation), ErrorCode::unknown_member_id);
}

TEST_F(ConsumerClassicMember, MayNotSpeakForAConsumerMember) {
  EXPECT_EQ(harness.heartbeat("c", 2), ErrorCode::unknown_member_id);
  EXPECT_EQ(harness.sync("c", 2).error_code, static_cast<std::int16_t>(ErrorCode::unknown_member_id));
  // An administrator may remove it all the same.
  EXPECT_EQ(harness.leave({"c", "nobody"}), (std::vector<std::int16_t>{0, 25}));
  EXPECT_EQ(harness.group(), "consumer Empty");
}

TEST_F(ConsumerClassicMember, CommitsWithOlderEpochsWhereThePartitionWasItsOwn111) {
  harness.beat("d", 0);
  const auto commit = [&](std::int32_t epoch, std::int32_t partition, std::int16_t version = 9) {
    protocol::OffsetCommitRequest request;
    request.group_id = "g";
    request.member_id = "c";
    request.generation_id_or_member_epoch = epoch;
    auto& topic = request.topics.emplace_back();
    topic.name = "t";
    topic.topic_id = codec::Uuid::reserved(1);
    topic.partitions.emplace_back().partition_index = partition;
    const auto answer = harness.shard().ask<protocol::OffsetCommitResponse>([&](auto reply) {
      return harness.shard().shard().commit(harness.shard().context(), request, version, std::move(reply));
    });
    return static_cast<ErrorCode>(answer->topics.at(0).partitions.at(0).error_code);
  };
  EXPECT_EQ(commit(2, 0, 8), ErrorCode::unsupported_version);  // behaviour 115
  harness.beat("c", 2, Partitions{0, 1, 2, 3});
  EXPECT_EQ(commit(2, 3), ErrorCode::none);
  harness.beat("c", 2, Partitions{0, 1});
  EXPECT_EQ(commit(3, 0), ErrorCode::none);
  EXPECT_EQ(commit(2, 0), ErrorCode::none);
  EXPECT_EQ(commit(1, 0), ErrorCode::stale_member_epoch);
  EXPECT_EQ(commit(2, 3), ErrorCode::stale_member_epoch);
  EXPECT_EQ(commit(4, 0), ErrorCode::stale_member_epoch);
}

}  // namespace

}  // namespace dohle::groups
