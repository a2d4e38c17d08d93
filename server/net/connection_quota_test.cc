#include "server/net/connection_quota.h"

#include <gtest/gtest.h>

namespace dohle::net {
namespace {

TEST(ConnectionQuota, the_total_makes_the_acceptor_wait) {
  ConnectionQuota quota({.connections_max = 2});
  EXPECT_EQ(quota.wait_ms(0), 0);
  ASSERT_TRUE(quota.admit("1.1.1.1"));
  ASSERT_TRUE(quota.admit("2.2.2.2"));
  EXPECT_GT(quota.wait_ms(0), 0);
  quota.release("1.1.1.1");
  EXPECT_EQ(quota.wait_ms(0), 0);
  EXPECT_EQ(quota.connections(), 1);
}

TEST(ConnectionQuota, an_address_has_its_own_limit_or_the_common_one) {
  ConnectionQuota quota({.connections_per_address_max = 1, .address_overrides = {{"9.9.9.9", 2}, {"8.8.8.8", 0}}});
  EXPECT_TRUE(quota.admit("1.1.1.1"));
  EXPECT_FALSE(quota.admit("1.1.1.1"));
  EXPECT_TRUE(quota.admit("9.9.9.9"));
  EXPECT_TRUE(quota.admit("9.9.9.9"));
  EXPECT_FALSE(quota.admit("9.9.9.9"));
  EXPECT_FALSE(quota.admit("8.8.8.8"));
  EXPECT_EQ(quota.connections(), 3);
  quota.release("1.1.1.1");
  EXPECT_TRUE(quota.admit("1.1.1.1"));
  quota.release("7.7.7.7");  // never admitted: not counted either
  EXPECT_EQ(quota.connections(), 3);
}

TEST(ConnectionQuota, new_connections_come_at_most_at_the_rate) {
  ConnectionQuota quota({.creations_per_second_max = 10});
  std::int64_t now_ms = 5000;
  int admitted = 0;
  while (now_ms < 15'000) {
    std::int64_t wait_ms = quota.wait_ms(now_ms);
    if (wait_ms == 0) {
      ASSERT_TRUE(quota.admit("1.1.1.1"));
      ++admitted;
    }
    now_ms += wait_ms;
  }
  // One second's worth at once, then ten in each second.
  EXPECT_GE(admitted, 105);
  EXPECT_LE(admitted, 111);
}

TEST(ConnectionQuota, limits_can_change_while_connections_are_open) {
  ConnectionQuota quota({.connections_per_address_max = 1});
  ASSERT_TRUE(quota.admit("1.1.1.1"));
  quota.change({.connections_per_address_max = 2});
  EXPECT_EQ(quota.address_max("1.1.1.1"), 2);
  EXPECT_TRUE(quota.admit("1.1.1.1"));
  EXPECT_FALSE(quota.admit("1.1.1.1"));
}

}  // namespace
}  // namespace dohle::net
