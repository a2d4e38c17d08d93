#include "server/groups/consumer_group_settings.h"

#include <gtest/gtest.h>

namespace dohle::groups {

namespace {

TEST(ConsumerGroupSettings, FindsTheGroupsOwn) {
  metadata::MetadataImage image;
  auto configs = std::make_shared<metadata::ConfigurationsImage>();
  configs->resources[{metadata::ConfigResourceType::group, "g"}]["consumer.session.timeout.ms"] = "50000";
  image.configs = configs;
  EXPECT_EQ(group_overrides(image, "g").size(), 1U);
  EXPECT_TRUE(group_overrides(image, "other").empty());
}

}  // namespace

}  // namespace dohle::groups
