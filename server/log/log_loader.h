// Brings a partition's directory into order and into memory when the broker starts. Follows Kafka's LogLoader:
// leftovers of interrupted cleaning and deletion are finished or removed, indexes that are missing or can't be right
// are rebuilt, and without a clean shutdown everything from the recovery point on is read and cut at the first bad
// batch.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "server/log/log.h"

namespace dohle::log {

class LogLoader {
 public:
  /// The log is new, with nothing but its options; outlives the loader.
  explicit LogLoader(Log& log);
  runtime::Status load();

 private:
  struct Found {
    SegmentFileSizes sizes;
    bool has_log = false;
    bool has_offset_index = false;
    bool has_time_index = false;
  };

  runtime::Status remove_leftovers();
  runtime::Status finish_swaps(const std::vector<std::string>& swaps);
  runtime::Status find_segments();
  runtime::Status check_segments();
  bool index_sizes_are_right(const Found& found) const;
  /// The segment that has the recovery point: it and those after it are recovered unless the shutdown was clean.
  std::size_t first_unflushed() const;
  runtime::Status recover_unflushed();
  runtime::Status recover_segment(std::size_t n, std::uint64_t& cut_bytes);
  runtime::Status remove_segments_from(std::size_t n);
  runtime::Status open_active();
  runtime::Status restore_epochs();
  runtime::Status restore_producers();
  runtime::Status remove_file(const std::string& name);

  Log& log_;
  runtime::Directory& directory_;
  std::map<std::int64_t, Found> found_;
  std::vector<std::shared_ptr<LogSegment>> segments_;
  std::shared_ptr<LogSegment> recovered_active_;
  std::int64_t end_offset_ = 0;
  /// The lowest base of the segments whose indexes were made again.
  std::int64_t first_rewritten_offset_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace dohle::log
