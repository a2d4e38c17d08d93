#include "server/metadata/replica_assignment.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

TEST(ReplicaAssignment, SizesMustAgreeAndCordonedBrokersAreRefused) {
  ClusterImage cluster = *image_with_brokers(2).cluster;
  EXPECT_FALSE(check_manual_assignment(cluster, {1, 2}, std::nullopt).failed());
  EXPECT_EQ(check_manual_assignment(cluster, {1, 2}, 1).message,
            "The manual partition assignment includes a partition with 2 replica(s), but this is not consistent with "
            "previous partitions, which have 1 replica(s).");
  cluster.brokers[2].cordoned_directories = cluster.brokers[2].directories;
  EXPECT_EQ(check_manual_assignment(cluster, {2}, std::nullopt).message,
            "The manual partition assignment includes broker 2, but all its log directories are cordoned.");
}

TEST(ReplicaAssignment, TheFirstActiveReplicaLeads) {
  ClusterImage cluster = *image_with_brokers(2).cluster;
  cluster.brokers[1].fenced = true;
  const auto partition = new_partition(cluster, {1, 2});
  ASSERT_TRUE(partition.has_value());
  EXPECT_EQ(partition->leader, 2);
  EXPECT_EQ(partition->isr, std::vector<std::int32_t>{2});
  EXPECT_EQ(partition->directories, (std::vector<codec::Uuid>{codec::Uuid::reserved(101), codec::Uuid::reserved(102)}));
  EXPECT_FALSE(new_partition(cluster, {1}).has_value());
}

}  // namespace
}  // namespace dohle::metadata
