#include "server/api/config_description.h"

#include <gtest/gtest.h>

namespace dohle::api {
namespace {

using metadata::ConfigResourceType;
using protocol::DescribeConfigsRequest;
using protocol::DescribeConfigsResponse;

// The entries themselves and their order are compared with Kafka's in config_entries_test.

struct Fixture {
  config::BrokerConfig broker = config::load_broker_config(config::sample_properties())->config;
  metadata::ConfigurationsImage configs;

  Fixture() { configs.resources[{ConfigResourceType::topic, "t"}] = {{"retention.ms", "5"}}; }

  DescribeConfigsResponse ask(const DescribeConfigsRequest& request) {
    return describe_configs_of({broker, configs, [](std::string_view name) { return name == "t"; }}, request);
  }

  DescribeConfigsResponse::DescribeConfigsResult ask(int type, const std::string& name) {
    DescribeConfigsRequest request;
    auto& resource = request.resources.emplace_back();
    resource.resource_type = static_cast<std::int8_t>(type);
    resource.resource_name = name;
    return ask(request).results.at(0);
  }
};

TEST(ConfigDescription, GivesWhatIsAskedForAndNoMore) {
  DescribeConfigsRequest request;
  auto& resource = request.resources.emplace_back();
  resource.resource_type = 2;
  resource.resource_name = "t";
  resource.configuration_keys = std::vector<std::string>{"retention.ms", "no.such.key"};
  auto result = Fixture().ask(request).results.at(0);
  EXPECT_EQ(result.error_code, 0);
  EXPECT_EQ(result.error_message, "");
  ASSERT_EQ(result.configs.size(), 1u);
  EXPECT_EQ(result.configs[0].value, "5");
  EXPECT_EQ(result.configs[0].config_source, 1);
  EXPECT_EQ(result.configs[0].config_type, 5);
  EXPECT_EQ(result.configs[0].documentation, std::nullopt);
  EXPECT_TRUE(result.configs[0].synonyms.empty());

  request.include_synonyms = true;
  request.include_documentation = true;
  result = Fixture().ask(request).results.at(0);
  EXPECT_EQ(result.configs[0].synonyms.at(0).name, "retention.ms");
  EXPECT_TRUE(result.configs[0].documentation);
}

TEST(ConfigDescription, GivesEverythingWithoutKeysOrWithNone) {
  DescribeConfigsRequest request;
  auto& resource = request.resources.emplace_back();
  resource.resource_type = 4;
  resource.resource_name = "1";
  resource.configuration_keys = std::nullopt;
  EXPECT_GT(Fixture().ask(request).results.at(0).configs.size(), 340u);
  resource.configuration_keys = std::vector<std::string>{};
  EXPECT_GT(Fixture().ask(request).results.at(0).configs.size(), 340u);
}

TEST(ConfigDescription, RefusesEachResourceInKafkasWords) {
  struct Case {
    int type;
    const char* name;
    int code;
    const char* message;
  };
  for (const Case& one :
       {Case{2, "missing", 3, ""}, Case{2, "", 17, "Topic name is invalid: the empty string is not allowed"},
        Case{2, "..", 17, "Topic name is invalid: '..' is not allowed"},
        Case{
            2, "a b", 17,
            "Topic name is invalid: 'a b' contains one or more characters other than ASCII alphanumerics, '.', '_' and "
            "'-'"},
        Case{4, "2", 42, "Unexpected broker id, expected 1 or empty string, but received 2"},
        Case{4, "x", 42, "Broker id must be an integer, but it is: x"}, Case{8, "", 42, "Broker id must not be empty"},
        Case{8, "2", 42, "Unexpected broker id, expected 1 but received 2"},
        Case{16, "", 42, "Client metrics subscription name must not be empty"},
        Case{32, "", 42, "Group name must not be empty"}}) {
    auto result = Fixture().ask(one.type, one.name);
    EXPECT_EQ(result.error_code, one.code) << one.message;
    EXPECT_EQ(result.error_message, one.message);
    EXPECT_TRUE(result.configs.empty());
  }
  auto long_name = Fixture().ask(2, std::string(250, 'a'));
  EXPECT_EQ(long_name.error_message, "Topic name is invalid: the length of '" + std::string(250, 'a') +
                                         "' is longer than the max allowed length 249");
}

TEST(ConfigDescription, RefusesTheWholeRequestForATypeThatNobodyKnows) {
  DescribeConfigsRequest request;
  request.resources.resize(2);
  request.resources[0].resource_type = 2;
  request.resources[0].resource_name = "t";
  request.resources[1].resource_type = 3;
  auto response = Fixture().ask(request);
  ASSERT_EQ(response.results.size(), 2u);
  EXPECT_EQ(response.results[0].error_code, 42);
  EXPECT_EQ(response.results[1].error_code, 42);
}

TEST(ConfigDescription, KnowsGroupsSubscriptionsAndTheRootLogger) {
  Fixture fixture;
  fixture.configs.resources[{ConfigResourceType::group, "g"}] = {{"consumer.session.timeout.ms", "50000"}};
  auto group = fixture.ask(32, "g");
  auto session = std::find_if(group.configs.begin(), group.configs.end(),
                              [](const auto& entry) { return entry.name == "consumer.session.timeout.ms"; });
  ASSERT_NE(session, group.configs.end());
  EXPECT_EQ(session->config_source, 8);
  EXPECT_EQ(fixture.ask(16, "m").configs.size(), 3u);
  EXPECT_EQ(fixture.ask(8, "1").configs.at(0).name, "root");
  EXPECT_EQ(fixture.ask(4, "").configs.size(), 0u);
}

TEST(ConfigDescription, SaysThatItDoesNotKnowWhenWhatIsStoredCannotBeRead) {
  Fixture fixture;
  fixture.configs.resources[{ConfigResourceType::topic, "t"}] = {{"retention.ms", "soon"}};
  EXPECT_EQ(fixture.ask(2, "t").error_code, -1);
}

}  // namespace
}  // namespace dohle::api
