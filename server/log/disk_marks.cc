#include "server/log/disk_marks.h"

#include <algorithm>

namespace dohle::log {

std::uint64_t first_mark_bytes(std::uint64_t total_bytes) {
  return std::min<std::uint64_t>(total_bytes / 100, 256 << 20);
}

SpaceLevel space_level(const runtime::DiskSpace& space, SpaceLevel before) {
  const std::uint64_t first = first_mark_bytes(space.total_bytes);
  const std::uint64_t second = first / 2;
  const auto below = [&](std::uint64_t mark, SpaceLevel level) {
    return space.free_bytes < mark + (before >= level ? mark / 8 : 0);
  };
  if (below(second, SpaceLevel::critical)) return SpaceLevel::critical;
  return below(first, SpaceLevel::low) ? SpaceLevel::low : SpaceLevel::enough;
}

}  // namespace dohle::log
