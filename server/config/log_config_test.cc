#include "server/config/log_config.h"

#include <gtest/gtest.h>

#include "server/config/broker_config.h"

namespace dohle::config {
namespace {

BrokerConfig broker_with(const ConfigMap& changes) {
  ConfigMap properties = sample_properties();
  for (const auto& [name, text] : changes) properties[name] = text;
  return load_broker_config(properties)->config;
}

TEST(LogConfig, HasKafkasDefaultsOnAFreshBroker) {
  auto config = make_log_config(broker_with({}), {});
  ASSERT_TRUE(config);
  EXPECT_EQ(*config, LogConfig());
}

TEST(LogConfig, TakesTheStrongestOfTheBrokersKeys) {
  EXPECT_EQ(make_log_config(broker_with({{"log.retention.minutes", "3"}}), {})->retention_ms, 180'000);
  EXPECT_EQ(make_log_config(broker_with({{"log.retention.minutes", "3"}, {"log.retention.ms", "5"}}), {})->retention_ms,
            5);
  EXPECT_EQ(make_log_config(broker_with({{"log.retention.hours", "-3"}}), {})->retention_ms, -1);
  EXPECT_EQ(make_log_config(broker_with({{"log.roll.hours", "2"}}), {})->segment_ms, 7'200'000);
  EXPECT_EQ(make_log_config(broker_with({{"log.flush.scheduler.interval.ms", "9"}}), {})->flush_ms, 9);
  EXPECT_EQ(make_log_config(broker_with({{"log.flush.interval.ms", "8"}}), {})->flush_ms, 8);
}

TEST(LogConfig, LaysTheTopicsOverridesOverTheBrokers) {
  BrokerConfig broker = broker_with({{"compression.type", "lz4"}, {"log.cleanup.policy", "compact"}});
  auto config = make_log_config(broker, {{"cleanup.policy", "delete,compact"},
                                         {"message.timestamp.type", "LogAppendTime"},
                                         {"compression.lz4.level", "12"},
                                         {"min.cleanable.dirty.ratio", "0.25"},
                                         {"preallocate", "true"},
                                         {"leader.replication.throttled.replicas", "0:1,1:2"},
                                         {"unknown.to.everyone", "1"}});
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->cleanup_policy_compact && config->cleanup_policy_delete);
  EXPECT_EQ(config->message_timestamp_type, TimestampType::log_append_time);
  EXPECT_EQ(config->compression_type, CompressionType::lz4);
  EXPECT_EQ(config->compression_lz4_level, 12);
  EXPECT_EQ(config->min_cleanable_dirty_ratio, 0.25);
  EXPECT_TRUE(config->preallocate);
  EXPECT_EQ(config->leader_replication_throttled_replicas.size(), 2u);
}

TEST(LogConfig, KeepsEverythingWithAnEmptyPolicy) {
  auto config = make_log_config(broker_with({}), {{"cleanup.policy", ""}});
  EXPECT_FALSE(config->cleanup_policy_compact || config->cleanup_policy_delete);
}

TEST(LogConfig, PutsTheSegmentSizeOfTestsOverThePublicOne) {
  EXPECT_EQ(make_log_config(broker_with({}), {{"internal.segment.bytes", "100"}})->segment_bytes, 100);
}

TEST(LogConfig, RollsACompactedLogInTimeForItsLag) {
  LogConfig config;
  config.max_compaction_lag_ms = 10;
  EXPECT_EQ(config.max_segment_ms(), 604'800'000);
  config.cleanup_policy_compact = true;
  EXPECT_EQ(config.max_segment_ms(), 10);
}

TEST(LogConfig, DerivesLocalRetention) {
  LogConfig config;
  EXPECT_EQ(config.local_retention_ms_effective(), config.retention_ms);
  config.local_retention_bytes = 5;
  EXPECT_EQ(config.local_retention_bytes_effective(), 5);
}

TEST(LogConfig, TellsWhichOverrideIsBad) {
  auto config = make_log_config(broker_with({}), {{"segment.bytes", "1"}});
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().message, "Invalid value 1 for configuration segment.bytes: Value must be at least 1048576");
}

}  // namespace
}  // namespace dohle::config
