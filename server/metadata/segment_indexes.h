// The offset and time index of one segment of the metadata log, in the format of every log's (server/log: offset_index,
// time_index). Nobody reads them here, since the log is read whole; Kafka and its tools want them there. They are made
// anew when the log is opened, as Kafka makes them after its own starts.
// Source: org.apache.kafka.storage.internals.log.LogSegment.append, with the default index.interval.bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::metadata {

/// One thread, the log's.
class SegmentIndexes {
 public:
  explicit SegmentIndexes(std::int64_t base_offset) : base_offset_(base_offset) {}

  /// A batch that is in the segment already, in order. Collected until open().
  void collect(std::int64_t last_offset, std::uint64_t position_bytes, std::size_t size_bytes,
               std::int64_t max_timestamp_ms);
  /// Makes both files, with what was collected and nothing else.
  runtime::Status open(runtime::Directory& directory);
  /// A batch that was appended.
  runtime::Status append(std::int64_t last_offset, std::uint64_t position_bytes, std::size_t size_bytes,
                         std::int64_t max_timestamp_ms);
  /// The last entry of the time index, and both files synced: at a roll and at a clean stop.
  runtime::Status close();

 private:
  runtime::Status write_new_entries();
  void add_time_entry();

  const std::int64_t base_offset_;
  std::vector<std::uint8_t> offsets_;  // entries that are not in the file yet
  std::vector<std::uint8_t> times_;
  std::uint64_t offsets_end_bytes_ = 0;
  std::uint64_t times_end_bytes_ = 0;
  std::size_t bytes_since_entry_ = 0;
  std::int64_t max_timestamp_ms_ = -1;
  std::int64_t max_timestamp_offset_ = -1;
  std::int64_t last_time_entry_ms_ = -1;
  std::shared_ptr<runtime::File> offset_file_;
  std::shared_ptr<runtime::File> time_file_;
};

}  // namespace dohle::metadata
