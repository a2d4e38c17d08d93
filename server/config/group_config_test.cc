#include "server/config/group_config.h"

#include <gtest/gtest.h>

#include "server/config/broker_config.h"

namespace dohle::config {
namespace {

BrokerConfig broker_with(const ConfigMap& changes) {
  ConfigMap properties = sample_properties();
  for (const auto& [name, text] : changes) properties[name] = text;
  auto loaded = load_broker_config(properties);
  EXPECT_TRUE(loaded) << loaded.error().message;
  return loaded ? loaded->config : BrokerConfig();
}

TEST(GroupConfig, HasKafkasDefaultsOnAFreshBroker) {
  auto config = make_group_config(broker_with({}), {});
  ASSERT_TRUE(config);
  EXPECT_EQ(*config, GroupConfig());
}

TEST(GroupConfig, FollowsTheBrokersKeysAndItsOwn) {
  BrokerConfig broker =
      broker_with({{"group.consumer.session.timeout.ms", "50000"}, {"group.streams.num.warmup.replicas", "4"}});
  auto config = make_group_config(broker, {{"consumer.heartbeat.interval.ms", "6000"},
                                           {"share.isolation.level", "read_committed"},
                                           {"streams.rack.aware.assignment.tags", "zone,rack"}});
  ASSERT_TRUE(config);
  EXPECT_EQ(config->consumer_session_timeout_ms, 50'000);
  EXPECT_EQ(config->consumer_heartbeat_interval_ms, 6'000);
  EXPECT_EQ(config->streams_num_warmup_replicas, 4);
  EXPECT_TRUE(config->share_isolation_level_read_committed);
  EXPECT_EQ(config->streams_rack_aware_assignment_tags, (std::vector<std::string>{"zone", "rack"}));
}

TEST(GroupConfig, IsMovedIntoBoundsThatWereNarrowedLater) {
  BrokerConfig broker = broker_with({{"group.consumer.max.session.timeout.ms", "46000"}});
  auto config = make_group_config(broker, {{"consumer.session.timeout.ms", "60000"},
                                           {"streams.num.standby.replicas", "9"},
                                           {"streams.task.offset.interval.ms", "1"}});
  ASSERT_TRUE(config);
  EXPECT_EQ(config->consumer_session_timeout_ms, 46'000);
  EXPECT_EQ(config->streams_num_standby_replicas, 2);
  EXPECT_EQ(config->streams_task_offset_interval_ms, 15'000);
}

TEST(GroupConfig, TellsWhichOverrideIsBad) {
  auto config = make_group_config(broker_with({}), {{"share.delivery.count.limit", "1"}});
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().message,
            "Invalid value 1 for configuration share.delivery.count.limit: Value must be at least 2");
}

TEST(GroupConfig, ShowsInternalDefaultsOnlyWhereTheBrokerSetsThem) {
  EXPECT_FALSE(group_defaults(broker_with({})).contains("streams.num.warmup.replicas"));
  EXPECT_TRUE(group_defaults(broker_with({{"group.streams.num.warmup.replicas", "4"}}))
                  .contains("streams.num.warmup.replicas"));
}

}  // namespace
}  // namespace dohle::config
