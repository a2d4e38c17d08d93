// How many connections per second were made lately, and how long the next has to wait: Kafka's Rate over windows
// (org.apache.kafka.common.metrics.stats.Rate and SampledStat), with its delay (QuotaUtils.boundedThrottleTime).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dohle::net {

/// One thread at a time.
class ConnectionRate {
 public:
  /// quota.window.num and quota.window.size.seconds. The delay is one window at most.
  struct Windows {
    int count = 11;
    std::int64_t size_ms = 1000;
  };

  explicit ConnectionRate(Windows windows) : windows_(windows) {}

  /// One more connection, now.
  void record(std::int64_t now_ms);
  /// How long one more connection would have to wait now, so that there are at most `per_second_max`; 0: not at all.
  std::int64_t wait_ms(std::int64_t now_ms, std::int64_t per_second_max);

 private:
  struct Sample {
    std::int64_t start_ms = 0;
    std::int64_t last_event_ms = 0;
    std::int64_t count = 0;
  };

  void forget_old(std::int64_t now_ms);
  std::int64_t window_ms(std::int64_t now_ms) const;

  Windows windows_;
  std::vector<Sample> samples_;  // one more than windows: the oldest may overlap the time that counts
  std::size_t current_ = 0;
};

}  // namespace dohle::net
