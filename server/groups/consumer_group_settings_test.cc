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

TEST(ConsumerGroupConfigs, FollowTheImage) {
  const auto broker = config::load_broker_config(config::sample_properties())->config;
  ConsumerGroupConfigs configs;
  metadata::MetadataImage image;
  EXPECT_EQ(configs.settings(broker, image, "g").assignment_interval_ms, 1'000);
  EXPECT_EQ(configs.settings(broker, image, "g").session_timeout_ms, 45'000);

  auto changed = std::make_shared<metadata::ConfigurationsImage>();
  changed->resources[{metadata::ConfigResourceType::broker, ""}]["group.consumer.assignment.interval.ms"] = "7";
  changed->resources[{metadata::ConfigResourceType::group, "g"}]["consumer.session.timeout.ms"] = "50000";
  image.configs = changed;
  EXPECT_EQ(configs.settings(broker, image, "g").session_timeout_ms, 50'000);
  EXPECT_EQ(configs.settings(broker, image, "g").assignment_interval_ms, 7);
  EXPECT_EQ(configs.settings(broker, image, "other").session_timeout_ms, 45'000);
  EXPECT_EQ(configs.settings(broker, image, "other").assignment_interval_ms, 7);

  changed = std::make_shared<metadata::ConfigurationsImage>(*changed);
  changed->resources[{metadata::ConfigResourceType::broker, std::to_string(broker.node_id)}]
                    ["group.consumer.assignment.interval.ms"] = "9";
  changed->resources.erase({metadata::ConfigResourceType::group, "g"});
  image.configs = changed;
  EXPECT_EQ(configs.settings(broker, image, "g").assignment_interval_ms, 9);
  EXPECT_EQ(configs.settings(broker, image, "g").session_timeout_ms, 45'000);
}

TEST(ConsumerGroupSettings, TakeTheMigrationPolicy114) {
  const auto settings = [](const std::string& policy) {
    auto properties = config::sample_properties();
    properties["group.consumer.migration.policy"] = policy;
    properties["group.max.size"] = "12";
    return consumer_group_settings(config::load_broker_config(properties)->config, {});
  };
  EXPECT_TRUE(settings("Bidirectional").may_upgrade && settings("Bidirectional").may_downgrade);
  EXPECT_TRUE(settings("upgrade").may_upgrade && !settings("upgrade").may_downgrade);
  EXPECT_TRUE(!settings("DOWNGRADE").may_upgrade && settings("DOWNGRADE").may_downgrade);
  EXPECT_TRUE(!settings("disabled").may_upgrade && !settings("disabled").may_downgrade);
  EXPECT_EQ(settings("disabled").classic_max_size, 12);
}

}  // namespace

}  // namespace dohle::groups
