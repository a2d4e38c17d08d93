#include "server/metadata/metadata_delta.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

TEST(MetadataDelta, WhatItDoesNotTouchStaysTheSameObject) {
  const auto base = std::make_shared<MetadataImage>(image_with_brokers(1));
  MetadataDelta delta(base);
  protocol::ConfigRecord config;
  config.resource_type = 2;
  config.resource_name = "t";
  config.name = "retention.ms";
  config.value = "1";
  ASSERT_TRUE(delta.replay({config, 0}).has_value());
  const ImagePointer image = delta.apply({5, 1, 7});
  EXPECT_EQ(image->topics, base->topics);
  EXPECT_EQ(image->cluster, base->cluster);
  EXPECT_NE(image->configs, base->configs);
  EXPECT_TRUE(base->configs->resources.empty());
  EXPECT_EQ(image->provenance.last_contained_offset, 5);
}

// PartitionRegistration.merge: every change is a new partition epoch; a named leader, even the same, a new leader
// epoch.
TEST(MetadataDelta, EpochsFollowFromTheRecordsAlone) {
  PartitionRegistration partition;
  partition.replicas = {1};
  partition.directories = {codec::Uuid::reserved(150)};
  partition.isr = {1};
  partition.leader = 1;
  protocol::PartitionChangeRecord change;
  change.isr = std::vector<std::int32_t>{};
  PartitionRegistration merged = merge(partition, change);
  EXPECT_EQ(merged.leader_epoch, 0);
  EXPECT_EQ(merged.partition_epoch, 1);
  change.leader = 1;
  merged = merge(merged, change);
  EXPECT_EQ(merged.leader_epoch, 1);
  EXPECT_EQ(merged.partition_epoch, 2);
  EXPECT_EQ(merged.directories, partition.directories);
}

TEST(MetadataDelta, AChangeOfAnUnknownPartitionIsRefused) {
  MetadataDelta delta(std::make_shared<MetadataImage>());
  EXPECT_EQ(delta.replay({protocol::PartitionChangeRecord{}, 2}).error().message,
            "a change of partition AAAAAAAAAAAAAAAAAAAAAA:-1, which does not exist");
}

}  // namespace
}  // namespace dohle::metadata
