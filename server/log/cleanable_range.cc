#include "server/log/cleanable_range.h"

#include <algorithm>
#include <limits>

namespace dohle::log {

using runtime::Result;

namespace {

/// The segments that are closed and end above `offset` (UnifiedLog.nonActiveLogSegmentsFrom).
std::span<const std::shared_ptr<LogSegment>> closed_from(const SegmentList& list, std::int64_t offset) {
  if (list.size() < 2 || offset > list.active().base_offset()) return {};
  std::size_t first = list.floor(offset);
  if (first == list.size()) first = 0;
  return std::span(list.all())
      .subspan(std::min(first, list.size() - 1), list.size() - 1 - std::min(first, list.size() - 1));
}

Result<std::optional<std::int64_t>> first_too_young(std::span<const std::shared_ptr<LogSegment>> segments,
                                                    std::int64_t newest_ms) {
  for (const auto& segment : segments) {
    const auto max = segment->max_timestamp();
    if (!max) return std::unexpected(max.error());
    const std::int64_t timestamp_ms = max->timestamp_ms >= 0 ? max->timestamp_ms : segment->created_ms();
    if (timestamp_ms > newest_ms) return segment->base_offset();
  }
  return std::nullopt;
}

Result<bool> any_older(std::span<const std::shared_ptr<LogSegment>> segments, std::int64_t oldest_ms) {
  for (const auto& segment : segments) {
    const auto first = segment->find(segment->base_offset(), segment->size_bytes());
    if (!first) return std::unexpected(first.error());
    if (!*first) continue;
    const std::int64_t timestamp_ms = (*first)->header.max_timestamp_ms;
    if (timestamp_ms > 0 && timestamp_ms < oldest_ms) return true;
  }
  return false;
}

}  // namespace

double CleanableRange::dirty_ratio() const {
  const auto total = clean_bytes + cleanable_bytes;
  return total == 0 ? 0 : static_cast<double>(cleanable_bytes) / static_cast<double>(total);
}

bool CleanableRange::worth_cleaning(double dirty_ratio_min) const {
  if (clean_bytes + cleanable_bytes == 0) return false;
  return (overdue && cleanable_bytes > 0) || dirty_ratio() > dirty_ratio_min;
}

Result<CleanableRange> cleanable_range(const Log& log, const LogConfig& config,
                                       std::optional<std::int64_t> cleaned_offset, std::int64_t now_ms) {
  CleanableRange range;
  const std::int64_t log_start = log.log_start_offset();
  range.first_dirty_offset = cleaned_offset.value_or(log_start);
  if (range.first_dirty_offset < log_start || range.first_dirty_offset > log.log_end_offset()) {
    range.first_dirty_offset = log_start;
    range.checkpoint_invalid = true;
  }
  // The stable offset first: the list that is loaded after it reaches at least as far.
  const std::int64_t stable = log.last_stable_offset();
  const auto list = log.segments();
  std::int64_t uncleanable = std::min(stable, list->active().base_offset());
  const auto dirty = closed_from(*list, range.first_dirty_offset);
  if (config.min_compaction_lag_ms > 0) {
    const auto young = first_too_young(dirty, now_ms - config.min_compaction_lag_ms);
    if (!young) return std::unexpected(young.error());
    if (*young) uncleanable = std::min(uncleanable, **young);
  }
  uncleanable = std::max(uncleanable, range.first_dirty_offset);
  // Only whole segments are cleaned.
  const auto rest = closed_from(*list, uncleanable);
  const LogSegment& first_left = rest.empty() ? list->active() : *rest.front();
  range.first_uncleanable_offset = first_left.base_offset();
  for (const auto& segment : list->all()) {
    if (segment->base_offset() >= range.first_uncleanable_offset) break;
    const bool is_dirty = segment == list->all()[std::min(list->floor(range.first_dirty_offset), list->size() - 1)] ||
                          segment->base_offset() >= range.first_dirty_offset;
    if (is_dirty) range.cleanable_bytes += segment->size_bytes();
    if (segment->base_offset() < range.first_dirty_offset) range.clean_bytes += segment->size_bytes();
  }
  if (config.max_compaction_lag_ms < std::numeric_limits<std::int64_t>::max()) {
    const auto overdue = any_older(dirty, now_ms - std::max<std::int64_t>(config.max_compaction_lag_ms, 0));
    if (!overdue) return std::unexpected(overdue.error());
    range.overdue = *overdue;
  }
  return range;
}

}  // namespace dohle::log
