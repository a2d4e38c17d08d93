#include "server/config/listener_limits.h"

#include <gtest/gtest.h>

namespace dohle::config {
namespace {

BrokerConfig config_with(const ConfigMap& changes) {
  ConfigMap properties = sample_properties();
  for (const auto& [name, text] : changes) properties[name] = text;
  return load_broker_config(properties)->config;
}

// AbstractConfig.valuesWithPrefixOverride: the listener's own value, or that of all.
TEST(ListenerLimits, AreTheListenersOwnOrThoseOfAll) {
  const auto config = config_with({{"max.connections", "7"},
                                   {"listener.name.plaintext.max.connections", "3"},
                                   {"listener.name.plaintext.max.connection.creation.rate", "5"}});
  EXPECT_EQ(listener_limits(config, "PLAINTEXT").max_connections, 3);
  EXPECT_EQ(listener_limits(config, "PLAINTEXT").max_connection_creation_rate, 5);
  EXPECT_EQ(listener_limits(config, "CONTROLLER").max_connections, 7);
  EXPECT_EQ(listener_limits(config, "CONTROLLER").max_connection_creation_rate, INT32_MAX);
}

TEST(ListenerLimits, ChangeWhileTheBrokerRuns) {
  const auto config = with_dynamic_configs(config_with({{"listener.name.plaintext.max.connections", "3"}}),
                                           {{"listener.name.plaintext.max.connections", "4"},
                                            {"listener.name.plaintext.max.connection.creation.rate", "6"}},
                                           {{"listener.name.plaintext.max.connections", "5"}})
                          .config;
  EXPECT_EQ(listener_limits(config, "PLAINTEXT").max_connections, 5);
  EXPECT_EQ(listener_limits(config, "PLAINTEXT").max_connection_creation_rate, 6);
}

}  // namespace
}  // namespace dohle::config
