#include "server/config/broker_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/config/properties.h"

namespace dohle::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string refusal(const ConfigMap& changes) {
  ConfigMap properties = sample_properties();
  for (const auto& [name, text] : changes) properties[name] = text;
  auto loaded = load_broker_config(properties);
  if (loaded) return "";
  EXPECT_EQ(loaded.error().kind, runtime::ErrorKind::invalid);
  return loaded.error().message;
}

std::vector<std::string> warnings(const ConfigMap& changes) {
  ConfigMap properties = sample_properties();
  for (const auto& [name, text] : changes) properties[name] = text;
  auto loaded = load_broker_config(properties);
  EXPECT_TRUE(loaded) << loaded.error().message;
  return loaded ? loaded->warnings : std::vector<std::string>();
}

TEST(BrokerConfig, WithoutAFileIsKafkasSampleWithTheDataNearby) {
  ConfigMap sample = *load_properties("compat-tests/config/sample.properties");
  sample["log.dirs"] = "./data";
  EXPECT_EQ(sample_properties(), sample);
  auto loaded = load_broker_config(sample_properties());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->warnings, IsEmpty());
  EXPECT_EQ(loaded->config.node_id, 1);
  EXPECT_TRUE(loaded->config.is_broker && loaded->config.is_controller);
  EXPECT_THAT(loaded->config.log_dirs, ElementsAre("./data"));
  EXPECT_EQ(loaded->config.metadata_log_dir, "./data");
  EXPECT_EQ(loaded->config.offsets_topic_replication_factor, 1);
}

TEST(BrokerConfig, OfAFileHasKafkasDefaultsForTheRest) {
  auto loaded = load_broker_config({{"process.roles", "broker,controller"},
                                    {"node.id", "5"},
                                    {"controller.listener.names", "CONTROLLER"},
                                    {"listeners", "PLAINTEXT://:9092,CONTROLLER://:9093"},
                                    {"controller.quorum.voters", "5@localhost:9093"},
                                    {"log.dirs", "/a, /b"},
                                    {"broker.rack", "r1"}});
  ASSERT_TRUE(loaded) << loaded.error().message;
  BrokerConfig defaults;
  EXPECT_EQ(loaded->config.node_id, 5);
  EXPECT_EQ(loaded->config.values.get_int("broker.id"), 5);
  EXPECT_EQ(loaded->config.rack, "r1");
  EXPECT_THAT(loaded->config.log_dirs, ElementsAre("/a", "/b"));
  EXPECT_EQ(loaded->config.quorum_voters, (std::vector<QuorumVoter>{{5, {"localhost", 9093}}}));
  EXPECT_EQ(loaded->config.socket_request_max_bytes, defaults.socket_request_max_bytes);
  EXPECT_EQ(loaded->config.offsets_topic_replication_factor, defaults.offsets_topic_replication_factor);
  EXPECT_EQ(loaded->config.transaction_max_timeout_ms, defaults.transaction_max_timeout_ms);
  EXPECT_EQ(loaded->config.metadata_log_max_record_bytes_between_snapshots,
            defaults.metadata_log_max_record_bytes_between_snapshots);
}

TEST(BrokerConfig, OfAFileWithoutRolesIsANodeAlone) {
  auto loaded = load_broker_config({{"broker.id", "0"}, {"log.dirs", "/a"}, {"zookeeper.connect", "localhost:2181"}});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.node_id, 0);
  EXPECT_TRUE(loaded->config.is_broker && loaded->config.is_controller);
  EXPECT_EQ(loaded->config.broker_listeners().at(0).port, 9092);
  EXPECT_EQ(loaded->config.controller_listeners().at(0).port, 9093);
  EXPECT_THAT(loaded->warnings, ElementsAre(HasSubstr("'zookeeper.connect' was removed"), HasSubstr("'broker.id'")));
  auto empty = load_broker_config({{"process.roles", ""}, {"node.id", ""}, {"listeners", "PLAINTEXT://:1"}});
  ASSERT_TRUE(empty) << empty.error().message;
  EXPECT_EQ(empty->config.node_id, 1);
}

