// The segments of a log, in the order of their base offsets, as a snapshot that never changes.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "server/log/log_segment.h"

namespace dohle::log {

class SegmentList {
 public:
  SegmentList() = default;
  /// Base offsets grow.
  explicit SegmentList(std::vector<std::shared_ptr<LogSegment>> segments) : segments_(std::move(segments)) {}

  bool empty() const { return segments_.empty(); }
  std::size_t size() const { return segments_.size(); }
  const std::vector<std::shared_ptr<LogSegment>>& all() const { return segments_; }
  LogSegment& active() const { return *segments_.back(); }
  /// The segment that an offset at or above the first base belongs to; size() below it.
  std::size_t floor(std::int64_t offset) const;

 private:
  std::vector<std::shared_ptr<LogSegment>> segments_;
};

/// Holds the current list. Readers of any thread load it; the log's writer stores.
class SegmentListHolder {
 public:
  std::shared_ptr<const SegmentList> load() const {
    const std::lock_guard lock(mutex_);
    return list_;
  }
  void store(std::shared_ptr<const SegmentList> list) {
    const std::lock_guard lock(mutex_);
    list_.swap(list);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const SegmentList> list_ = std::make_shared<SegmentList>();
};

}  // namespace dohle::log
