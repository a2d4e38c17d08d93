#include "server/runtime/log_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>

#include "server/runtime/clock.h"

namespace dohle::runtime {
namespace {

std::atomic<LogLevel> lowest_level{LogLevel::info};
std::mutex line_mutex;

std::string_view name_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "DEBUG";
    case LogLevel::info:
      return "INFO";
    case LogLevel::warn:
      return "WARN";
    case LogLevel::error:
      return "ERROR";
    case LogLevel::fatal:
      return "FATAL";
  }
  return "INFO";
}

}  // namespace

void set_log_level(LogLevel level) {
  lowest_level = level;
}

std::string format_log_line(std::int64_t wall_ms, LogLevel level, std::string_view logger, std::string_view message) {
  std::time_t seconds = wall_ms / 1000;
  std::tm local{};
  ::localtime_r(&seconds, &local);
  return fmt::format("[{:04}-{:02}-{:02} {:02}:{:02}:{:02},{:03}] {} {} ({})\n", local.tm_year + 1900, local.tm_mon + 1,
                     local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec, wall_ms % 1000, name_of(level), message,
                     logger);
}

void log_line(LogLevel level, std::string_view logger, std::string_view message) {
  if (level < lowest_level.load(std::memory_order_relaxed)) return;
  std::string line = format_log_line(system_clock().wall_ms(), level, logger, message);
  // A pipe takes lines above 4 KiB in pieces, which other threads' lines must not come between.
  std::lock_guard lock(line_mutex);
  std::string_view rest = line;
  while (!rest.empty()) {
    ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // nowhere to say it
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool LogLimiter::admit(std::int64_t now_ms, std::int64_t* suppressed) {
  std::lock_guard lock(mutex_);
  if (window_start_ms_ == INT64_MIN || now_ms - window_start_ms_ >= window_ms_) {
    window_start_ms_ = now_ms;
    lines_ = 0;
  }
  if (lines_ >= lines_max_) {
    ++suppressed_;
    return false;
  }
  ++lines_;
  if (suppressed != nullptr) *suppressed = suppressed_;
  suppressed_ = 0;
  return true;
}

std::string printable(std::string_view text, std::size_t length_max) {
  std::string shown;
  for (char letter : text.substr(0, length_max)) {
    auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x20 || byte == 0x7f) {
      shown += fmt::format("\\x{:02x}", byte);
    } else {
      shown += letter;
    }
  }
  if (text.size() > length_max) shown += "...";
  return shown;
}

}  // namespace dohle::runtime
