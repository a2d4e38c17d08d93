// The answers are those of Apache Kafka 4.4.0 (testdata/stopped-dynamic/said.txt).
#include "server/metadata/controller.h"

#include <gtest/gtest.h>

#include "server/metadata/metadata_delta.h"
#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

using Op = ConfigAlteration::Op;

class ControllerTest : public ::testing::Test {
 protected:
  ControllerTest() : controller_({}, sample_schema), image_(image_with_brokers(1)) {
    protocol::CreateTopicsRequest request;
    auto& topic = request.topics.emplace_back();
    topic.name = "plain";
    topic.num_partitions = 1;
    topic.replication_factor = 1;
    replay(controller_.create_topics(image_, request).records);
  }

  void replay(const std::vector<MetadataRecord>& records) {
    MetadataDelta delta(std::make_shared<MetadataImage>(image_));
    for (const auto& record : records) ASSERT_TRUE(delta.replay(record).has_value());
    image_ = *delta.apply({});
  }

  std::string alter(ConfigResourceType type, const std::string& name, const std::string& key, Op op,
                    std::optional<std::string> value) {
    const auto result = controller_.incremental_alter_configs(image_, {{{type, name}, {{key, op, std::move(value)}}}});
    replay(result.records);
    return line(result.response.at(0).error);
  }

  std::string update(const std::string& feature, std::int16_t level, FeatureUpdate::Kind kind) {
    const auto result = controller_.update_features(image_, 1, {{feature, level, kind}});
    replay(result.records);
    return line(result.error);
  }

  static std::string line(const ApiError& error) {
    return std::to_string(static_cast<int>(error.code)) + " " + error.message.value_or("-");
  }

  Controller controller_;
  MetadataImage image_;
};

TEST_F(ControllerTest, ConfigurationsAreAltered) {
  const auto topic = ConfigResourceType::topic;
  const auto broker = ConfigResourceType::broker;
  EXPECT_EQ(alter(topic, "plain", "cleanup.policy", Op::append, "compact"), "0 -");
  EXPECT_EQ(image_.configs->configs({topic, "plain"}).at("cleanup.policy"), "delete,compact");
  EXPECT_EQ(alter(topic, "plain", "cleanup.policy", Op::subtract, "delete"), "0 -");
  EXPECT_EQ(image_.configs->configs({topic, "plain"}).at("cleanup.policy"), "compact");
  EXPECT_EQ(alter(topic, "plain", "cleanup.policy", Op::remove, std::nullopt), "0 -");
  EXPECT_TRUE(image_.configs->configs({topic, "plain"}).empty());
  EXPECT_EQ(alter(topic, "plain", "retention.ms", Op::append, "1"),
            "40 Can't APPEND to key retention.ms because its type is not LIST.");
  EXPECT_EQ(alter(topic, "plain", "no.such", Op::set, "1"), "40 Unknown topic config name: no.such");
  EXPECT_EQ(alter(topic, "nosuch", "retention.ms", Op::set, "1"), "3 The topic 'nosuch' does not exist.");
  EXPECT_EQ(alter(broker, "", "log.cleaner.threads", Op::set, "2"), "0 -");
  EXPECT_EQ(alter(broker, "9", "log.retention.ms", Op::set, "2"), "102 No node with id 9 found.");
  EXPECT_EQ(alter(broker, "", "min.insync.replicas", Op::remove, std::nullopt),
            "40 Cluster-level min.insync.replicas cannot be removed while ELR is enabled.");
  EXPECT_EQ(alter(broker, "1", "min.insync.replicas", Op::set, "1"),
            "40 Broker-level min.insync.replicas cannot be altered while ELR is enabled.");
}

TEST_F(ControllerTest, AChangeOfMinIsrClearsEligibleReplicas) {
  const auto result = controller_.incremental_alter_configs(
      image_, {{{ConfigResourceType::topic, "plain"}, {{"min.insync.replicas", Op::set, "2"}}}});
  ASSERT_EQ(result.records.size(), 2U);
  EXPECT_EQ(std::get<protocol::ClearElrRecord>(result.records[1].message).topic_name, "plain");
}

TEST_F(ControllerTest, AlterConfigsReplacesTheWholeSet) {
  ASSERT_EQ(alter(ConfigResourceType::topic, "plain", "retention.ms", Op::set, "1"), "0 -");
  replay(
      controller_.legacy_alter_configs(image_, {{{ConfigResourceType::topic, "plain"}, {{"segment.ms", Op::set, "5"}}}})
          .records);
  EXPECT_EQ(image_.configs->configs({ConfigResourceType::topic, "plain"}), (ConfigMap{{"segment.ms", "5"}}));
}

TEST_F(ControllerTest, FeaturesGoUpAndDownAsKafkaAllows) {
  const auto up = FeatureUpdate::Kind::upgrade;
  const auto safe = FeatureUpdate::Kind::safe_downgrade;
  const std::string failed = "95 The update failed for all features since the following feature had an error: ";
  EXPECT_EQ(update("streams.version", 1, up), "0 -");
  EXPECT_EQ(update("streams.version", 1, up), "0 -");
  EXPECT_EQ(update("streams.version", 0, safe), "0 -");
  EXPECT_EQ(image_.features->level("streams.version"), 0);
  EXPECT_EQ(
      update("streams.version", 9, up),
      failed + "Invalid update version 9 for feature streams.version. Local controller 1 only supports versions 0-1");
  EXPECT_EQ(update("no.such", 1, up),
            failed + "Invalid update version 1 for feature no.such. Local controller 1 does not support this feature.");
  EXPECT_EQ(update("metadata.version", 34, up),
            failed +
                "Invalid update version 34 for feature metadata.version. Local controller 1 only supports versions "
                "7-33");
  EXPECT_EQ(update("metadata.version", 29, safe),
            failed +
                "Unsupported metadata.version downgrade from 33 to 29. Refusing to perform the requested downgrade "
                "because it might delete metadata information.");
  EXPECT_EQ(update("metadata.version", 29, FeatureUpdate::Kind::unsafe_downgrade),
            failed +
                "Unsupported metadata.version downgrade from 33 to 29. Unsafe metadata downgrade is not supported in "
                "this version.");
}

TEST_F(ControllerTest, ElectionsSayWhenNothingIsNeeded) {
  const auto result = controller_.elect_leaders(image_, 0, {{{"plain", 0}, {"plain", 99}, {"nosuch", 0}}});
  EXPECT_EQ(line(result.response[0].error), "84 Leader election not needed for topic partition.");
  EXPECT_EQ(line(result.response[1].error), "3 No such partition as plain-99");
  EXPECT_EQ(line(result.response[2].error), "3 No such topic as nosuch");
  EXPECT_TRUE(controller_.elect_leaders(image_, 0, std::nullopt).response.empty());
  EXPECT_EQ(line(controller_.elect_leaders(image_, 7, std::nullopt).error), "42 Unknown election type 7");
}

}  // namespace
}  // namespace dohle::metadata
