#include "server/groups/java_hash_order.h"

#include <gtest/gtest.h>

namespace dohle::groups {
namespace {

// jshell: new HashMap<String, Integer>() with these keys put in this order, keySet().
TEST(JavaHashOrder, IsHashMapsOwn) {
  EXPECT_EQ(java_hash_order({"roundrobin", "range"}), (std::vector<std::string>{"range", "roundrobin"}));
  EXPECT_EQ(java_hash_order({"range", "sticky", "roundrobin", "cooperative-sticky"}),
            (std::vector<std::string>{"sticky", "range", "roundrobin", "cooperative-sticky"}));
}

TEST(JavaHashOrder, TheTableGrowsAtThreeQuarters) {
  std::vector<std::string> keys;
  for (int i = 0; i < 14; ++i) keys.push_back("p" + std::to_string(i));
  EXPECT_EQ(java_hash_order(keys), (std::vector<std::string>{"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9",
                                                             "p10", "p12", "p11", "p13"}));
}

TEST(JavaHashOrder, KeysOfOneBucketKeepTheirOrder) {
  EXPECT_EQ(java_hash_order({"Aa", "BB"}), (std::vector<std::string>{"Aa", "BB"}));
  EXPECT_EQ(java_hash_order({"BB", "Aa"}), (std::vector<std::string>{"BB", "Aa"}));
}

}  // namespace
}  // namespace dohle::groups
