#include "protocol/messages/list_config_resources.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

class ListConfigResources : public BrokerFixture {
 protected:
  protocol::ListConfigResourcesResponse list(std::vector<std::int8_t> types, std::int16_t version = 1) {
    protocol::ListConfigResourcesRequest request;
    request.resource_types = std::move(types);
    return call<protocol::ListConfigResourcesRequest, protocol::ListConfigResourcesResponse>(version, request);
  }
};

TEST_F(ListConfigResources, TopicsAreListedWithOrWithoutConfigs) {
  create_topic("plain");
  create_topic("set", 1, {{"retention.ms", "5"}});
  const auto answer = list({2});
  ASSERT_EQ(answer.config_resources.size(), 2u);
  EXPECT_EQ(answer.config_resources[0].resource_name, "plain");
  EXPECT_EQ(answer.config_resources[1].resource_type, 2);
}

TEST_F(ListConfigResources, NoTypesMeanAllInKafkasOrder) {
  create_topic("t");
  const auto answer = list({});
  std::vector<std::int8_t> types;
  for (const auto& resource : answer.config_resources) types.push_back(resource.resource_type);
  EXPECT_EQ(types, (std::vector<std::int8_t>{8, 4, 2}));
}

TEST_F(ListConfigResources, TheFirstVersionKnowsSubscriptionsAlone) {
  create_topic("t");
  EXPECT_TRUE(list({}, 0).config_resources.empty());
}

TEST_F(ListConfigResources, AnUnknownTypeFailsTheRequest) {
  const auto answer = list({4, 99});
  EXPECT_EQ(answer.error_code, code(protocol::ErrorCode::unsupported_version));
  EXPECT_TRUE(answer.config_resources.empty());
}

}  // namespace
}  // namespace dohle::api
