// Expected values are what Kafka 4.4.0 answered in the differential walk (IncrementalAlterConfigs, AlterConfigs).
#include "server/api/config_changes.h"

#include <gtest/gtest.h>

namespace dohle::api {
namespace {

using metadata::ConfigResourceType;
using protocol::ErrorCode;

constexpr std::int8_t topic = 2;
constexpr std::int8_t broker = 4;
constexpr std::int8_t logger = 8;

class ConfigChanges : public testing::Test {
 protected:
  std::optional<metadata::ApiError> decide(const ConfigChange& change, ChangeKind kind = ChangeKind::incremental) {
    return plan_on_broker(view, kind, {change}).decided.at(0);
  }

  void expect_refused(const ConfigChange& change, ErrorCode code, const std::string& message,
                      ChangeKind kind = ChangeKind::incremental) {
    const auto decided = decide(change, kind);
    ASSERT_TRUE(decided.has_value()) << message;
    EXPECT_EQ(decided->code, code) << message;
    EXPECT_EQ(decided->message, message);
  }

  config::BrokerConfig config;
  metadata::ConfigurationsImage configs;
  ConfigChangeView view{.node_id = 1, .broker = config, .configs = configs};
};

TEST_F(ConfigChanges, TopicsGroupsAndSubscriptionsAreTheControllers) {
  for (const std::int8_t type : {std::int8_t{2}, std::int8_t{16}, std::int8_t{32}}) {
    const auto plan = plan_on_broker(view, ChangeKind::incremental, {{type, "x", {{"a", 0, "1"}}}});
    EXPECT_FALSE(plan.decided.at(0).has_value());
    ASSERT_EQ(plan.for_controller.size(), 1U);
    EXPECT_EQ(plan.for_controller[0].entries.at(0).value, "1");
  }
}

TEST_F(ConfigChanges, AResourceTwiceIsRefusedEachTime) {
  const ConfigChange change{topic, "t", {{"retention.ms", 0, "1"}}};
  const auto plan = plan_on_broker(view, ChangeKind::incremental, {change, change});
  EXPECT_TRUE(plan.for_controller.empty());
  for (const auto& decided : plan.decided) {
    ASSERT_TRUE(decided.has_value());
    EXPECT_EQ(decided->code, ErrorCode::invalid_request);
    EXPECT_EQ(decided->message, "Each resource must appear at most once.");
  }
}

TEST_F(ConfigChanges, DuplicateKeysAndNullValuesAreRefused) {
  expect_refused({topic, "t", {{"a", 0, "1"}, {"a", 0, "2"}}}, ErrorCode::invalid_request,
                 "Error due to duplicate config keys");
  expect_refused({topic, "t", {{"a", 0, std::nullopt}, {"b", 2, std::nullopt}}}, ErrorCode::invalid_request,
                 "Null value not supported for : a, b");
  EXPECT_FALSE(decide({topic, "t", {{"a", 1, std::nullopt}}}).has_value());
}

TEST_F(ConfigChanges, ABrokerAnswersForItselfAlone) {
  expect_refused({broker, "9", {{"log.cleaner.threads", 0, "1"}}}, ErrorCode::invalid_request,
                 "Unexpected broker id, expected 1, but received 9");
  expect_refused({broker, "abc", {{"log.cleaner.threads", 0, "1"}}}, ErrorCode::invalid_request,
                 "Node id must be an integer, but it is: abc");
  expect_refused({broker, "1", {{"log.cleaner.threads", 9, "1"}}}, ErrorCode::invalid_request,
                 "Unknown operations type 9");
  expect_refused({broker, "1", {{"log.cleaner.threads", 2, "1"}}}, ErrorCode::invalid_config,
                 "Config value append is not allowed for config key: log.cleaner.threads");
}

TEST_F(ConfigChanges, LoggersTakeALevelOfTheRootAlone) {
  EXPECT_EQ(decide({logger, "1", {{"root", 0, "INFO"}}}), metadata::ApiError{});
  expect_refused({logger, "1", {{"root", 0, "LOUD"}}}, ErrorCode::invalid_config,
                 "Cannot set the log level of root to LOUD as it is not a supported log level. Valid log levels are "
                 "DEBUG, ERROR, FATAL, INFO, TRACE, WARN");
  expect_refused({logger, "1", {{"no.such.logger", 0, "INFO"}}}, ErrorCode::invalid_config,
                 "Logger no.such.logger does not exist!");
  expect_refused({logger, "1", {{"root", 1, std::nullopt}}}, ErrorCode::invalid_request,
                 "Removing the log level of the root logger is not allowed");
  expect_refused({logger, "1", {{"root", 2, "INFO"}}}, ErrorCode::invalid_request,
                 "APPEND operation is not allowed for the BROKER_LOGGER resource");
  expect_refused({logger, "1", {{"root", 3, "INFO"}}}, ErrorCode::invalid_request,
                 "SUBTRACT operation is not allowed for the BROKER_LOGGER resource");
  expect_refused({logger, "1", {{"root", 9, "INFO"}}}, ErrorCode::invalid_request,
                 "Unknown operation type 9 is not allowed for the BROKER_LOGGER resource");
  expect_refused({logger, "9", {{"root", 0, "INFO"}}}, ErrorCode::invalid_request,
                 "Unexpected node id. Expected 1, but received 9");
  expect_refused({logger, "1", {{"root", 0, "INFO"}}}, ErrorCode::invalid_request, "Unknown resource type 8",
                 ChangeKind::legacy);
}

TEST_F(ConfigChanges, UnknownTypesAreRefusedByEachListenerInItsOwnWords) {
  expect_refused({3, "x", {{"a", 0, "1"}}}, ErrorCode::invalid_request, "Unknown resource type 3");
  const auto plan = plan_on_controller(view, ChangeKind::incremental, {{3, "x", {{"a", 0, "1"}}}});
  ASSERT_EQ(plan.answers.size(), 1U);
  EXPECT_EQ(plan.answers[0].error.code, ErrorCode::unsupported_version);
  EXPECT_EQ(plan.answers[0].error.message, "Unknown resource type 3.");
}

TEST_F(ConfigChanges, TheControllerNamesADuplicateOnceAndTakesTheLastOfAKey) {
  const ConfigChange change{topic, "t", {{"a", 0, "1"}, {"a", 0, "2"}}};
  const auto twice = plan_on_controller(view, ChangeKind::incremental, {change, change});
  ASSERT_EQ(twice.answers.size(), 1U);
  EXPECT_EQ(twice.answers[0].error.message, "Duplicate resource.");
  EXPECT_TRUE(twice.for_controller.empty());
  const auto once = plan_on_controller(view, ChangeKind::incremental, {change});
  ASSERT_EQ(once.for_controller.size(), 1U);
  ASSERT_EQ(once.for_controller[0].entries.size(), 1U);
  EXPECT_EQ(once.for_controller[0].entries[0].value, "2");
}

}  // namespace
}  // namespace dohle::api
