#include "server/config/dynamic_rules.h"

#include <gtest/gtest.h>

namespace dohle::config {
namespace {

// The texts are also in compat-tests/config/recorded/alter_cases.tsv (config_validation_test).

std::string refusal(const ConfigMap& changes) {
  BrokerConfig now = load_broker_config(sample_properties())->config;
  return refused_by_component(now, with_dynamic_configs(now, {}, changes).config).value_or("");
}

TEST(DynamicRules, LetThreadPoolsGrowAndShrinkByAFactorOfTwo) {
  EXPECT_EQ(refusal({{"num.io.threads", "4"}}), "");
  EXPECT_EQ(refusal({{"num.io.threads", "16"}}), "");
  EXPECT_EQ(refusal({{"num.io.threads", "3"}}),
            "Dynamic thread count update validation failed for num.io.threads=3, value should be at least half the "
            "current value 8");
  EXPECT_EQ(refusal({{"log.cleaner.threads", "3"}}),
            "Log cleaner threads cannot be increased to more than double the current value 1");
}

TEST(DynamicRules, WantListenersToKeepTheirProtocolAndTheAdvertisedOnesToStay) {
  EXPECT_EQ(refusal({{"listeners", "PLAINTEXT://:1234,CONTROLLER://:9093"}}), "");
  EXPECT_EQ(refusal({{"listener.security.protocol.map", "PLAINTEXT:SSL,CONTROLLER:PLAINTEXT"}}),
            "Security protocol cannot be updated for existing listener ListenerName(PLAINTEXT)");
}

TEST(DynamicRules, WantRoomForConnections) {
  EXPECT_EQ(refusal({{"max.connections", "0"}}), "Invalid max.connections 0");
  EXPECT_EQ(refusal({{"max.connection.creation.rate", "0"}}), "Invalid max.connection.creation.rate 0");
}

}  // namespace
}  // namespace dohle::config