TEST(BrokerConfig, WarnsOfUnknownKeysWithTheNearestName) {
  EXPECT_THAT(warnings({{"log.retention.hour", "1"}, {"super.users", "User:a"}, {"listener.name.x.y", "1"}}),
              ElementsAre("Unknown configuration key 'log.retention.hour' is ignored. Did you mean "
                          "'log.retention.hours'?"));
  EXPECT_THAT(warnings({{"something.else.entirely", "1"}}),
              ElementsAre("Unknown configuration key 'something.else.entirely' is ignored."));
}

TEST(BrokerConfig, RefusesUnknownKeysOnDemand) {
  EXPECT_EQ(refusal({{"config.unknown", "error"}, {"log.retention.hour", "1"}}),
            "config.unknown=error: Unknown configuration key 'log.retention.hour' is not known. Did you mean "
            "'log.retention.hours'?");
  EXPECT_EQ(refusal({{"config.unknown", "error"}}), "");
}

TEST(BrokerConfig, RefusesSecurityThatItCannotHonour) {
  EXPECT_THAT(refusal({{"authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"}}),
              HasSubstr("'authorizer.class.name' cannot be honoured yet"));
  EXPECT_THAT(refusal({{"create.topic.policy.class.name", "org.apache.kafka.Policy"}}),
              HasSubstr("cannot be honoured"));
  EXPECT_THAT(refusal({{"listeners", "PLAINTEXT://:9092,SSL://:9094,CONTROLLER://:9093"}}),
              HasSubstr("The listener SSL uses SSL, which cannot be honoured yet."));
  EXPECT_EQ(refusal({{"authorizer.class.name", ""}}), "");
  EXPECT_EQ(refusal({{"remote.log.storage.system.enable", "false"}}), "");
  EXPECT_THAT(refusal({{"remote.log.storage.system.enable", "true"}}), HasSubstr("cannot be honoured"));
}

TEST(BrokerConfig, SaysOnceWhatHasNoEffect) {
  EXPECT_THAT(warnings({{"kafka.metrics.polling.interval.secs", "5"}}),
              ElementsAre(HasSubstr("'kafka.metrics.polling.interval.secs' is accepted, but has no effect")));
  EXPECT_THAT(warnings({{"kafka.metrics.polling.interval.secs", "10"}}), IsEmpty());
}

TEST(BrokerConfig, TakesDynamicConfigsOverStaticOnes) {
  BrokerConfig config = load_broker_config(sample_properties())->config;
  LoadedConfig loaded = with_dynamic_configs(config, {{"message.max.bytes", "5"}, {"num.io.threads", "9"}},
                                             {{"message.max.bytes", "6"}, {"log.retention.ms", "7"}});
  EXPECT_THAT(loaded.warnings, IsEmpty());
  EXPECT_EQ(loaded.config.message_max_bytes, 6);
  EXPECT_EQ(loaded.config.num_io_threads, 9);
  EXPECT_EQ(loaded.config.values.get_long("log.retention.ms"), 7);
  EXPECT_EQ(with_dynamic_configs(loaded.config, {}, {}).config.message_max_bytes, config.message_max_bytes);
}

TEST(BrokerConfig, LeavesOutDynamicConfigsThatCannotBeUsed) {
  BrokerConfig config = load_broker_config(sample_properties())->config;
  LoadedConfig loaded = with_dynamic_configs(config, {{"node.id", "7"}, {"listeners", "PLAINTEXT://:1"}},
                                             {{"message.max.bytes", "x"}, {"log.segment.bytes", "2097152"}});
  EXPECT_THAT(loaded.warnings, ElementsAre(HasSubstr("listeners is ignored"), HasSubstr("node.id is ignored"),
                                           HasSubstr("message.max.bytes is ignored")));
  EXPECT_EQ(loaded.config.node_id, 1);
  EXPECT_EQ(loaded.config.values.get_int("log.segment.bytes"), 2'097'152);
}

TEST(BrokerConfig, StaysAsItIsWhenDynamicConfigsContradictEachOther) {
  BrokerConfig config = load_broker_config(sample_properties())->config;
  LoadedConfig loaded = with_dynamic_configs(config, {}, {{"log.retention.ms", "0"}, {"message.max.bytes", "5"}});
  EXPECT_THAT(loaded.warnings, ElementsAre(HasSubstr("could not be applied: requirement failed: log.retention.ms")));
  EXPECT_EQ(loaded.config.message_max_bytes, config.message_max_bytes);
}

}  // namespace
}  // namespace dohle::config
