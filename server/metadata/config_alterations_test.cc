// What comes out is what ConfigurationControlManagerTest of Apache Kafka 4.4 expects.
#include "server/metadata/config_alterations.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

using Op = ConfigAlteration::Op;
using protocol::ErrorCode;

const ConfigResource new_topic{ConfigResourceType::topic, "t"};

MetadataImage image_with(const ConfigResource& resource, const ConfigMap& configs) {
  auto image = image_with_brokers(1);
  auto all = std::make_shared<ConfigurationsImage>();
  all->resources[resource] = configs;
  image.configs = std::move(all);
  auto topics = std::make_shared<TopicsImage>();
  auto topic = std::make_shared<TopicImage>();
  topic->name = "t";
  topic->id = codec::Uuid::reserved(150);
  topics->put(std::move(topic));
  image.topics = std::move(topics);
  return image;
}

struct Outcome {
  ApiError error;
  std::vector<MetadataRecord> records;

  std::optional<std::string> value(std::size_t i = 0) const {
    return std::get<protocol::ConfigRecord>(records.at(i).message).value;
  }
  std::string name(std::size_t i = 0) const { return std::get<protocol::ConfigRecord>(records.at(i).message).name; }
};

Outcome alter(const MetadataImage& image, const ConfigResource& resource, const std::string& key, Op op,
              std::optional<std::string> value) {
  Outcome outcome;
  outcome.error = alter_config_incrementally(image, sample_schema, {resource, {{key, op, std::move(value)}}}, false,
                                             outcome.records);
  return outcome;
}

TEST(ConfigAlterations, ListsGrowAndShrink) {
  const auto image = image_with(new_topic, {{"cleanup.policy", "123,456,789"}});
  EXPECT_TRUE(alter(image, new_topic, "cleanup.policy", Op::append, "123,456").records.empty());
  EXPECT_EQ(alter(image, new_topic, "cleanup.policy", Op::append, "10").value(), "123,456,789,10");
  EXPECT_EQ(alter(image, new_topic, "cleanup.policy", Op::subtract, "123,456").value(), "789");
  EXPECT_TRUE(alter(image, new_topic, "cleanup.policy", Op::subtract, "123456").records.empty());
  // Nothing was set: the default is what grows.
  EXPECT_EQ(alter(image_with(new_topic, {}), new_topic, "cleanup.policy", Op::append, "compact").value(),
            "delete,compact");
}

TEST(ConfigAlterations, WhatIsNoListNeitherGrowsNorShrinks) {
  const auto image = image_with(new_topic, {});
  auto refused = alter(image, new_topic, "baz", Op::subtract, "abc");
  EXPECT_EQ(refused.error,
            (ApiError{ErrorCode::invalid_config, "Can't SUBTRACT to key baz because its type is not LIST."}));
  EXPECT_TRUE(refused.records.empty());
  refused = alter(image, new_topic, "baz", Op::append, "abc");
  EXPECT_EQ(refused.error.message, "Can't APPEND to key baz because its type is not LIST.");
}

TEST(ConfigAlterations, WhatStaysTheSameIsNoRecordButForBrokers) {
  const auto image = image_with(new_topic, {{"a", "1"}});
  EXPECT_TRUE(alter(image, new_topic, "a", Op::set, "1").records.empty());
  EXPECT_TRUE(alter(image, new_topic, "b", Op::remove, std::nullopt).records.empty());
  EXPECT_EQ(alter(image, new_topic, "a", Op::remove, "xyz").value(), std::nullopt);
  // KAFKA-14136
  const ConfigResource broker{ConfigResourceType::broker, "1"};
  EXPECT_EQ(alter(image_with(broker, {{"a", "1"}}), broker, "a", Op::set, "1").records.size(), 1u);
}

