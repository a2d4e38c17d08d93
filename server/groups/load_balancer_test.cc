#include "server/groups/load_balancer.h"

#include <gtest/gtest.h>

namespace dohle::groups {

namespace {

TEST(LoadBalancer, GivesToTheLeastAndTakesFromTheMost) {
  std::vector<std::int32_t> counts = {5, 1, 3};
  LoadBalancer balancer(counts);
  EXPECT_EQ(balancer.start({0, 1, 2}), 4);
  EXPECT_EQ(balancer.next_most_loaded(), 0);
  EXPECT_EQ(balancer.next_least_loaded(), 1);
  EXPECT_FALSE(balancer.is_balanced());
  --counts[0];
  ++counts[1];
  EXPECT_EQ(balancer.next_most_loaded(), 0);
  EXPECT_EQ(balancer.next_least_loaded(), 1);
}

TEST(LoadBalancer, LeavesOutWhoHasNothingToGive) {
  const std::vector<std::int32_t> counts = {2, 2};
  LoadBalancer balancer(counts);
  balancer.start({0, 1});
  EXPECT_EQ(balancer.next_most_loaded(), 1);
  balancer.exclude_most_loaded();
  EXPECT_EQ(balancer.next_most_loaded(), 0);
  balancer.exclude_most_loaded();
  EXPECT_EQ(balancer.next_most_loaded(), std::nullopt);
}

}  // namespace

}  // namespace dohle::groups
