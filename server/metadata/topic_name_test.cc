#include "server/metadata/topic_name.h"

#include <gtest/gtest.h>

namespace dohle::metadata {
namespace {

TEST(TopicName, IsLegalAsInKafka) {
  EXPECT_EQ(invalid_topic_name(std::string(249, 'x')), std::nullopt);
  EXPECT_EQ(
      invalid_topic_name(std::string(250, 'x')),
      "Topic name is invalid: the length of '" + std::string(250, 'x') + "' is longer than the max allowed length 249");
  EXPECT_EQ(invalid_topic_name("."), "Topic name is invalid: '.' is not allowed");
  EXPECT_EQ(invalid_topic_name("A-z_0.9"), std::nullopt);
  EXPECT_TRUE(topic_names_collide("a.b", "a_b"));
  EXPECT_FALSE(topic_names_collide("a.b", "a-b"));
  EXPECT_TRUE(is_internal_topic("__share_group_state"));
  EXPECT_FALSE(is_internal_topic("__cluster_metadata"));
}

}  // namespace
}  // namespace dohle::metadata
