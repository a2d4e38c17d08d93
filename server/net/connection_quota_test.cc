#include "server/net/connection_quota.h"

#include <gtest/gtest.h>

namespace dohle::net {
namespace {

TEST(ConnectionQuota, the_total_makes_the_acceptor_wait) {
  ConnectionQuota quota({.connections_max = 2});
  EXPECT_EQ(quota.wait_ms("A", 0), 0);
  ASSERT_TRUE(quota.admit("A", "1.1.1.1", 0));
  ASSERT_TRUE(quota.admit("A", "2.2.2.2", 0));
  EXPECT_GT(quota.wait_ms("A", 0), 0);
  quota.release("A", "1.1.1.1");
  EXPECT_EQ(quota.wait_ms("A", 0), 0);
  EXPECT_EQ(quota.connections(), 1);
}

TEST(ConnectionQuota, an_address_has_its_own_limit_or_the_common_one) {
  ConnectionQuota quota({.connections_per_address_max = 1, .address_overrides = {{"9.9.9.9", 2}, {"8.8.8.8", 0}}});
  EXPECT_TRUE(quota.admit("A", "1.1.1.1", 0));
  EXPECT_FALSE(quota.admit("A", "1.1.1.1", 0));
  EXPECT_TRUE(quota.admit("A", "9.9.9.9", 0));
  EXPECT_TRUE(quota.admit("A", "9.9.9.9", 0));
  EXPECT_FALSE(quota.admit("A", "9.9.9.9", 0));
  EXPECT_FALSE(quota.admit("A", "8.8.8.8", 0));
  EXPECT_EQ(quota.connections(), 3);
  quota.release("A", "1.1.1.1");
  EXPECT_TRUE(quota.admit("A", "1.1.1.1", 0));
  quota.release("A", "7.7.7.7");  // never admitted: not counted either
  EXPECT_EQ(quota.connections(), 3);
}

/// When each of `count` connections that wait from the beginning on is let in.
std::vector<std::int64_t> admissions(ConnectionQuota& quota, const std::string& listener, int count) {
  std::vector<std::int64_t> times;
  std::int64_t now_ms = 5000;
  while (std::ssize(times) < count) {
    const std::int64_t wait_ms = quota.wait_ms(listener, now_ms);
    now_ms += wait_ms;
    if (wait_ms > 0) continue;
    EXPECT_TRUE(quota.admit(listener, "1.1.1.1", now_ms));
    times.push_back(now_ms - 5000);
  }
  return times;
}

TEST(ConnectionQuota, new_connections_come_at_most_at_the_rate) {
  // Of 2 per second; connection_rate_test.cc says where from.
  const std::vector<std::int64_t> after_the_first_twenty{500, 1000, 2000, 3000, 4000};
  ConnectionQuota all({.creations_per_second_max = 2});
  auto times = admissions(all, "A", 25);
  EXPECT_EQ(std::vector(times.begin() + 20, times.end()), after_the_first_twenty);
  ConnectionQuota one({.listeners = {{"A", {.creations_per_second_max = 2}}}});
  times = admissions(one, "A", 25);
  EXPECT_EQ(std::vector(times.begin() + 20, times.end()), after_the_first_twenty);
  EXPECT_EQ(admissions(one, "B", 25).back(), 0);
}

TEST(ConnectionQuota, the_rate_of_all_is_shared_by_the_listeners) {
  ConnectionQuota quota({.creations_per_second_max = 2});
  EXPECT_EQ(admissions(quota, "A", 20).back(), 0);
  EXPECT_EQ(admissions(quota, "B", 1).back(), 500);
}

TEST(ConnectionQuota, a_listener_has_a_limit_of_its_own) {
  ConnectionQuota quota({.connections_max = 3, .listeners = {{"A", {.connections_max = 1}}}});
  ASSERT_TRUE(quota.admit("A", "1.1.1.1", 0));
  EXPECT_GT(quota.wait_ms("A", 0), 0);
  EXPECT_EQ(quota.wait_ms("B", 0), 0);
  ASSERT_TRUE(quota.admit("B", "1.1.1.1", 0));
  ASSERT_TRUE(quota.admit("B", "1.1.1.1", 0));
  EXPECT_GT(quota.wait_ms("B", 0), 0);
  quota.release("A", "1.1.1.1");
  EXPECT_EQ(quota.wait_ms("A", 0), 0);
}

TEST(ConnectionQuota, the_listener_of_the_brokers_is_held_back_by_its_own_limits_only) {
  ConnectionQuota quota({.connections_max = 1,
                         .creations_per_second_max = 1,
                         .listeners = {{"A", {.connections_max = 30}}},
                         .protected_listener = "A"});
  ASSERT_TRUE(quota.admit("A", "1.1.1.1", 0));
  EXPECT_GT(quota.wait_ms("A", 0), 0) << "it is the only one, and no exception";
  quota.add_listener("B");
  EXPECT_EQ(admissions(quota, "A", 29).back(), 0);
  EXPECT_GT(quota.wait_ms("A", 5000), 0);
  EXPECT_GT(quota.wait_ms("B", 5000), 0);
}

TEST(ConnectionQuota, limits_can_change_while_connections_are_open) {
  ConnectionQuota quota({.connections_per_address_max = 1});
  ASSERT_TRUE(quota.admit("A", "1.1.1.1", 0));
  quota.change({.connections_per_address_max = 2});
  EXPECT_EQ(quota.address_max("1.1.1.1"), 2);
  EXPECT_TRUE(quota.admit("A", "1.1.1.1", 0));
  EXPECT_FALSE(quota.admit("A", "1.1.1.1", 0));
}

}  // namespace
}  // namespace dohle::net
