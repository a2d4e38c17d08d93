// The files of `__cluster_metadata-0`: segments of batches, indexes, `leader-epoch-checkpoint`, `partition.metadata`.
// Kafka opens this log as one that was never stopped cleanly: it scans all of it and makes indexes and producer
// snapshots anew, so that only the batches and the epochs must be right. We read it whole at start and append to its
// end; nothing else.
//
// One thread. After a failed write or sync the log must not be used again.
// Source: org.apache.kafka.raft.internals.KafkaRaftLog.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codec/bytes.h"
#include "server/metadata/metadata_batch.h"
#include "server/metadata/segment_indexes.h"
#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::metadata {

class MetadataLog {
 public:
  using Visitor = std::function<runtime::Status(const MetadataBatch&)>;

  /// Reads every batch at or above `from_offset` and shows it to `visit`; writes nothing. corrupt: a record that we do
  /// not understand, a gap, a bad batch before the last segment. A bad batch in the last segment is the torn tail,
  /// which begin() cuts. `visit`'s own error ends it.
  static runtime::Result<std::unique_ptr<MetadataLog>> open(std::shared_ptr<runtime::Directory> directory,
                                                            std::int64_t from_offset, const Visitor& visit);

  /// Makes the log ready to be appended to: cuts the torn tail; an empty log, or one that ends below `start_offset`
  /// (where a snapshot ends), begins at `start_offset`.
  runtime::Status begin(std::int64_t start_offset, std::uint64_t segment_size_bytes_max);

  /// Appends whole batches of `epoch` that begin at end_offset() and end before `next_offset`, and syncs. A new epoch
  /// is in the checkpoint before the batch is in the log.
  /// `timestamp_ms` is the largest of its records'.
  runtime::Status append(codec::Bytes batches, std::int64_t next_offset, std::int32_t epoch, std::int64_t timestamp_ms);

  /// Completes the indexes of the active segment: at a clean stop. Nothing is appended after it.
  runtime::Status close();

  std::int64_t start_offset() const { return segments_.empty() ? end_offset_ : segments_.front().base_offset; }
  std::int64_t end_offset() const { return end_offset_; }
  /// Of the last batch; 0 for an empty log.
  std::int32_t last_epoch() const { return epochs_.empty() ? 0 : epochs_.back().first; }
  std::uint64_t size_bytes() const;

 private:
  struct Segment {
    std::int64_t base_offset = 0;
    std::uint64_t size_bytes = 0;       // of whole batches
    std::uint64_t file_size_bytes = 0;  // with the torn tail
  };

  explicit MetadataLog(std::shared_ptr<runtime::Directory> directory) : directory_(std::move(directory)) {}
  runtime::Status list_segments();
  runtime::Status read_segment(Segment& segment, bool last, std::int64_t from_offset, const Visitor& visit);
  runtime::Status remove_segments();
  runtime::Status new_segment(std::int64_t base_offset);
  runtime::Status write_epochs();

  std::shared_ptr<runtime::Directory> directory_;
  std::vector<Segment> segments_;  // by base offset
  std::shared_ptr<runtime::File> active_;
  std::unique_ptr<SegmentIndexes> indexes_;                    // of the last segment
  std::vector<std::pair<std::int32_t, std::int64_t>> epochs_;  // epoch, its first offset
  std::int64_t end_offset_ = 0;
  std::uint64_t segment_size_bytes_max_ = 1 << 30;
};

}  // namespace dohle::metadata
