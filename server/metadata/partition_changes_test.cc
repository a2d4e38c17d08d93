#include "server/metadata/partition_changes.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

TEST(PartitionChanges, ATopicsOwnConfigurationComesBeforeTheNodesAndTheClusters) {
  MetadataImage image = image_with_brokers(1);
  ConfigurationsImage configs;
  TopicImage topic;
  topic.name = "t";
  topic.partitions[0].replicas = {1, 2, 3};
  const ControllerSettings settings;
  const auto min_isr = [&] {
    image.configs = std::make_shared<ConfigurationsImage>(configs);
    return effective_min_isr(image, topic, settings);
  };
  EXPECT_EQ(min_isr(), 1);
  configs.resources[{ConfigResourceType::broker, ""}]["min.insync.replicas"] = "2";
  EXPECT_EQ(min_isr(), 2);
  configs.resources[{ConfigResourceType::broker, "1"}]["min.insync.replicas"] = "3";
  EXPECT_EQ(min_isr(), 3);
  configs.resources[{ConfigResourceType::topic, "t"}]["min.insync.replicas"] = "1";
  EXPECT_EQ(min_isr(), 1);
  configs.resources[{ConfigResourceType::topic, "t"}]["min.insync.replicas"] = "9";
  EXPECT_EQ(min_isr(), 3);
  EXPECT_FALSE(unclean_leader_election(image, "t", settings));
  configs.resources[{ConfigResourceType::topic, "t"}]["unclean.leader.election.enable"] = "true";
  image.configs = std::make_shared<ConfigurationsImage>(configs);
  EXPECT_TRUE(unclean_leader_election(image, "t", settings));
}

}  // namespace
}  // namespace dohle::metadata
