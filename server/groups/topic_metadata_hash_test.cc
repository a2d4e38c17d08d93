// The hashes are those of org.apache.kafka.coordinator.group.Utils 4.4.0 for the same topics.
#include "server/groups/topic_metadata_hash.h"

#include <gtest/gtest.h>

namespace dohle::groups {

namespace {

TEST(TopicMetadataHash, IsKafkas) {
  metadata::ClusterImage cluster;
  cluster.brokers[1].rack = "rack-b";
  cluster.brokers[2].rack = "rack-a";
  cluster.brokers[3].rack =
      "r\xc3\xa4"
      "ck";
  cluster.brokers[4].rack = std::nullopt;
  metadata::TopicImage orders{"orders", *codec::Uuid::parse("gSNFZ4mrze8fLj1MW2p5iA"), {}};
  for (int i = 0; i < 3; ++i) orders.partitions[i].replicas = {4};
  metadata::TopicImage zeta{"zeta", orders.id, {}};
  zeta.partitions[0].replicas = {1, 2};
  zeta.partitions[1].replicas = {3};
  const auto first = topic_metadata_hash(orders, cluster);
  const auto second = topic_metadata_hash(zeta, cluster);
  EXPECT_EQ(first, 5337030896060318379);
  EXPECT_EQ(second, 7120817019783449906);
  EXPECT_EQ(group_metadata_hash({first, second}), 8210966925044863452);
  EXPECT_EQ(group_metadata_hash(std::vector<std::int64_t>{}), 0);
}

TEST(TopicMetadataHash, LeavesOutWhatDoesNotExist) {
  EXPECT_EQ(group_metadata_hash(std::set<std::string>{"nowhere"}, metadata::MetadataImage()), 0);
}

}  // namespace

}  // namespace dohle::groups
