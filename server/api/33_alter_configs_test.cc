#include "protocol/messages/alter_configs.h"
#include "protocol/messages/describe_configs.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;

class AlterConfigs : public BrokerFixture {
 protected:
  using Entries = std::map<std::string, std::optional<std::string>>;

  std::int16_t alter(std::int8_t type, const std::string& name, const Entries& entries, bool on_controller = false) {
    protocol::AlterConfigsRequest request;
    auto& resource = request.resources.emplace_back();
    resource.resource_type = type;
    resource.resource_name = name;
    for (const auto& [key, value] : entries) {
      auto& config = resource.configs.emplace_back();
      config.name = key;
      config.value = value;
    }
    const auto response =
        call<protocol::AlterConfigsRequest, protocol::AlterConfigsResponse>(2, request, on_controller);
    EXPECT_EQ(response.responses.size(), 1u);
    EXPECT_EQ(response.responses.at(0).resource_name, name);
    return response.responses.at(0).error_code;
  }

  std::optional<std::string> value_of(const std::string& topic, const std::string& key) {
    protocol::DescribeConfigsRequest request;
    auto& resource = request.resources.emplace_back();
    resource.resource_type = 2;
    resource.resource_name = topic;
    resource.configuration_keys = {key};
    const auto response = call<protocol::DescribeConfigsRequest, protocol::DescribeConfigsResponse>(4, request);
    return response.results.at(0).configs.at(0).value;
  }
};

TEST_F(AlterConfigs, WhatIsNotNamedGoes) {
  create_topic("t");
  EXPECT_EQ(alter(2, "t", {{"retention.ms", "500"}, {"segment.ms", "70000"}}), 0);
  EXPECT_EQ(value_of("t", "retention.ms"), "500");
  EXPECT_EQ(alter(2, "t", {{"segment.ms", "80000"}}), 0);
  EXPECT_EQ(value_of("t", "retention.ms"), "604800000");
  EXPECT_EQ(value_of("t", "segment.ms"), "80000");
}

TEST_F(AlterConfigs, EveryResourceHasItsError) {
  create_topic("t");
  EXPECT_EQ(alter(2, "nowhere", {{"retention.ms", "1"}}), code(ErrorCode::unknown_topic_or_partition));
  EXPECT_EQ(alter(2, "t", {{"retention.ms", "abc"}}), code(ErrorCode::invalid_config));
  EXPECT_EQ(alter(2, "t", {{"retention.ms", std::nullopt}}), code(ErrorCode::invalid_request));
  EXPECT_EQ(alter(4, "999", {}), code(ErrorCode::invalid_request));
  EXPECT_EQ(alter(8, "1", {{"root", "INFO"}}), code(ErrorCode::invalid_request));
  EXPECT_EQ(alter(3, "x", {}), code(ErrorCode::invalid_request));
}

TEST_F(AlterConfigs, TheControllerJudgesAlone) {
  create_topic("t");
  EXPECT_EQ(alter(2, "t", {{"retention.ms", "500"}}, true), 0);
  EXPECT_EQ(value_of("t", "retention.ms"), "500");
  EXPECT_EQ(alter(3, "x", {}, true), code(ErrorCode::unsupported_version));
}

}  // namespace
}  // namespace dohle::api
