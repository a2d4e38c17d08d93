// The messages are those of ReplicationControlManagerTest of Apache Kafka 4.4.
#include "server/metadata/replica_assignment.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

ClusterImage cluster_of(std::int32_t count) {
  return *image_with_brokers(count).cluster;
}

std::string refusal(const ClusterImage& cluster, const std::vector<std::int32_t>& replicas,
                    std::optional<std::size_t> replication_factor = std::nullopt) {
  const auto error = check_manual_assignment(cluster, replicas, replication_factor);
  if (!error.failed()) return "";
  EXPECT_EQ(error.code, protocol::ErrorCode::invalid_replica_assignment);
  return error.message.value_or("");
}

TEST(ReplicaAssignment, WhatAPersonWroteIsChecked) {
  const auto cluster = cluster_of(3);
  EXPECT_EQ(refusal(cluster, {3, 1}), "");
  EXPECT_EQ(refusal(cluster, {3, 1}, 2), "");
  EXPECT_EQ(refusal(cluster, {}), "The manual partition assignment includes an empty replica list.");
  EXPECT_EQ(refusal(cluster, {1, 2, 2}), "The manual partition assignment includes the broker 2 more than once.");
  EXPECT_EQ(refusal(cluster, {1, 4}),
            "The manual partition assignment includes broker 4, but no such broker is registered.");
  EXPECT_EQ(refusal(cluster, {1, 2}, 3),
            "The manual partition assignment includes a partition with 2 replica(s), but this is not consistent with "
            "previous partitions, which have 3 replica(s).");
}

TEST(ReplicaAssignment, ABrokerWithoutFreeDirectoriesTakesNothing) {
  auto cluster = cluster_of(2);
  cluster.brokers[2].cordoned_directories = cluster.brokers[2].directories;
  EXPECT_EQ(refusal(cluster, {1, 2}),
            "The manual partition assignment includes broker 2, but all its log directories are cordoned.");
  EXPECT_EQ(refusal(cluster, {1}), "");
}

TEST(ReplicaAssignment, TheFirstActiveReplicaLeads) {
  auto cluster = cluster_of(3);
  cluster.brokers[3].fenced = true;
  const auto partition = new_partition(cluster, {3, 2, 1});
  ASSERT_TRUE(partition);
  EXPECT_EQ(partition->replicas, (std::vector<std::int32_t>{3, 2, 1}));
  EXPECT_EQ(partition->isr, (std::vector<std::int32_t>{2, 1}));
  EXPECT_EQ(partition->leader, 2);
  EXPECT_EQ(partition->leader_epoch, 0);
  EXPECT_EQ(partition->directories[2], cluster.brokers[1].directories[0]);
}

TEST(ReplicaAssignment, WithoutAnActiveReplicaThereIsNoPartition) {
  auto cluster = cluster_of(2);
  cluster.brokers[2].in_controlled_shutdown = true;
  EXPECT_FALSE(new_partition(cluster, {2}));
  EXPECT_FALSE(new_partition(cluster, {9}));
}

TEST(ReplicaAssignment, WithSeveralDirectoriesTheBrokerChooses) {
  auto cluster = cluster_of(1);
  cluster.brokers[1].directories.push_back(codec::Uuid::reserved(190));
  EXPECT_EQ(new_partition(cluster, {1})->directories.at(0), directory_unassigned);
}

}  // namespace
}  // namespace dohle::metadata
