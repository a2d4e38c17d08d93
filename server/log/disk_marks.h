// Two marks for a disk that fills up. At the first, what clients produce is refused, while all that frees space, and
// the coordinators, go on; at the second, coordinators are refused too. Kafka has no such thing: it stops.
#pragma once

#include <cstdint>

#include "server/runtime/disk_space.h"

namespace dohle::log {

enum class SpaceLevel : std::uint8_t { enough, low, critical };

/// The first mark, in free bytes: 1 per cent of the disk, and no more than 256 MiB. The second is half of it.
std::uint64_t first_mark_bytes(std::uint64_t total_bytes);

/// Where a disk stands that stood at `before`: it leaves a level only with an eighth more than the mark, so that it
/// does not go back and forth with every segment.
SpaceLevel space_level(const runtime::DiskSpace& space, SpaceLevel before);

}  // namespace dohle::log
