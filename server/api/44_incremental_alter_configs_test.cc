#include "protocol/messages/describe_configs.h"
#include "protocol/messages/incremental_alter_configs.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;

class IncrementalAlterConfigs : public BrokerFixture {
 protected:
  struct Operation {
    std::string key;
    std::int8_t operation;
    std::optional<std::string> value;
  };

  std::int16_t alter(std::int8_t type, const std::string& name, const std::vector<Operation>& operations,
                     bool validate_only = false, bool on_controller = false) {
    protocol::IncrementalAlterConfigsRequest request;
    request.validate_only = validate_only;
    auto& resource = request.resources.emplace_back();
    resource.resource_type = type;
    resource.resource_name = name;
    for (const auto& operation : operations) {
      auto& config = resource.configs.emplace_back();
      config.name = operation.key;
      config.config_operation = operation.operation;
      config.value = operation.value;
    }
    const auto response = call<protocol::IncrementalAlterConfigsRequest, protocol::IncrementalAlterConfigsResponse>(
        1, request, on_controller);
    EXPECT_EQ(response.responses.size(), 1u);
    return response.responses.at(0).error_code;
  }

  std::optional<std::string> value_of(std::int8_t type, const std::string& name, const std::string& key) {
    protocol::DescribeConfigsRequest request;
    auto& resource = request.resources.emplace_back();
    resource.resource_type = type;
    resource.resource_name = name;
    resource.configuration_keys = {key};
    const auto response = call<protocol::DescribeConfigsRequest, protocol::DescribeConfigsResponse>(4, request);
    return response.results.at(0).configs.at(0).value;
  }
};

TEST_F(IncrementalAlterConfigs, OperationsChangeOneKeyEach) {
  create_topic("t");
  EXPECT_EQ(alter(2, "t", {{"retention.ms", 0, "12345"}, {"cleanup.policy", 2, "compact"}}), 0);
  EXPECT_EQ(value_of(2, "t", "retention.ms"), "12345");
  EXPECT_EQ(value_of(2, "t", "cleanup.policy"), "delete,compact");
  EXPECT_EQ(alter(2, "t", {{"retention.ms", 1, std::nullopt}, {"cleanup.policy", 3, "delete"}}), 0);
  EXPECT_EQ(value_of(2, "t", "retention.ms"), "604800000");
  EXPECT_EQ(value_of(2, "t", "cleanup.policy"), "compact");
}

TEST_F(IncrementalAlterConfigs, ACheckChangesNothing) {
  create_topic("t");
  EXPECT_EQ(alter(2, "t", {{"retention.ms", 0, "12345"}}, true), 0);
  EXPECT_EQ(value_of(2, "t", "retention.ms"), "604800000");
  EXPECT_EQ(alter(2, "t", {{"retention.ms", 0, "x"}}, true), code(ErrorCode::invalid_config));
}

TEST_F(IncrementalAlterConfigs, TheClustersDefaultIsKept) {
  EXPECT_EQ(alter(4, "", {{"message.max.bytes", 0, "2000000"}}), 0);
  const auto image = broker().services().image.current();
  EXPECT_EQ(image->configs->configs({metadata::ConfigResourceType::broker, ""}).at("message.max.bytes"), "2000000");
  EXPECT_EQ(alter(4, "", {{"process.roles", 0, "broker"}}), code(ErrorCode::invalid_request));
}

TEST_F(IncrementalAlterConfigs, AnOperationThatNobodyKnowsFailsTheRequest) {
  create_topic("t");
  EXPECT_EQ(alter(2, "t", {{"retention.ms", 9, "1"}}), code(ErrorCode::unknown_server_error));
  EXPECT_EQ(alter(2, "t", {{"retention.ms", 9, "1"}}, false, true), code(ErrorCode::unknown_server_error));
  EXPECT_EQ(value_of(2, "t", "retention.ms"), "604800000");
}

}  // namespace
}  // namespace dohle::api
