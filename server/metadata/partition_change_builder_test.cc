#include "server/metadata/partition_change_builder.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

using Ids = std::vector<std::int32_t>;

PartitionRegistration partition(Ids replicas, Ids isr, std::int32_t leader) {
  PartitionRegistration result;
  result.directories.assign(replicas.size(), directory_unassigned);
  result.replicas = std::move(replicas);
  result.isr = std::move(isr);
  result.leader = leader;
  return result;
}

PartitionChangeBuilder builder(const PartitionRegistration& partition, const FeaturesImage& features, Ids alive,
                               std::int32_t min_isr = 1) {
  return PartitionChangeBuilder(
      partition, codec::Uuid::reserved(200), 0,
      [alive](std::int32_t id) { return std::find(alive.begin(), alive.end(), id) != alive.end(); }, features, min_isr,
      [](std::int32_t) { return directory_unassigned; });
}

const protocol::PartitionChangeRecord& record(const std::optional<MetadataRecord>& built) {
  return std::get<protocol::PartitionChangeRecord>(built->message);
}

TEST(PartitionChangeBuilder, NothingToChangeIsNoRecord) {
  const FeaturesImage features = *image_with_brokers(1).features;
  const auto p = partition({1, 2}, {1, 2}, 1);
  EXPECT_EQ(builder(p, features, {1, 2}).build(), std::nullopt);
}

TEST(PartitionChangeBuilder, TheLastInSyncReplicaBecomesEligible) {
  const FeaturesImage features = *image_with_brokers(1).features;
  const auto p = partition({1}, {1}, 1);
  const auto built = builder(p, features, {}).set_target_isr({}).build();
  EXPECT_EQ(built->version, 2);
  EXPECT_EQ(record(built).leader, -1);
  EXPECT_EQ(record(built).isr, Ids{});
  EXPECT_EQ(record(built).eligible_leader_replicas, Ids{1});
  EXPECT_EQ(record(built).last_known_elr, Ids{1});
}

TEST(PartitionChangeBuilder, WithoutElrTheLastStaysListedInTheIsr) {
  FeaturesImage features = *image_with_brokers(1).features;
  features.levels.clear();
  const auto p = partition({1}, {1}, 1);
  const auto built = builder(p, features, {}).set_target_isr({}).build();
  EXPECT_EQ(record(built).leader, -1);
  EXPECT_EQ(record(built).isr, std::nullopt);
  EXPECT_EQ(record(built).eligible_leader_replicas, std::nullopt);
}

TEST(PartitionChangeBuilder, BelowMinIsrTheOneThatLeavesStaysEligible) {
  const FeaturesImage features = *image_with_brokers(1).features;
  const auto p = partition({1, 2, 3}, {1, 2}, 1);
  const auto built = builder(p, features, {1, 3}, 2).set_target_isr({1}).build();
  EXPECT_EQ(record(built).isr, Ids{1});
  EXPECT_EQ(record(built).eligible_leader_replicas, Ids{2});
  EXPECT_EQ(record(built).leader, -2);
}

TEST(PartitionChangeBuilder, AnUncleanElectionMarksTheLeaderAsRecovering) {
  FeaturesImage features = *image_with_brokers(1).features;
  auto p = partition({1, 2}, {}, no_leader);
  p.elr = {1};
  p.last_known_elr = {1};
  EXPECT_EQ(builder(p, features, {2}).build(), std::nullopt);
  const auto built = builder(p, features, {2}).set_election(Election::unclean).build();
  EXPECT_EQ(record(built).leader, 2);
  EXPECT_EQ(record(built).isr, Ids{2});
  EXPECT_EQ(record(built).leader_recovery_state, 1);
  EXPECT_EQ(record(built).eligible_leader_replicas, Ids{});
  EXPECT_EQ(record(built).last_known_elr, Ids{});
}

TEST(PartitionChangeBuilder, AReplicaThatLeavesBumpsTheLeaderEpoch) {
  const FeaturesImage features = *image_with_brokers(1).features;
  const auto p = partition({1, 2}, {1, 2}, 1);
  const auto built = builder(p, features, {1, 2}).set_target_replicas({1}).set_target_isr({1}).build();
  EXPECT_EQ(record(built).leader, 1);
  EXPECT_EQ(record(built).replicas, Ids{1});
}

TEST(PartitionChangeBuilder, OldMetadataVersionsBumpTheEpochOnAnIsrShrink) {
  FeaturesImage features;
  features.metadata_version = 11;
  const auto p = partition({1, 2}, {1, 2}, 1);
  EXPECT_EQ(record(builder(p, features, {1, 2}).set_target_isr({1}).build()).leader, 1);
  features.metadata_version = 12;
  EXPECT_EQ(record(builder(p, features, {1, 2}).set_target_isr({1}).build()).leader, -2);
}

}  // namespace
}  // namespace dohle::metadata
