// Offset -> position in the .log file: 8-byte entries, int32 offset relative to the segment's base (of the batch's LAST
// record) and int32 position of the batch. One entry per more than index.interval.bytes. Follows Kafka's OffsetIndex.
#pragma once

#include <cstdint>
#include <optional>

#include "server/log/index_entries.h"

namespace dohle::log {

struct OffsetPosition {
  std::int64_t offset = 0;
  std::uint32_t position_bytes = 0;
  bool operator==(const OffsetPosition&) const = default;
};

class OffsetIndex {
 public:
  static constexpr std::size_t entry_bytes = 8;

  OffsetIndex(IndexFile file, std::int64_t base_offset, std::int32_t size_bytes_max);

  IndexEntries& entries() { return entries_; }
  const IndexEntries& entries() const { return entries_; }
  /// Active: keeps the entries below `end_offset` only, and none above `position_bytes_max`.
  runtime::Status activate(std::int64_t end_offset);
  /// False, and nothing done, if the offset is not above the last one.
  runtime::Result<bool> append(std::int64_t last_offset, std::uint32_t position_bytes);
  /// Reader. The last entry whose offset is not above `offset`; {base, 0} if there is none.
  runtime::Result<OffsetPosition> lookup(std::int64_t offset) const;
  /// Reader. The first entry at or past a position: the end of what a read of so many bytes can touch.
  runtime::Result<std::optional<OffsetPosition>> first_at_or_after(std::uint32_t position_bytes) const;
  /// Reader.
  runtime::Result<OffsetPosition> last() const;
  /// Reader. `corrupt` for an index that Kafka rebuilds: its last offset lies below the base, or its size
  /// (`file_bytes`) is no multiple of an entry.
  runtime::Status sanity_check(std::uint64_t file_bytes) const;
  bool full() const { return entries_.count() >= entries_max_; }
  bool can_append(std::int64_t offset) const { return offset >= base_offset_ && offset - base_offset_ <= INT32_MAX; }

 private:
  IndexEntries entries_;
  std::int64_t base_offset_;
  std::size_t entries_max_;
  std::int64_t last_offset_;  // writer only
};

}  // namespace dohle::log
