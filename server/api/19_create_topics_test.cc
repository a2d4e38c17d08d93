// What the controller decides is tested beside it (controller_topics_test); here stands what the whole broker makes of
// it.
#include "protocol/messages/create_topics.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::CreateTopicsRequest;
using protocol::CreateTopicsResponse;
using protocol::ErrorCode;

class CreateTopics : public BrokerFixture {
 protected:
  static CreateTopicsRequest request_for(const std::vector<std::string>& names) {
    CreateTopicsRequest request;
    for (const auto& name : names) {
      auto& topic = request.topics.emplace_back();
      topic.name = name;
      topic.num_partitions = -1;
      topic.replication_factor = -1;
    }
    return request;
  }
  CreateTopicsResponse ask(const CreateTopicsRequest& request, std::int16_t version = 7) {
    return call<CreateTopicsRequest, CreateTopicsResponse>(version, request);
  }
};

TEST_F(CreateTopics, WhatIsCreatedCanBeUsed) {
  // behaviours.md 19, 146
  configs["num.partitions"] = "3";
  const auto response = ask(request_for({"t"}));
  ASSERT_EQ(response.topics.size(), 1u);
  EXPECT_EQ(response.topics[0].error_code, 0);
  EXPECT_FALSE(response.topics[0].topic_id.is_zero());
  EXPECT_EQ(response.topics[0].num_partitions, 3);
  EXPECT_EQ(response.topics[0].replication_factor, 1);
  EXPECT_TRUE(response.topics[0].configs.has_value());
  EXPECT_EQ(produce("t", {}, 2).error_code, 0);
}

TEST_F(CreateTopics, WhatIsOnlyValidatedIsNotThere) {
  auto request = request_for({"t"});
  request.validate_only = true;
  EXPECT_EQ(ask(request).topics.at(0).error_code, 0);
  EXPECT_EQ(produce("t", {}).error_code, code(ErrorCode::unknown_topic_or_partition));
  EXPECT_EQ(ask(request_for({"t"})).topics.at(0).error_code, 0);
}

TEST_F(CreateTopics, EachTopicHasItsOwnError) {
  // behaviours.md 146, 148, 155
  create_topic("there");
  auto request = request_for({"there", "a b", "many", "config", "good"});
  request.topics[2].replication_factor = 2;
  auto& config = request.topics[3].configs.emplace_back();
  config.name = "no.such.key";
  config.value = "1";
  const auto response = ask(request);
  const auto error_of = [&](const std::string& name) -> int {
    for (const auto& topic : response.topics) {
      if (topic.name == name) return topic.error_code;
    }
    return -1;
  };
  EXPECT_EQ(error_of("there"), code(ErrorCode::topic_already_exists));
  EXPECT_EQ(error_of("a b"), code(ErrorCode::invalid_topic_exception));
  EXPECT_EQ(error_of("many"), code(ErrorCode::invalid_replication_factor));
  EXPECT_EQ(error_of("config"), code(ErrorCode::invalid_config));
  EXPECT_EQ(error_of("good"), 0);
}

TEST_F(CreateTopics, TheConfigurationHoldsFromTheFirstRecord) {
  create_topic("t", 1, {{"max.message.bytes", "100"}});
  EXPECT_EQ(broker().partition("t", 0)->config()->max_message_bytes, 100);
}

TEST_F(CreateTopics, AControllerCreatesToo) {
  // behaviours.md 162
  const auto response = call<CreateTopicsRequest, CreateTopicsResponse>(7, request_for({"t"}), true);
  EXPECT_EQ(response.topics.at(0).error_code, 0);
  EXPECT_EQ(produce("t", {}).error_code, 0);
}

}  // namespace
}  // namespace dohle::api
