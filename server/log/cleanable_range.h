// Which part of a log compaction may clean, and how dirty the log is. Follows LogCleanerManager.cleanableOffsets and
// LogToClean.
#pragma once

#include <cstdint>
#include <optional>

#include "server/log/log.h"
#include "server/runtime/result.h"

namespace dohle::log {

struct CleanableRange {
  /// What is below was cleaned before.
  std::int64_t first_dirty_offset = 0;
  /// Where a segment begins: the active one, one that reaches the last stable offset, or one that is younger than
  /// min.compaction.lag.ms.
  std::int64_t first_uncleanable_offset = 0;
  std::uint64_t clean_bytes = 0;
  std::uint64_t cleanable_bytes = 0;
  /// A record is older than max.compaction.lag.ms.
  bool overdue = false;
  /// The checkpoint lay outside the log; first_dirty_offset is to be written in its place.
  bool checkpoint_invalid = false;

  double dirty_ratio() const;
  /// By min.cleanable.dirty.ratio and the lag.
  bool worth_cleaning(double dirty_ratio_min) const;
};

/// `cleaned_offset` is the checkpoint's. Takes no lock of the partition: `config` is a copy. Reads a header of each
/// dirty segment if there is a max.compaction.lag.ms.
runtime::Result<CleanableRange> cleanable_range(const Log& log, const LogConfig& config,
                                                std::optional<std::int64_t> cleaned_offset, std::int64_t now_ms);

}  // namespace dohle::log