TEST(ConfigAlterations, TheResourceMustBeThere) {
  const auto image = image_with(new_topic, {});
  EXPECT_EQ(alter(image, {ConfigResourceType::topic, "u"}, "a", Op::set, "1").error,
            (ApiError{ErrorCode::unknown_topic_or_partition, "The topic 'u' does not exist."}));
  EXPECT_EQ(alter(image, {ConfigResourceType::broker, "2"}, "a", Op::set, "1").error,
            (ApiError{ErrorCode::broker_id_not_registered, "No node with id 2 found."}));
  EXPECT_EQ(alter(image, {ConfigResourceType::broker, "x"}, "a", Op::set, "1").error.code, ErrorCode::invalid_request);
  EXPECT_FALSE(alter(image, {ConfigResourceType::broker, ""}, "a", Op::set, "1").error.failed());
  // A topic that is being created with its configuration is not there yet.
  std::vector<MetadataRecord> records;
  const ConfigAlteration alteration{{ConfigResourceType::topic, "u"}, {{"a", Op::set, "1"}}};
  EXPECT_FALSE(alter_config_incrementally(image, sample_schema, alteration, true, records).failed());
  EXPECT_EQ(records.size(), 1u);
}

TEST(ConfigAlterations, ValuesHaveALength) {
  const auto image = image_with(new_topic, {});
  EXPECT_FALSE(alter(image, new_topic, "a", Op::set, std::string(32'767, 'x')).error.failed());
  EXPECT_EQ(alter(image, new_topic, "a", Op::set, std::string(32'768, 'x')).error,
            (ApiError{ErrorCode::invalid_config,
                      "The configuration value cannot be added because it exceeds the maximum value size of 32767 "
                      "bytes."}));
}

TEST(ConfigAlterations, MinIsrOfBrokersIsLockedWithEligibleReplicas) {
  const auto image = image_with(new_topic, {});
  const auto key = "min.insync.replicas";
  EXPECT_EQ(alter(image, {ConfigResourceType::broker, "1"}, key, Op::set, "2").error.message,
            "Broker-level min.insync.replicas cannot be altered while ELR is enabled.");
  EXPECT_EQ(alter(image, {ConfigResourceType::broker, ""}, key, Op::remove, std::nullopt).error.message,
            "Cluster-level min.insync.replicas cannot be removed while ELR is enabled.");
  EXPECT_FALSE(alter(image, {ConfigResourceType::broker, ""}, key, Op::set, "2").error.failed());
}

TEST(ConfigAlterations, ReplacingDropsWhatIsNotNamed) {
  const auto image = image_with(new_topic, {{"a", "1"}, {"b", "2"}});
  Outcome outcome;
  outcome.error =
      replace_config(image, sample_schema, {new_topic, {{"a", Op::set, "1"}, {"c", Op::set, "3"}}}, outcome.records);
  EXPECT_FALSE(outcome.error.failed());
  ASSERT_EQ(outcome.records.size(), 2u);
  EXPECT_EQ(outcome.name(0), "c");
  EXPECT_EQ(outcome.value(0), "3");
  EXPECT_EQ(outcome.name(1), "b");
  EXPECT_EQ(outcome.value(1), std::nullopt);

  Outcome refused;
  refused.error = replace_config(image, sample_schema, {new_topic, {{"no.such", Op::set, "1"}}}, refused.records);
  EXPECT_EQ(refused.error.code, ErrorCode::invalid_config);
  EXPECT_TRUE(refused.records.empty());
}

TEST(ConfigAlterations, AChangedMinIsrVoidsEligibleReplicas) {
  auto image = image_with(new_topic, {});
  std::vector<MetadataRecord> records = alter(image, new_topic, "min.insync.replicas", Op::set, "2").records;
  add_clear_elr_records(image, 0, records);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(std::get<protocol::ClearElrRecord>(records[1].message).topic_name, "t");
  // The cluster's default concerns every topic, which an empty name says.
  records = alter(image, {ConfigResourceType::broker, ""}, "min.insync.replicas", Op::set, "2").records;
  add_clear_elr_records(image, 0, records);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(std::get<protocol::ClearElrRecord>(records[1].message).topic_name, "");
  // Records before `begin` are not looked at, nor is anything without the feature.
  records.resize(1);
  add_clear_elr_records(image, 1, records);
  EXPECT_EQ(records.size(), 1u);
  image.features = std::make_shared<FeaturesImage>();
  add_clear_elr_records(image, 0, records);
  EXPECT_EQ(records.size(), 1u);
}

}  // namespace
}  // namespace dohle::metadata
