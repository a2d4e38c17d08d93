// Timestamp -> offset: 12-byte entries, int64 largest timestamp up to there and int32 relative offset of the last
// record of the batch that brought it. Timestamps grow strictly. Follows Kafka's TimeIndex.
#pragma once

#include <cstdint>

#include "server/log/index_entries.h"

namespace dohle::log {

struct TimestampOffset {
  std::int64_t timestamp_ms = -1;
  std::int64_t offset = -1;
  bool operator==(const TimestampOffset&) const = default;
};

class TimeIndex {
 public:
  static constexpr std::size_t entry_bytes = 12;

  TimeIndex(IndexFile file, std::int64_t base_offset, std::int32_t size_bytes_max);

  IndexEntries& entries() { return entries_; }
  const IndexEntries& entries() const { return entries_; }
  /// Active: keeps the entries below `end_offset` only.
  runtime::Status activate(std::int64_t end_offset);
  /// Appends if the timestamp is above the last one; does nothing otherwise, and nothing for an offset below the last.
  runtime::Status append(std::int64_t timestamp_ms, std::int64_t offset);
  /// Reader. The last entry whose timestamp is not above; {-1, base} if there is none.
  runtime::Result<TimestampOffset> lookup(std::int64_t timestamp_ms) const;
  /// Reader. {-1, base} if it is empty.
  runtime::Result<TimestampOffset> last() const;
  runtime::Status sanity_check(std::uint64_t file_bytes) const;
  /// One slot stays free for the entry at roll.
  bool full() const { return entries_.count() + 1 >= entries_max_; }

 private:
  IndexEntries entries_;
  std::int64_t base_offset_;
  std::size_t entries_max_;
  TimestampOffset last_;  // writer only
};

}  // namespace dohle::log
