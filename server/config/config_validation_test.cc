#include "server/config/config_validation.h"

#include <gtest/gtest.h>

#include "server/config/testing_tables.h"

namespace dohle::config {
namespace {

// "key=value" sets, "-key" removes, "+key=value" appends, "~key=value" subtracts; ";;" stands between two.
std::vector<AlterConfig> alterations_of(std::string text) {
  std::vector<AlterConfig> alterations;
  while (!text.empty()) {
    std::size_t end = text.find(";;");
    std::string part = text.substr(0, end);
    text = end == std::string::npos ? "" : text.substr(end + 2);
    AlterConfig alteration;
    if (part[0] == '-') alteration.operation = AlterOperation::remove;
    if (part[0] == '+') alteration.operation = AlterOperation::append;
    if (part[0] == '~') alteration.operation = AlterOperation::subtract;
    if (alteration.operation != AlterOperation::set) part.erase(0, 1);
    alteration.name = part.substr(0, part.find('='));
    if (part.find('=') != std::string::npos) alteration.value = part.substr(part.find('=') + 1);
    alterations.push_back(std::move(alteration));
  }
  return alterations;
}

ConfigMap sets_of(const std::string& text) {
  ConfigMap configs;
  for (const AlterConfig& alteration : alterations_of(text)) configs[alteration.name] = alteration.value;
  return configs;
}

Verdict validate(const BrokerConfig& broker, const std::string& type, const std::string& name,
                 const std::string& changes) {
  if (type == "topic") return validate_topic_configs(broker, sets_of(changes), {});
  if (type == "group") return validate_group_configs(broker, sets_of(changes));
  if (type == "client-metrics") return validate_client_metrics_configs(name, sets_of(changes));
  bool per_broker = name != "<empty>";
  auto configs = apply_broker_alterations({}, per_broker, alterations_of(changes));
  if (!configs) return configs.error();
  return validate_broker_configs(broker, *configs, per_broker);
}

// Who may be named in a request is the handler's business.
bool is_about_the_resource_name(const std::string& message) {
  return message.starts_with("Unexpected broker id") || message.starts_with("Node id must be") ||
         message.starts_with("Default group resources");
}

TEST(ConfigValidation, AnswersEveryRecordedCaseAsKafkaDoes) {
  BrokerConfig broker = testing_broker();
  std::size_t cases = 0;
  for (const std::string& line : testing_lines("alter_cases.tsv")) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> columns = testing_columns(line);
    ASSERT_EQ(columns.size(), 5u) << line;
    if (is_about_the_resource_name(columns[4])) continue;
    Verdict verdict = validate(broker, columns[0], columns[1], columns[2]);
    int code = verdict ? static_cast<int>(verdict->error_code) : 0;
    EXPECT_EQ(std::to_string(code), columns[3]) << line;
    EXPECT_EQ(verdict ? verdict->message : "<null>", columns[4]) << line;
    ++cases;
  }
  EXPECT_GT(cases, 140u);
}

BrokerConfig tiered_broker() {
  BrokerConfig broker = testing_broker();
  ConfigMap properties = broker.static_configs;
  properties["remote.log.storage.system.enable"] = "true";
  broker.values = *ConfigValues::parse(Scope::broker, properties);
  return broker;
}

std::string refusal_of(const ConfigMap& configs, const ConfigMap& existing = {}) {
  Verdict verdict = validate_topic_configs(tiered_broker(), configs, existing);
  return verdict ? verdict->message : "";
}

TEST(ConfigValidation, HoldsTieredTopicsToTheirRules) {
  EXPECT_EQ(refusal_of({{"remote.storage.enable", "true"}}), "");
  EXPECT_EQ(refusal_of({{"remote.storage.enable", "true"}, {"cleanup.policy", ""}}), "");
  EXPECT_EQ(
      refusal_of({{"remote.storage.enable", "true"}, {"cleanup.policy", "compact"}}),
      "Remote log storage only supports topics with cleanup.policy=delete or cleanup.policy being an empty list.");
  EXPECT_EQ(refusal_of({{"remote.storage.enable", "true"}, {"retention.ms", "10"}, {"local.retention.ms", "11"}}),
            "Invalid value 11 for configuration local.retention.ms: Value must not be more than retention.ms property "
            "value: 10");
  EXPECT_EQ(
      refusal_of({{"remote.storage.enable", "true"}, {"retention.bytes", "10"}, {"local.retention.bytes", "-1"}}),
      "Invalid value -1 for configuration local.retention.bytes: Value must not be -1 as retention.bytes value is "
      "set as 10.");
  EXPECT_EQ(refusal_of({{"remote.storage.enable", "true"}, {"local.retention.ms", "5"}, {"remote.copy.lag.ms", "6"}}),
            "Invalid value 6 for configuration remote.copy.lag.ms: Value must not exceed local.retention.ms (effective "
            "value: 5)");
  EXPECT_EQ(
      refusal_of({{"remote.storage.enable", "true"}, {"remote.log.copy.disable", "true"}, {"local.retention.ms", "5"}}),
      "When `remote.log.copy.disable` is set to true, the `local.retention.ms` and `retention.ms` must be set to "
      "the identical value because there will be no more logs copied to the remote storage.");
}

TEST(ConfigValidation, DoesNotLetTieringGoWhileTieredDataStays) {
  ConfigMap existing = {{"remote.storage.enable", "true"}};
  EXPECT_TRUE(refusal_of({}, existing).starts_with("It is invalid to disable remote storage without deleting"));
  EXPECT_EQ(refusal_of({{"remote.log.delete.on.disable", "true"}}, existing), "");
}

TEST(ConfigValidation, LeavesOutWhatCannotBeUsedOfTheExistingBrokerConfigs) {
  auto configs = apply_broker_alterations({{"node.id", "3"}, {"log.retention.ms", "x"}, {"max.connections", "5"}},
                                          false, alterations_of("log.cleaner.threads=2;;-max.connections"));
  ASSERT_TRUE(configs);
  EXPECT_EQ(*configs, (ConfigMap{{"log.cleaner.threads", "2"}}));
}

TEST(ConfigValidation, AppendsAndSubtractsOnTopOfTheDefault) {
  auto appended = apply_broker_alterations({}, false, alterations_of("+log.cleanup.policy=compact,delete"));
  ASSERT_TRUE(appended);
  EXPECT_EQ(appended->at("log.cleanup.policy"), "delete,compact");
  auto subtracted = apply_broker_alterations({{"log.cleanup.policy", "delete,compact"}}, false,
                                             alterations_of("~log.cleanup.policy=delete"));
  ASSERT_TRUE(subtracted);
  EXPECT_EQ(subtracted->at("log.cleanup.policy"), "compact");
}

TEST(ConfigValidation, WantsANameForAClientMetricsSubscription) {
  Verdict verdict = validate_client_metrics_configs("", {});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->error_code, protocol::ErrorCode::invalid_request);
  EXPECT_EQ(verdict->message, "Subscription name can't be empty");
}

}  // namespace
}  // namespace dohle::config
