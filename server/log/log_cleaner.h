// Compacts one log: keeps the last record of each key, the tombstones whose time has not come, and what holds
// producers' state, transactions and the end of the log together. Follows Kafka's Cleaner; segments are written anew
// beside the old ones, and swapped in under the partition's lock.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "protocol/record.h"
#include "server/log/cleaned_transactions.h"
#include "server/log/log.h"
#include "server/log/offset_map.h"
#include "server/runtime/result.h"

namespace dohle::log {

struct CleanRequest {
  /// Read without its lock; outlives the call.
  const Log* log = nullptr;
  /// Runs a function under the partition's lock. `closed` from it ends the cleaning.
  std::function<runtime::Status(const std::function<runtime::Status(Log&)>&)> locked;
  /// From cleanable_range().
  std::int64_t first_dirty_offset = 0;
  std::int64_t first_uncleanable_offset = 0;
  std::int64_t now_ms = 0;
};

struct CleanOutcome {
  /// Everything below is clean now.
  std::int64_t end_offset = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::int64_t records_read = 0;
  std::int64_t records_written = 0;
  /// Records without a key, which a compacted log should not have; they are dropped.
  std::int64_t invalid_records = 0;
  double map_utilization = 0;
};

/// One thread at a time.
class LogCleaner {
 public:
  struct Options {
    std::uint64_t map_bytes_max = 128 << 20;
    double map_load_factor = 0.9;
    std::size_t io_buffer_bytes = 256 << 10;
    /// Called with the bytes that were just read or written; may wait. False: give up.
    std::function<bool(std::uint64_t bytes)> throttle;
  };

  explicit LogCleaner(Options options);

  /// Errors: `closed` and `not_found` when the log changed under it or it was told to give up (try again later),
  /// `corrupt` for what can't be cleaned, `no_space`, and `io` (the directory must go offline). What was swapped in
  /// before an error stays.
  runtime::Result<CleanOutcome> clean(const CleanRequest& request);

 private:
  struct LastRecord {
    std::int64_t data_offset;  // -1: the last was a marker
    std::int16_t epoch;
  };
  using Segments = std::vector<std::shared_ptr<LogSegment>>;
  /// What stays the same for all segments of a group.
  struct Group {
    std::shared_ptr<LogSegment> cleaned;
    std::unordered_map<std::int64_t, LastRecord> last_records;
    std::int64_t delete_retention_ms = 0;
    // Waiting to be written.
    codec::Blob bytes;
    std::vector<BatchHeader> headers;
    std::vector<AbortedTransaction> aborted;
  };

  runtime::Status fill_map(const CleanRequest& request);
  runtime::Result<bool> map_segment(const LogSegment& segment, std::int64_t start, CleanedTransactions& transactions);
  runtime::Result<bool> map_batch(codec::Bytes batch, std::int64_t start);
  std::vector<Segments> group_segments(const CleanRequest& request, const LogConfig& config) const;
  runtime::Status clean_group(const CleanRequest& request, const Segments& segments);
  runtime::Status write_group(const CleanRequest& request, const Segments& segments, Group& group);
  runtime::Status clean_segment(const CleanRequest& request, const LogSegment& segment, Group& group);
  runtime::Status clean_batch(const CleanRequest& request, const BatchHeader& header, codec::Bytes batch, Group& group);
  bool keeps(const protocol::Record& record, std::optional<std::int64_t> delete_horizon_ms, std::int64_t now_ms);
  runtime::Status write_out(Group& group);
  runtime::Status give_way(std::uint64_t bytes) const;

  Options options_;
  OffsetMap map_;
  CleanedTransactions transactions_;
  CleanOutcome outcome_;
};

}  // namespace dohle::log
