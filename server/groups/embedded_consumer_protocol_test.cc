#include "server/groups/embedded_consumer_protocol.h"

#include <gtest/gtest.h>

#include "server/groups/test_hex.h"

namespace dohle::groups {

namespace {

// Written by Kafka's ConsumerProtocol.serializeSubscription.
constexpr const char* subscription_of_kafka =
    "000300000001000174ffffffff00000001000174000000020000000000000001ffffffffffff";

metadata::MetadataImage image_with(const std::string& name, const codec::Uuid& id) {
  auto topic = std::make_shared<metadata::TopicImage>();
  topic->name = name;
  topic->id = id;
  metadata::MetadataImage image;
  auto topics = std::make_shared<metadata::TopicsImage>(*image.topics);
  topics->put(std::move(topic));
  image.topics = std::move(topics);
  return image;
}

TEST(EmbeddedConsumerProtocol, ReadsASubscriptionOfKafkas) {
  const auto subscription = parse_subscription(from_hex(subscription_of_kafka));
  ASSERT_TRUE(subscription);
  EXPECT_EQ(subscription->topics, (std::vector<std::string>{"t"}));
  ASSERT_EQ(subscription->owned_partitions.size(), 1U);
  EXPECT_EQ(subscription->owned_partitions[0].partitions, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(subscription->generation_id, -1);
}

TEST(EmbeddedConsumerProtocol, ReadsVersionsOfTheFutureAsTheNewestOne) {
  auto bytes = from_hex(subscription_of_kafka);
  bytes[1] = 9;
  bytes.push_back(42);
  EXPECT_EQ(parse_subscription(bytes), parse_subscription(from_hex(subscription_of_kafka)));
  EXPECT_EQ(embedded_version(bytes), 9);
}

TEST(EmbeddedConsumerProtocol, RefusesWhatIsNone) {
  EXPECT_FALSE(parse_subscription({}));
  EXPECT_FALSE(parse_subscription(from_hex("00")));
  EXPECT_FALSE(parse_subscription(from_hex("ffff00000000")));
  EXPECT_FALSE(parse_assignment(from_hex("000000000009")));
  EXPECT_FALSE(embedded_version(from_hex("ffff")));
}

TEST(EmbeddedConsumerProtocol, WritesAnAssignmentAsKafkaDoes) {
  const auto id = codec::Uuid::reserved(7);
  const auto image = image_with("t", id);
  const auto bytes = embedded_assignment({{id, {0, 2}}, {codec::Uuid::reserved(8), {1}}}, image, 9);
  EXPECT_EQ(bytes, from_hex("000300000001000174000000020000000000000002ffffffff"));
  EXPECT_EQ(embedded_assignment({}, image, 0), from_hex("000000000000ffffffff"));
}

}  // namespace

}  // namespace dohle::groups
