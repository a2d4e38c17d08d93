#include "server/config/config_entries.h"

#include <gtest/gtest.h>

#include "server/config/testing_tables.h"

namespace dohle::config {
namespace {

std::string column(const std::optional<std::string>& value) {
  return value.value_or("<null>");
}

std::string number(ConfigSource source) {
  return std::to_string(static_cast<int>(source));
}

std::vector<std::string> lines_of(const std::vector<ConfigEntry>& entries) {
  std::vector<std::string> lines;
  auto flag = [](bool value) { return std::string(value ? "true" : "false"); };
  for (const ConfigEntry& entry : entries) {
    lines.push_back(entry.name + "\t" + column(entry.value) + "\t" + number(entry.source) + "\t" +
                    flag(entry.read_only) + "\t" + flag(entry.sensitive) + "\t" +
                    std::to_string(static_cast<int>(entry.type)));
    for (const ConfigSynonym& synonym : entry.synonyms) {
      lines.push_back("  " + synonym.name + "\t" + column(synonym.value) + "\t" + number(synonym.source));
    }
  }
  return lines;
}

void expect_recorded(const std::vector<ConfigEntry>& entries, const std::string& file) {
  std::vector<std::string> actual = lines_of(entries);
  std::vector<std::string> expected = testing_lines(file);
  ASSERT_FALSE(expected.empty());
  for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i) {
    ASSERT_EQ(actual[i], expected[i]) << file << " line " << i + 1;
  }
  EXPECT_EQ(actual.size(), expected.size()) << file;
}

// A cluster with eligible leader replicas gets this one by itself.
const ConfigMap fresh_cluster_default = {{"min.insync.replicas", "1"}};

BrokerConfig fresh_broker() {
  return with_dynamic_configs(testing_broker(), fresh_cluster_default, {}).config;
}

BrokerConfig changed_broker() {
  ConfigMap cluster_default = fresh_cluster_default;
  cluster_default.insert({{"log.retention.ms", "7777"},
                          {"max.connections", "500"},
                          {"log.cleaner.threads", "2"},
                          {"log.flush.interval.ms", "12"},
                          {"compression.type", "zstd"},
                          {"leader.replication.throttled.rate", "100"}});
  ConfigMap this_broker = {{"log.retention.ms", "8888"},
                           {"listener.name.plaintext.max.connections", "90"},
                           {"other.key", "1"},
                           {"num.io.threads", "9"},
                           {"log.index.interval.bytes", "100"},
                           {"follower.replication.throttled.rate", "7"}};
  LoadedConfig loaded = with_dynamic_configs(testing_broker(), cluster_default, this_broker);
  EXPECT_TRUE(loaded.warnings.empty()) << loaded.warnings.front();
  return loaded.config;
}

TEST(ConfigEntries, OfAFreshBrokerAreKafkasInItsOrder) {
  expect_recorded(describe_broker(fresh_broker()), "broker_fresh.tsv");
}

TEST(ConfigEntries, OfABrokerWithDynamicConfigsAreKafkas) {
  expect_recorded(describe_broker(changed_broker()), "broker_changed.tsv");
}

TEST(ConfigEntries, OfTheClusterDefaultAreTheDynamicOnesAlone) {
  expect_recorded(describe_cluster_default(fresh_broker()), "cluster_default_fresh.tsv");
  expect_recorded(describe_cluster_default(changed_broker()), "cluster_default_changed.tsv");
}

TEST(ConfigEntries, OfATopicAreKafkas) {
  expect_recorded(*describe_topic(fresh_broker(), {}), "topic_fresh.tsv");
  expect_recorded(*describe_topic(changed_broker(), {{"retention.ms", "5000"},
                                                     {"cleanup.policy", "compact,delete"},
                                                     {"internal.segment.bytes", "9999"},
                                                     {"min.cleanable.dirty.ratio", "1e-4"},
                                                     {"preallocate", "TRUE"}}),
                  "topic_changed.tsv");
}

TEST(ConfigEntries, OfAGroupAreKafkas) {
  expect_recorded(*describe_group(fresh_broker(), {}), "group_fresh.tsv");
  expect_recorded(*describe_group(changed_broker(), {{"consumer.session.timeout.ms", "50000"},
                                                     {"share.auto.offset.reset", "earliest"},
                                                     {"streams.num.warmup.replicas", "5"},
                                                     {"streams.task.offset.interval.ms", "70000"}}),
                  "group_changed.tsv");
}

TEST(ConfigEntries, OfAClientMetricsSubscriptionAreKafkas) {
  expect_recorded(*describe_client_metrics({}), "client_metrics_fresh.tsv");
  expect_recorded(
      *describe_client_metrics({{"interval.ms", "1000"}, {"match", "client_id=a.*,client_software_name=x"}}),
      "client_metrics_changed.tsv");
}

TEST(ConfigEntries, TellWhatIsWrongWithAnOverrideThatCannotBeRead) {
  auto entries = describe_topic(testing_broker(), {{"retention.ms", "soon"}});
  ASSERT_FALSE(entries);
  EXPECT_EQ(entries.error().message, "Invalid value soon for configuration retention.ms: Not a number of type LONG");
}

}  // namespace
}  // namespace dohle::config
