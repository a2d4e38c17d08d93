#include "protocol/api_key.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

namespace dohle::protocol {
namespace {

// Expected values: ApiKeys of the 4.4.0 kafka-clients jar.

TEST(ApiKey, TheTableIsDenseSoThatAKeyIsAnIndex) {
  const auto apis = all_apis();
  ASSERT_EQ(apis.size(), 95u);
  for (std::size_t i = 0; i < apis.size(); ++i) EXPECT_EQ(static_cast<std::size_t>(apis[i].key), i);
}

TEST(ApiKey, UnknownNumbersHaveNoApi) {
  EXPECT_EQ(find_api(-1), nullptr);
  EXPECT_EQ(find_api(95), nullptr);
  EXPECT_EQ(find_api(32767), nullptr);
}

TEST(ApiKey, RemovedApisHaveNoVersionsAndNoMessages) {
  for (const std::int16_t key : {4, 5, 6, 7}) {
    EXPECT_TRUE(find_api(key)->versions.empty());
    EXPECT_EQ(find_api(key)->request, nullptr);
    EXPECT_FALSE(find_api(key)->on_broker);
  }
}

TEST(ApiKey, KnowsListenersAndFlexibility) {
  const ApiInfo& vote = api_info(ApiKey::vote);
  EXPECT_FALSE(vote.on_broker);
  EXPECT_TRUE(vote.on_controller);
  EXPECT_EQ(api_info(ApiKey::fetch).first_flexible_version, 12);
  EXPECT_EQ(api_info(ApiKey::sasl_handshake).first_flexible_version, never_flexible);
  EXPECT_STREQ(name(ApiKey::create_topics), "CreateTopics");
}

TEST(ApiKey, AdvertisesProduceFromZeroAndHidesUnstableVersions) {
  EXPECT_EQ(api_info(ApiKey::produce).versions, (VersionRange{3, 13}));
  EXPECT_EQ(advertised_versions(api_info(ApiKey::produce), false), (VersionRange{0, 13}));
  EXPECT_EQ(advertised_versions(api_info(ApiKey::init_producer_id), false), (VersionRange{0, 5}));
  EXPECT_EQ(advertised_versions(api_info(ApiKey::init_producer_id), true), (VersionRange{0, 6}));
}

TEST(Messages, AreFoundByNameAndNoNameIsTwice) {
  std::set<std::string> names;
  for (const MessageSchema* message : all_messages()) EXPECT_TRUE(names.insert(message->name).second) << message->name;
  EXPECT_EQ(names.size(), 278u);
  ASSERT_NE(find_message("TopicRecord"), nullptr);
  EXPECT_EQ(find_message("TopicRecord")->key, 2);
  EXPECT_EQ(find_message("NoSuchMessage"), nullptr);
}

}  // namespace
}  // namespace dohle::protocol
