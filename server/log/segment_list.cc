#include "server/log/segment_list.h"

#include <algorithm>

namespace dohle::log {

std::size_t SegmentList::floor(std::int64_t offset) const {
  const auto after = std::upper_bound(segments_.begin(), segments_.end(), offset,
                                      [](std::int64_t o, const auto& segment) { return o < segment->base_offset(); });
  if (after == segments_.begin()) return segments_.size();
  return static_cast<std::size_t>(after - segments_.begin()) - 1;
}

}  // namespace dohle::log
