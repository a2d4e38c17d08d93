// The answer is tested in config_description_test; here, that it is made of this broker's image and configuration.
#include "protocol/messages/describe_configs.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::DescribeConfigsRequest;
using protocol::DescribeConfigsResponse;
using protocol::ErrorCode;

class DescribeConfigs : public BrokerFixture {
 protected:
  DescribeConfigsResponse::DescribeConfigsResult ask(int type, const std::string& name, const std::string& key,
                                                     bool on_controller = false) {
    DescribeConfigsRequest request;
    auto& resource = request.resources.emplace_back();
    resource.resource_type = static_cast<std::int8_t>(type);
    resource.resource_name = name;
    resource.configuration_keys = std::vector{key};
    return call<DescribeConfigsRequest, DescribeConfigsResponse>(4, request, on_controller).results.at(0);
  }
};

TEST_F(DescribeConfigs, TopicsAndTheBroker) {
  // behaviours.md 149, 150
  configs["log.retention.ms"] = "77";
  create_topic("t", 1, {{"max.message.bytes", "100"}});
  const auto own = ask(2, "t", "max.message.bytes").configs.at(0);
  EXPECT_EQ(own.value, "100");
  EXPECT_EQ(own.config_source, 1);
  const auto inherited = ask(2, "t", "retention.ms").configs.at(0);
  EXPECT_EQ(inherited.value, "77");
  EXPECT_EQ(inherited.config_source, 4);  // of server.properties
  EXPECT_EQ(ask(2, "t", "segment.ms").configs.at(0).config_source, 5);
  EXPECT_EQ(ask(4, "1", "num.partitions").configs.at(0).value, "1");
}

TEST_F(DescribeConfigs, AnUnknownTopicIsUnknown) {
  EXPECT_EQ(ask(2, "u", "retention.ms").error_code, code(ErrorCode::unknown_topic_or_partition));
}

}  // namespace
}  // namespace dohle::api
