#include "server/config/effective_config.h"

#include <gtest/gtest.h>

namespace dohle::config {
namespace {

BrokerConfig make(const ConfigMap& static_changes, const ConfigMap& defaults, const ConfigMap& own,
                  OutOfBounds out_of_bounds = OutOfBounds::refused) {
  ConfigMap properties = sample_properties();
  for (const auto& [name, text] : static_changes) properties[name] = text;
  std::vector<std::string> warnings;
  auto config = make_effective_config(properties, defaults, own, out_of_bounds, warnings);
  EXPECT_TRUE(config) << config.error().message;
  return config.value_or(BrokerConfig());
}

TEST(EffectiveConfig, TakesStaticSynonymsAwayWhereADynamicKeyComes) {
  BrokerConfig config = make({{"log.roll.ms", "10"}, {"log.roll.hours", "2"}}, {{"log.roll.ms", "20"}}, {});
  EXPECT_EQ(config.values.get_long("log.roll.ms"), 20);
  EXPECT_FALSE(config.values.is_set("log.roll.hours"));
}

TEST(EffectiveConfig, LetsTheBrokersOwnWinOverTheClusters) {
  EXPECT_EQ(make({}, {{"max.connections", "5"}}, {{"max.connections", "6"}}).max_connections, 6);
}

TEST(EffectiveConfig, MovesIntervalsIntoTheBrokersBounds) {
  ConfigMap defaults = {{"group.consumer.assignment.interval.ms", "20000"}};
  BrokerConfig config = make({}, defaults, {}, OutOfBounds::clamped);
  EXPECT_EQ(config.values.get_int("group.consumer.assignment.interval.ms"), 15'000);
  EXPECT_EQ(config.dynamic_default_configs, defaults);
}

TEST(EffectiveConfig, KnowsWhatMustNameABroker) {
  EXPECT_TRUE(is_per_broker("listeners"));
  EXPECT_TRUE(is_per_broker("listener.name.a.ssl.keystore.location"));
  EXPECT_FALSE(is_per_broker("listener.name.a.max.connections"));
  EXPECT_FALSE(is_per_broker("log.retention.ms"));
  EXPECT_TRUE(needs_listener_prefix("ssl.keystore.location"));
  EXPECT_FALSE(needs_listener_prefix("ssl.client.auth"));
}

TEST(EffectiveConfig, SaysWhyADynamicConfigCannotBeUsed) {
  EXPECT_EQ(dynamic_config_problem("log.retention.ms", "5", false), std::nullopt);
  EXPECT_EQ(dynamic_config_problem("somebodys.own", "5", false), std::nullopt);
  EXPECT_TRUE(dynamic_config_problem("node.id", "5", true));
  EXPECT_TRUE(dynamic_config_problem("ssl.key.password", "5", true));
  EXPECT_TRUE(dynamic_config_problem("listeners", "PLAINTEXT://:1", false));
  EXPECT_TRUE(dynamic_config_problem("leader.replication.throttled.rate", "-5", true));
}

}  // namespace
}  // namespace dohle::config
