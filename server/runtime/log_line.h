// The server's own log, in the pattern of Kafka's log4j2.yaml ("[%d] %p %m (%c)%n"), which tools parse: one line, one
// write to standard output.
//
//   [2026-11-29 13:34:26,123] INFO [KafkaRaftServer nodeId=1] Kafka Server started (kafka.server.KafkaRaftServer)
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace dohle::runtime {

enum class LogLevel { debug, info, warn, error, fatal };

/// Lines below this level are dropped; info at start. Any thread.
void set_log_level(LogLevel level);

/// Writes one line; any thread, also from under a lock (the write may block if nobody reads the pipe). `logger` is the
/// class name as Kafka's log shows it.
void log_line(LogLevel level, std::string_view logger, std::string_view message);

/// The line as it is written, without the clock; for tests. `wall_ms` is shown in local time, as log4j does.
std::string format_log_line(std::int64_t wall_ms, LogLevel level, std::string_view logger, std::string_view message);

template <typename... Arguments>
void log_debug(std::string_view logger, fmt::format_string<Arguments...> pattern, Arguments&&... arguments) {
  log_line(LogLevel::debug, logger, fmt::format(pattern, std::forward<Arguments>(arguments)...));
}
template <typename... Arguments>
void log_info(std::string_view logger, fmt::format_string<Arguments...> pattern, Arguments&&... arguments) {
  log_line(LogLevel::info, logger, fmt::format(pattern, std::forward<Arguments>(arguments)...));
}
template <typename... Arguments>
void log_warn(std::string_view logger, fmt::format_string<Arguments...> pattern, Arguments&&... arguments) {
  log_line(LogLevel::warn, logger, fmt::format(pattern, std::forward<Arguments>(arguments)...));
}
template <typename... Arguments>
void log_error(std::string_view logger, fmt::format_string<Arguments...> pattern, Arguments&&... arguments) {
  log_line(LogLevel::error, logger, fmt::format(pattern, std::forward<Arguments>(arguments)...));
}

/// For lines that a client can cause: at most `lines_max` in `window_ms`. Thread-safe.
class LogLimiter {
 public:
  LogLimiter(int lines_max, std::int64_t window_ms) : lines_max_(lines_max), window_ms_(window_ms) {}

  /// True if a line may be written at `now_ms` (monotonic). `suppressed`, if given, gets how many were not since the
  /// last.
  bool admit(std::int64_t now_ms, std::int64_t* suppressed = nullptr);

 private:
  const int lines_max_;
  const std::int64_t window_ms_;
  std::mutex mutex_;
  std::int64_t window_start_ms_ = INT64_MIN;
  int lines_ = 0;
  std::int64_t suppressed_ = 0;
};

/// Text that a client sent, for a log line: control characters are escaped, and it is cut to `length_max` bytes.
std::string printable(std::string_view text, std::size_t length_max = 200);

}  // namespace dohle::runtime
