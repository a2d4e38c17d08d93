#include "server/metadata/replica_placer.h"

#include <gtest/gtest.h>

#include <set>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

TEST(ReplicaPlacer, LeadersAreSpreadEvenlyAndReplicasDiffer) {
  std::mt19937_64 random(7);
  const MetadataImage image = image_with_brokers(3);
  const auto placement = place_replicas(*image.cluster, 30, 2, random);
  ASSERT_EQ(placement.partitions.size(), 30U);
  std::map<std::int32_t, int> leaders;
  for (const auto& replicas : placement.partitions) {
    ++leaders[replicas.front()];
    EXPECT_EQ(std::set<std::int32_t>(replicas.begin(), replicas.end()).size(), 2U);
  }
  for (const auto& [id, count] : leaders) EXPECT_EQ(count, 10) << id;
}

TEST(ReplicaPlacer, AFencedBrokerNeverLeadsAndIsUsedWhenNeeded) {
  std::mt19937_64 random(7);
  MetadataImage image = image_with_brokers(2);
  ClusterImage cluster = *image.cluster;
  cluster.brokers[2].fenced = true;
  for (const auto& replicas : place_replicas(cluster, 10, 2, random).partitions) {
    EXPECT_EQ(replicas, (std::vector<std::int32_t>{1, 2}));
  }
  cluster.brokers[1].fenced = true;
  EXPECT_EQ(place_replicas(cluster, 1, 1, random).error.message,
            "All brokers are currently fenced, or have all their log directories cordoned.");
}

TEST(ReplicaPlacer, RacksTakeTurns) {
  std::mt19937_64 random(3);
  ClusterImage cluster = *image_with_brokers(4).cluster;
  for (auto& [id, broker] : cluster.brokers) broker.rack = id <= 2 ? "a" : "b";
  for (const auto& replicas : place_replicas(cluster, 20, 2, random).partitions) {
    EXPECT_NE(replicas[0] <= 2, replicas[1] <= 2);
  }
}

}  // namespace
}  // namespace dohle::metadata
