#include "server/api/topic_name.h"

#include <gtest/gtest.h>

#include <string>

namespace dohle::api {
namespace {

TEST(TopicNameTest, FollowsKafkasRules) {
  for (const std::string name : {"a", "A.b_c-9", "...", std::string(249, 'x').c_str()}) {
    EXPECT_TRUE(is_valid_topic_name(name)) << name;
  }
  for (const std::string name : {"", ".", "..", "a b", "a/b", "\xc3\xa4", std::string(250, 'x').c_str()}) {
    EXPECT_FALSE(is_valid_topic_name(name)) << name;
  }
}

TEST(TopicNameTest, ThreeTopicsAreInternal) {
  EXPECT_TRUE(is_internal_topic("__consumer_offsets"));
  EXPECT_TRUE(is_internal_topic("__transaction_state"));
  EXPECT_TRUE(is_internal_topic("__share_group_state"));
  EXPECT_FALSE(is_internal_topic("__cluster_metadata"));
}

}  // namespace
}  // namespace dohle::api
