// The messages are RE2/J's, as Kafka answers them.
#include "server/groups/subscription_regex.h"

#include <gtest/gtest.h>

namespace dohle::groups {

namespace {

TEST(SubscriptionRegex, RefusesInKafkasWords) {
  const std::vector<std::pair<std::string, std::string>> cases = {{"[", "missing closing ]"},
                                                                  {"(", "missing closing )"},
                                                                  {"*", "missing argument to repetition operator"},
                                                                  {"a**", "invalid nested repetition operator"},
                                                                  {"x{1001}", "invalid repeat count"},
                                                                  {"\\", "trailing backslash at end of expression"},
                                                                  {"(?z)", "invalid or unsupported Perl syntax"},
                                                                  {"[b-a]", "invalid character class range"},
                                                                  {"\\8", "invalid escape sequence"},
                                                                  {"(?P<n", "invalid named capture"}};
  for (const auto& [regex, words] : cases) {
    EXPECT_EQ(check_regex(regex),
              "SubscribedTopicRegex `" + regex + "` is not a valid regular expression: " + words + ".");
  }
  EXPECT_EQ(check_regex("orders-.*"), std::nullopt);
}

TEST(SubscriptionRegex, MatchesWholeNames) {
  metadata::TopicsImage topics;
  std::uint8_t id = 1;
  for (const auto* name : {"orders-b", "orders-a", "old-orders-a"}) {
    auto topic = std::make_shared<metadata::TopicImage>();
    topic->name = name;
    topic->id = codec::Uuid::reserved(id++);
    topics.put(topic);
  }
  EXPECT_EQ(matching_topics("orders-.", topics), (std::vector<std::string>{"orders-a", "orders-b"}));
  EXPECT_TRUE(matching_topics("[", topics).empty());
}

}  // namespace

}  // namespace dohle::groups
