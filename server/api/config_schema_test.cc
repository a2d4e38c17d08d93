// The values and texts are compared with Kafka's in server/config; here, what the controller is told of them.
#include "server/api/config_schema.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace dohle::api {
namespace {

using metadata::ConfigResourceType;
using protocol::ErrorCode;

class ConfigSchemaTest : public ::testing::Test {
 protected:
  ErrorCode verdict(ConfigResourceType type, const std::string& name, const metadata::ConfigMap& configs) {
    return schema_.validate({type, name}, configs, {}).code;
  }

  runtime::Snapshot<config::BrokerConfig> broker_{
      std::make_shared<config::BrokerConfig>(config::load_broker_config(config::sample_properties())->config)};
  TableConfigSchema schema_{broker_};
};

TEST_F(ConfigSchemaTest, ListsAreThoseOfKafka) {
  EXPECT_TRUE(schema_.is_list(ConfigResourceType::topic, "cleanup.policy"));
  EXPECT_FALSE(schema_.is_list(ConfigResourceType::topic, "retention.ms"));
  EXPECT_TRUE(schema_.is_list(ConfigResourceType::broker, "log.cleanup.policy"));
  EXPECT_FALSE(schema_.is_list(ConfigResourceType::topic, "no.such.key"));
  EXPECT_FALSE(schema_.is_list(ConfigResourceType::broker_logger, "cleanup.policy"));
}

TEST_F(ConfigSchemaTest, DefaultsAreTheKeysOwn) {
  EXPECT_EQ(schema_.default_value(ConfigResourceType::topic, "cleanup.policy"), "delete");
  EXPECT_EQ(schema_.default_value(ConfigResourceType::topic, "no.such.key"), std::nullopt);
}

TEST_F(ConfigSchemaTest, ResourcesAreValidated) {
  // behaviours.md 151, 153, 155
  EXPECT_EQ(verdict(ConfigResourceType::topic, "t", {{"retention.ms", "5"}}), ErrorCode::none);
  EXPECT_EQ(verdict(ConfigResourceType::topic, "t", {{"no.such.key", "5"}}), ErrorCode::invalid_config);
  EXPECT_EQ(verdict(ConfigResourceType::topic, "t", {{"retention.ms", "soon"}}), ErrorCode::invalid_config);
  EXPECT_EQ(verdict(ConfigResourceType::topic, "t", {{"segment.bytes", "1000"}}), ErrorCode::invalid_config);
  EXPECT_EQ(verdict(ConfigResourceType::topic, "", {}), ErrorCode::invalid_request);
  EXPECT_EQ(verdict(ConfigResourceType::topic, "a b", {}), ErrorCode::invalid_topic_exception);
  EXPECT_EQ(verdict(ConfigResourceType::broker, "", {}), ErrorCode::none);
  EXPECT_EQ(verdict(ConfigResourceType::broker, "1", {}), ErrorCode::none);
  EXPECT_EQ(verdict(ConfigResourceType::broker, "one", {}), ErrorCode::invalid_request);
  EXPECT_EQ(verdict(ConfigResourceType::broker, "-1", {}), ErrorCode::invalid_request);
  EXPECT_EQ(verdict(ConfigResourceType::group, "", {}), ErrorCode::invalid_request);
  EXPECT_EQ(verdict(ConfigResourceType::unknown, "x", {}), ErrorCode::invalid_request);
}

TEST_F(ConfigSchemaTest, ATopicInheritsWhatBrokersSetDynamically) {
  const auto value_of = [](const std::vector<metadata::EffectiveConfig>& configs, const std::string& name) {
    const auto found = std::ranges::find(configs, name, &metadata::EffectiveConfig::name);
    return found == configs.end() ? std::string("-") : found->value.value_or("null");
  };
  const auto own = schema_.effective_topic_configs({{"retention.ms", "5"}}, {}, {});
  EXPECT_EQ(value_of(own, "retention.ms"), "5");
  EXPECT_EQ(value_of(own, "cleanup.policy"), "delete");
  const auto cluster = schema_.effective_topic_configs({}, {{"log.retention.ms", "6"}}, {});
  EXPECT_EQ(value_of(cluster, "retention.ms"), "6");
  const auto broker = schema_.effective_topic_configs({}, {{"log.retention.ms", "6"}}, {{"log.retention.ms", "7"}});
  EXPECT_EQ(value_of(broker, "retention.ms"), "7");
}

}  // namespace
}  // namespace dohle::api
