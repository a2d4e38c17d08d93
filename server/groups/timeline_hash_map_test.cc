// The orders are those of org.apache.kafka.timeline.TimelineHashMap 4.4.0.
#include "server/groups/timeline_hash_map.h"

#include <gtest/gtest.h>

namespace dohle::groups {

namespace {

using Keys = std::vector<std::string>;

TEST(TimelineHashMap, IteratesInKafkasOrder) {
  TimelineHashMap<std::string, int> map;
  const auto keys = [&map] {
    Keys keys;
    for (const auto& [key, value] : map) keys.push_back(key);
    return keys;
  };
  for (int i = 0; i < 4; ++i) map.put("member-" + std::to_string(i), i);
  EXPECT_EQ(keys(), (Keys{"member-3", "member-0", "member-2", "member-1"}));
  for (int i = 4; i < 12; ++i) map.put("member-" + std::to_string(i), i);
  EXPECT_EQ(keys(), (Keys{"member-3", "member-10", "member-8", "member-0", "member-5", "member-2", "member-7",
                          "member-4", "member-11", "member-9", "member-1", "member-6"}));
  EXPECT_TRUE(map.erase("member-5"));
  EXPECT_FALSE(map.erase("member-5"));
  map.put("member-5", 1);
  EXPECT_EQ(keys(), (Keys{"member-3", "member-10", "member-8", "member-0", "member-5", "member-2", "member-7",
                          "member-4", "member-11", "member-9", "member-1", "member-6"}));
  EXPECT_EQ(*map.find("member-5"), 1);
  EXPECT_FALSE(map.contains("member-12"));
}

}  // namespace

}  // namespace dohle::groups
