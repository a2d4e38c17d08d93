// Two marks for a disk that fills up. At the first, what clients produce is refused, while all that frees space, and
// the coordinators, go on; at the second, coordinators are refused too, and what makes the metadata grow. Kafka has no
// such thing: it stops.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "server/config/config_value.h"
#include "server/runtime/disk_space.h"

namespace dohle::log {

enum class SpaceLevel : std::uint8_t { enough, low, critical };

/// In free bytes.
struct DiskMarks {
  std::uint64_t first_bytes = 0;
  std::uint64_t second_bytes = 0;
  bool operator==(const DiskMarks&) const = default;
};

/// What was configured (`disk.low.bytes` and `disk.critical.bytes`, keys of our own); else the first is 1 per cent of
/// the disk and no more than 256 MiB, and the second half of the first. The second is never above the first.
DiskMarks disk_marks(std::uint64_t total_bytes, const config::ConfigMap& configured);

/// Where a disk stands that stood at `before`: it leaves a level only with an eighth more than the mark, so that it
/// does not go back and forth with every segment.
SpaceLevel space_level(const runtime::DiskSpace& space, const DiskMarks& marks, SpaceLevel before);

/// Looks at the disk of one path, not more than once a second. One thread.
class SpaceGauge {
 public:
  explicit SpaceGauge(std::string path) : path_(std::move(path)) {}
  SpaceLevel level(std::int64_t monotonic_ms, const config::ConfigMap& configured);

 private:
  const std::string path_;
  SpaceLevel level_ = SpaceLevel::enough;
  std::optional<std::int64_t> looked_ms_;
};

}  // namespace dohle::log
