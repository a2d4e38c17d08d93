#include "server/metadata/metadata_image.h"

#include <gtest/gtest.h>

namespace dohle::metadata {
namespace {

TopicPointer topic(const std::string& name, std::uint8_t id) {
  auto result = std::make_shared<TopicImage>();
  result->name = name;
  result->id = codec::Uuid::reserved(id);
  return result;
}

TEST(MetadataImage, ACopyOfTheTopicsDoesNotSeeLaterChanges) {
  TopicsImage topics;
  for (int i = 0; i < 100; ++i) topics.put(topic("t" + std::to_string(i), static_cast<std::uint8_t>(100 + i)));
  const TopicsImage before = topics;
  topics.remove(codec::Uuid::reserved(105));
  topics.put(topic("new", 250));
  EXPECT_EQ(topics.size(), 100U);
  EXPECT_EQ(topics.find("t5"), nullptr);
  EXPECT_EQ(topics.find(codec::Uuid::reserved(105)), nullptr);
  EXPECT_NE(topics.find("new"), nullptr);
  EXPECT_EQ(before.size(), 100U);
  EXPECT_NE(before.find("t5"), nullptr);
  EXPECT_EQ(before.find("new"), nullptr);
  EXPECT_EQ(before.sorted_by_name().front()->name, "t0");
}

TEST(MetadataImage, ATopicCreatedAgainUnderItsNameOutlivesTheRemovalOfTheOld) {
  TopicsImage topics;
  topics.put(topic("a", 101));
  topics.put(topic("a", 102));
  topics.remove(codec::Uuid::reserved(101));
  ASSERT_NE(topics.find("a"), nullptr);
  EXPECT_EQ(topics.find("a")->id, codec::Uuid::reserved(102));
  topics.remove(codec::Uuid::reserved(101));
  EXPECT_EQ(topics.size(), 1U);
}

TEST(MetadataImage, DirectoriesAreOnlineAsKafkaSaysIt) {
  BrokerRegistration broker;
  EXPECT_TRUE(broker.has_online_directory(codec::Uuid::reserved(150)));
  EXPECT_EQ(broker.default_directory(), directory_migrating);
  broker.directories = {codec::Uuid::reserved(150)};
  EXPECT_TRUE(broker.has_online_directory(codec::Uuid::reserved(150)));
  EXPECT_FALSE(broker.has_online_directory(codec::Uuid::reserved(151)));
  EXPECT_TRUE(broker.has_online_directory(directory_unassigned));
  EXPECT_TRUE(broker.has_online_directory(directory_migrating));
  EXPECT_FALSE(broker.has_online_directory(directory_lost));
  EXPECT_EQ(broker.default_directory(), codec::Uuid::reserved(150));
  EXPECT_TRUE(broker.has_uncordoned_directory());
  broker.cordoned_directories = broker.directories;
  EXPECT_FALSE(broker.has_uncordoned_directory());
  broker.directories.push_back(codec::Uuid::reserved(151));
  EXPECT_EQ(broker.default_directory(), directory_unassigned);
  EXPECT_TRUE(is_reserved_directory(codec::Uuid::reserved(99)));
  EXPECT_FALSE(is_reserved_directory(codec::Uuid::reserved(100)));
}

}  // namespace
}  // namespace dohle::metadata
