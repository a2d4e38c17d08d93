#include "server/config/config_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "server/config/testing_tables.h"

namespace dohle::config {
namespace {

std::string row_of(const std::string& scope, const ConfigKey& key) {
  std::string value = key.default_value.kind == DefaultValue::Kind::required ? "<required>"
                      : key.default_value.kind == DefaultValue::Kind::null   ? "<null>"
                                                                             : std::string(key.default_value.text);
  std::string row = scope;
  for (std::string column : {std::string(key.name), std::string(to_string(key.type)), value, to_string(key.validator),
                             std::string(to_string(key.importance)), std::string(key.internal ? "true" : "false"),
                             std::string(to_string(key.update_mode)), std::string(key.broker_synonyms)}) {
    row += "\t" + column;
  }
  return row;
}

std::vector<std::string> all_rows() {
  std::vector<std::string> rows;
  auto add = [&](const std::string& scope, std::span<const ConfigKey> keys) {
    for (const ConfigKey& key : keys) rows.push_back(row_of(scope, key));
  };
  add("broker", keys_of(Scope::broker));
  add("topic", keys_of(Scope::topic));
  add("group", keys_of(Scope::group));
  add("client-metrics", keys_of(Scope::client_metrics));
  add("broker-dynamic", dynamic_only_broker_keys());
  return rows;
}

TEST(ConfigTable, IsTheListOfTheJarsKeyByKeyAndInTheirOrder) {
  std::vector<std::string> expected = testing_lines("keys.tsv");
  std::vector<std::string> actual = all_rows();
  ASSERT_GT(expected.size(), 400u);
  for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i) EXPECT_EQ(actual[i], expected[i]);
  EXPECT_EQ(actual.size(), expected.size());
}

TEST(ConfigTable, HasAShortLineOfDocumentationForEveryKey) {
  for (Scope scope : {Scope::broker, Scope::topic, Scope::group, Scope::client_metrics}) {
    for (const ConfigKey& key : keys_of(scope)) {
      EXPECT_TRUE(key.doc.ends_with('.') && key.doc.size() < 130) << key.name;
      EXPECT_EQ(find_key(scope, key.name), &key);
    }
  }
}

TEST(ConfigTable, KnowsOnlyTheKeysOfTheScope) {
  EXPECT_EQ(find_key(Scope::topic, "log.retention.ms"), nullptr);
  EXPECT_EQ(find_key(Scope::broker, "retention.ms"), nullptr);
  EXPECT_EQ(find_key(Scope::broker, "leader.replication.throttled.rate"), nullptr);
  ASSERT_NE(find_broker_key("leader.replication.throttled.rate"), nullptr);
}

TEST(ConfigTable, FindsTheKeyBehindAListenersPrefix) {
  ASSERT_NE(find_broker_key("listener.name.internal.ssl.keystore.password"), nullptr);
  EXPECT_EQ(find_broker_key("listener.name.internal.ssl.keystore.password")->type, ConfigType::password);
  ASSERT_NE(find_broker_key("listener.name.internal.scram-sha-256.sasl.jaas.config"), nullptr);
  EXPECT_EQ(find_broker_key("listener.name.internal.nonsense"), nullptr);
  EXPECT_EQ(find_broker_key("listener.name.internal"), nullptr);
}

TEST(ConfigTable, GivesTheBrokersSynonymsStrongestFirst) {
  using testing::ElementsAre;
  EXPECT_THAT(broker_config_synonyms("log.retention.hours"),
              ElementsAre("log.retention.ms", "log.retention.minutes", "log.retention.hours"));
  EXPECT_THAT(broker_config_synonyms("log.flush.interval.ms"),
              ElementsAre("log.flush.interval.ms", "log.flush.scheduler.interval.ms"));
  EXPECT_THAT(broker_config_synonyms("log.flush.scheduler.interval.ms"),
              ElementsAre("log.flush.scheduler.interval.ms"));
  EXPECT_THAT(broker_config_synonyms("log.roll.jitter.hours"),
              ElementsAre("log.roll.jitter.ms", "log.roll.jitter.hours"));
  EXPECT_THAT(broker_config_synonyms("log.roll.ms"), ElementsAre("log.roll.ms", "log.roll.hours"));
}

TEST(ConfigTable, KnowsTheFactorsOfATopicsSynonyms) {
  std::vector<BrokerSynonym> synonyms = broker_synonyms_of(*find_key(Scope::topic, "retention.ms"));
  ASSERT_EQ(synonyms.size(), 3u);
  EXPECT_EQ(synonyms[0].name, "log.retention.ms");
  EXPECT_EQ(synonyms[0].factor, 1);
  EXPECT_EQ(synonyms[1].factor, 60'000);
  EXPECT_EQ(synonyms[2].factor, 3'600'000);
}

TEST(ConfigTable, AdvisesAboutKeysOfTheTimeOfZooKeeper) {
  EXPECT_TRUE(removed_key_advice("zookeeper.connect"));
  EXPECT_TRUE(removed_key_advice("inter.broker.protocol.version"));
  EXPECT_FALSE(removed_key_advice("inter.broker.protocol.versions"));
  EXPECT_FALSE(removed_key_advice("node.id"));
}

TEST(ConfigTable, FindsTheNearestNameOrNone) {
  EXPECT_EQ(nearest_broker_key("log.retention.hour"), "log.retention.hours");
  EXPECT_EQ(nearest_broker_key("num.partition"), "num.partitions");
  EXPECT_EQ(nearest_broker_key("auto.create.topic.enabled"), "auto.create.topics.enable");
  EXPECT_EQ(nearest_broker_key("something.else.entirely.here"), "");
}

}  // namespace
}  // namespace dohle::config
