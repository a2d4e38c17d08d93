// One segment: a .log file with its offset, time and transaction index. Follows Kafka's LogSegment.
//
// A segment object is active or closed for its whole life: when a segment is rolled or truncated, the log makes a new
// object for the same files and publishes a new list, so that readers of the old one see nothing change but growth.
//
// Writer: under the partition's lock. Reader: any thread, no lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/bytes.h"
#include "server/log/batch_header.h"
#include "server/log/file_cache.h"
#include "server/log/log_config.h"
#include "server/log/offset_index.h"
#include "server/log/published_end.h"
#include "server/log/time_index.h"
#include "server/log/transaction_index.h"
#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::log {

/// What a segment needs to know of its log.
struct SegmentPlace {
  std::shared_ptr<runtime::Directory> directory;
  FileCache* cache = nullptr;  // outlives the segment
  std::int64_t base_offset = 0;
  std::int32_t index_interval_bytes = 4096;
  std::int32_t index_bytes_max = 10485760;
  std::int64_t roll_jitter_ms = 0;
  std::int64_t now_ms = 0;  // becomes the time of creation
  /// After the names of all its files: `.cleaned` while compaction writes it, else empty.
  std::string name_suffix;
};

struct SegmentFileSizes {
  std::uint64_t log = 0;
  std::uint64_t offset_index = 0;
  std::uint64_t time_index = 0;
  std::uint64_t transaction_index = 0;
};

struct RollRequest {
  std::int64_t segment_ms = 0;
  std::int64_t segment_bytes = 0;
  std::int64_t append_bytes = 0;
  std::int64_t max_timestamp_ms = 0;
  std::int64_t last_offset = 0;
  std::int64_t now_ms = 0;
};

/// A batch in the file.
struct BatchPosition {
  std::uint64_t position_bytes = 0;
  BatchHeader header;
};

class LogSegment : public std::enable_shared_from_this<LogSegment> {
 public:
  /// A segment that is only read. Touches no file.
  static std::shared_ptr<LogSegment> closed(const SegmentPlace& place, const SegmentFileSizes& sizes);
  /// The segment that is written: its indexes are read into memory, and what is missing is made. What is at or above
  /// `end_offset` in the indexes, and above `log_bytes` in the .log file, is cut off.
  static runtime::Result<std::shared_ptr<LogSegment>> active(const SegmentPlace& place, const SegmentFileSizes& sizes,
                                                             std::int64_t end_offset, std::uint64_t log_bytes);
  /// A new, empty one. Files that are there already under its names are removed.
  static runtime::Result<std::shared_ptr<LogSegment>> create(const SegmentPlace& place);

  std::int64_t base_offset() const { return place_.base_offset; }
  const SegmentPlace& place() const { return place_; }

  // --- Writer -------------------------------------------------------------------------------------------------------
  /// Writes whole batches, whose headers are given, at the end. After a failure the file is cut back; if that fails
  /// too the error is `io`.
  runtime::Status append(codec::Bytes batches, std::span<const BatchHeader> headers,
                         std::span<const AbortedTransaction> aborted);
  /// LogSegment.shouldRoll.
  runtime::Result<bool> should_roll(const RollRequest& request);
  /// Last time index entry, reserved blocks given back. The object stays readable.
  runtime::Status finish();
  /// The file open for writing; only the active segment has one.
  const std::shared_ptr<runtime::File>& writable_file() const { return file_; }
  /// Names of the files that must be synced before a recovery point may pass this segment.
  std::vector<std::string> file_names() const;
  /// While a segment is recovered: takes one batch that is in the .log file already into the indexes.
  runtime::Status recover_batch(std::uint64_t position, const BatchHeader& header,
                                std::span<const AbortedTransaction> aborted);
  /// Ends a recovery: cuts the .log file at `log_bytes`, and finishes the indexes.
  runtime::Status end_recovery(std::uint64_t log_bytes);
  /// The first batch's largest timestamp, or INT64_MAX (Kafka's getFirstBatchTimestamp).
  runtime::Result<std::int64_t> first_batch_timestamp();
  bool can_append(std::int64_t offset) const { return offset_index_.can_append(offset); }
  std::int64_t created_ms() const { return place_.now_ms; }

  // --- Reader -------------------------------------------------------------------------------------------------------
  std::uint64_t size_bytes() const { return size_bytes_.load(std::memory_order_acquire); }
  SegmentFileSizes file_sizes() const;
  runtime::Result<std::shared_ptr<runtime::File>> file() const;
  /// The first batch, below `end_bytes`, whose last offset is not below `offset`.
  runtime::Result<std::optional<BatchPosition>> find(std::int64_t offset, std::uint64_t end_bytes) const;
  /// The position after the last batch that ends below `offset`.
  runtime::Result<std::uint64_t> position_of_end(std::int64_t offset) const;
  /// The largest timestamp in the segment and the last offset of its batch; {-1, base} without any.
  runtime::Result<TimestampOffset> max_timestamp() const;
  /// The offset after the last whole batch (the base for an empty segment), and the position after it.
  struct End {
    std::int64_t offset = 0;
    std::uint64_t position_bytes = 0;
  };
  runtime::Result<End> end() const;
  const OffsetIndex& offset_index() const { return offset_index_; }
  const TimeIndex& time_index() const { return time_index_; }
  const TransactionIndex& transaction_index() const { return transaction_index_; }
  /// Before readers know of this active segment: they will need no name to read it, so its files may be renamed.
  void pin_files() { transaction_index_.pin(); }

 private:
  explicit LogSegment(const SegmentPlace& place);
  std::string file_name(std::string_view suffix) const;
  runtime::Status open_files(const SegmentFileSizes& sizes, std::int64_t end_offset, std::uint64_t log_bytes);
  runtime::Status index_batches(std::uint64_t position, std::span<const BatchHeader> headers);
  runtime::Status cut_back(std::uint64_t size_bytes, runtime::Status reason);
  runtime::Status find_max_timestamp();
  runtime::Result<std::optional<std::int64_t>> roll_timestamp();
  void reserve_ahead(std::uint64_t append_bytes);

  SegmentPlace place_;
  std::shared_ptr<runtime::File> file_;  // open for writing; null in a closed segment
  OffsetIndex offset_index_;
  TimeIndex time_index_;
  TransactionIndex transaction_index_;
  std::atomic<std::uint64_t> size_bytes_{0};
  PublishedNumbers<2> max_timestamp_;           // timestamp and offset; unknown_timestamp: see the time index
  std::uint64_t bytes_since_index_entry_ = 0;   // writer
  std::uint64_t reserved_bytes_ = 0;            // writer
  std::optional<std::int64_t> roll_timestamp_;  // writer: the first batch's
};

/// Names of a segment's files: 20 digits and a suffix.
std::string segment_file_name(std::int64_t base_offset, std::string_view suffix);
inline constexpr std::string_view log_suffix = ".log";
inline constexpr std::string_view offset_index_suffix = ".index";
inline constexpr std::string_view time_index_suffix = ".timeindex";
inline constexpr std::string_view transaction_index_suffix = ".txnindex";
inline constexpr std::string_view producer_snapshot_suffix = ".snapshot";
inline constexpr std::string_view deleted_suffix = ".deleted";
inline constexpr std::string_view cleaned_suffix = ".cleaned";
inline constexpr std::string_view swap_suffix = ".swap";

}  // namespace dohle::log
