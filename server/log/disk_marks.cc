#include "server/log/disk_marks.h"

#include <algorithm>
#include <charconv>

namespace dohle::log {

namespace {

constexpr std::int64_t look_interval_ms = 1000;

/// nullopt: not configured, or no number.
std::optional<std::uint64_t> bytes_of(const config::ConfigMap& configured, const char* key) {
  const auto found = configured.find(key);
  if (found == configured.end()) return std::nullopt;
  const auto& text = found->second;
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(bytes) : std::nullopt;
}

}  // namespace

DiskMarks disk_marks(std::uint64_t total_bytes, const config::ConfigMap& configured) {
  DiskMarks marks;
  marks.first_bytes =
      bytes_of(configured, "disk.low.bytes").value_or(std::min<std::uint64_t>(total_bytes / 100, 256 << 20));
  marks.second_bytes =
      std::min(bytes_of(configured, "disk.critical.bytes").value_or(marks.first_bytes / 2), marks.first_bytes);
  return marks;
}

SpaceLevel space_level(const runtime::DiskSpace& space, const DiskMarks& marks, SpaceLevel before) {
  const auto below = [&](std::uint64_t mark, SpaceLevel level) {
    return space.free_bytes < mark + (before >= level ? mark / 8 : 0);
  };
  if (below(marks.second_bytes, SpaceLevel::critical)) return SpaceLevel::critical;
  return below(marks.first_bytes, SpaceLevel::low) ? SpaceLevel::low : SpaceLevel::enough;
}

SpaceLevel SpaceGauge::level(std::int64_t monotonic_ms, const config::ConfigMap& configured) {
  if (looked_ms_ && monotonic_ms - *looked_ms_ < look_interval_ms) return level_;
  looked_ms_ = monotonic_ms;
  const auto space = runtime::disk_space(path_);
  if (space && space->total_bytes > 0) {
    level_ = space_level(*space, disk_marks(space->total_bytes, configured), level_);
  }
  return level_;
}

}  // namespace dohle::log
