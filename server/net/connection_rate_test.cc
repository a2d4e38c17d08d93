#include "server/net/connection_rate.h"

#include <gtest/gtest.h>

namespace dohle::net {
namespace {

/// When each of `count` connections that wait from the beginning on is let in: it counts when its turn comes, and
/// waits.
std::vector<std::int64_t> admissions(std::int64_t per_second, int count) {
  ConnectionRate rate({});
  std::vector<std::int64_t> times;
  std::int64_t now_ms = 5000;
  for (int i = 0; i < count; ++i) {
    const std::int64_t wait_ms = rate.wait_ms(now_ms, per_second);
    rate.record(now_ms);
    now_ms += wait_ms;
    times.push_back(now_ms - 5000);
  }
  return times;
}

// From kafka-clients 4.4.0: a Sensor with a Rate, samples(11), timeWindow(1 s), and QuotaUtils.throttleTime, at most 1
// s.
TEST(ConnectionRate, is_that_of_kafka) {
  std::vector<std::int64_t> of_two(20, 0);
  for (std::int64_t time : {500, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10000, 11000}) {
    of_two.push_back(time);
  }
  of_two.insert(of_two.end(), 11, 12000);
  for (std::int64_t time : {12500, 13000, 14000}) of_two.push_back(time);
  EXPECT_EQ(admissions(2, 46), of_two);

  std::vector<std::int64_t> of_five(50, 0);
  for (std::int64_t time : {200, 400, 600, 800, 1000, 2000, 3000}) of_five.push_back(time);
  EXPECT_EQ(admissions(5, 57), of_five);
}

TEST(ConnectionRate, forgets_what_is_older_than_its_windows) {
  ConnectionRate rate({});
  for (int i = 0; i < 10; ++i) rate.record(1000);
  EXPECT_GT(rate.wait_ms(1000, 1), 0);
  EXPECT_GT(rate.wait_ms(11'999, 1), 0);
  EXPECT_EQ(rate.wait_ms(12'000, 1), 0);
}

}  // namespace
}  // namespace dohle::net
