#include "server/runtime/log_line.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include <regex>

namespace dohle::runtime {
namespace {

TEST(LogLine, has_the_pattern_of_kafkas_log) {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  // date -u -d @1700000000 gives 2023-11-14 22:13:20.
  EXPECT_EQ(format_log_line(1'700'000'000'007, LogLevel::info, "kafka.server.KafkaRaftServer", "Kafka Server started"),
            "[2023-11-14 22:13:20,007] INFO Kafka Server started (kafka.server.KafkaRaftServer)\n");
  EXPECT_EQ(format_log_line(0, LogLevel::fatal, "x", ""), "[1970-01-01 00:00:00,000] FATAL  (x)\n");
  ::unsetenv("TZ");
  ::tzset();
}

TEST(LogLine, goes_to_standard_output_as_one_line_and_respects_the_level) {
  ::testing::internal::CaptureStdout();
  log_debug("a.B", "not {}", "seen");
  log_warn("a.B", "{} of {}", 1, 2);
  set_log_level(LogLevel::error);
  log_warn("a.B", "not seen");
  set_log_level(LogLevel::info);
  std::string out = ::testing::internal::GetCapturedStdout();
  std::regex line(R"(\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\] WARN 1 of 2 \(a\.B\)\n)");
  EXPECT_TRUE(std::regex_match(out, line)) << out;
}

TEST(LogLimiter, admits_so_many_in_a_window_and_counts_the_rest) {
  LogLimiter limiter(2, 1000);
  std::int64_t suppressed = -1;
  EXPECT_TRUE(limiter.admit(0, &suppressed));
  EXPECT_EQ(suppressed, 0);
  EXPECT_TRUE(limiter.admit(10));
  EXPECT_FALSE(limiter.admit(20));
  EXPECT_FALSE(limiter.admit(999));
  EXPECT_TRUE(limiter.admit(1000, &suppressed));
  EXPECT_EQ(suppressed, 2);
  EXPECT_TRUE(limiter.admit(1001, &suppressed));
  EXPECT_EQ(suppressed, 0);
}

TEST(LogLine, client_text_cannot_forge_a_line) {
  EXPECT_EQ(printable("a\n[2023] INFO\x1b"), "a\\x0a[2023] INFO\\x1b");
  EXPECT_EQ(printable("äöü"), "äöü");
  EXPECT_EQ(printable(std::string(300, 'x'), 5), "xxxxx...");
}

}  // namespace
}  // namespace dohle::runtime
