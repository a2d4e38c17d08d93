// A partition's log: its segments on disk, the offsets, the idempotent producers' state and the leader epochs.
// Follows Kafka's UnifiedLog and LocalLog; every file is Kafka's (docs: the log directory).
//
// Threads: one writer at a time, who holds the partition's lock, for everything that is not marked `reader`. What is
// marked `reader` may be called by any thread at any time and takes no lock of the partition.
//
// Errors: `runtime::Error` is a failure of the disk. After `no_space` the log is as it was before the call (the tail
// was cut back) and stays usable; after `io` the log must not be written again, the directory is offline. What the
// protocol has to say about an append travels in AppendResult.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/bytes.h"
#include "codec/uuid.h"
#include "server/log/aborted_transaction.h"
#include "server/log/leader_epoch_cache.h"
#include "server/log/log_config.h"
#include "server/log/log_segment.h"
#include "server/log/producer_snapshot_files.h"
#include "server/log/producer_state.h"
#include "server/log/published_end.h"
#include "server/log/segment_list.h"
#include "server/runtime/clock.h"
#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::protocol {
enum class ErrorCode : std::int16_t;
}

namespace dohle::log {

/// How to open a log. `directory` is the partition's own ("topic-0"), and exists; it may be empty.
struct LogOptions {
  std::shared_ptr<runtime::Directory> directory;
  std::string topic;
  std::int32_t partition = 0;
  LogConfig config;
  ProducerStateConfig producers;
  /// From log-start-offset-checkpoint and recovery-point-offset-checkpoint, 0 where there is no line.
  std::int64_t log_start_offset = 0;
  std::int64_t recovery_point = 0;
  /// `.kafka_cleanshutdown` was found in the log directory: nothing is scanned.
  bool clean_shutdown = false;
  /// Outlives the log.
  runtime::Clock* clock = nullptr;
  /// Shared by the logs of a directory, and outlives them; null: the log has a small one of its own.
  FileCache* file_cache = nullptr;
};

/// An append by the partition's leader: offsets and epoch are given by the log.
struct LeaderAppend {
  /// One or more whole v2 batches, validated (CRC, counts, timestamps). Base offset and leader epoch of each are
  /// stamped in place, before the write and also when the write fails.
  codec::MutableBytes batches;
  std::int32_t leader_epoch = 0;
  AppendOrigin origin = AppendOrigin::client;
  /// What start_verification() gave; the default where none is needed.
  VerificationGuard guard{};
  /// For transaction markers only: 0, 1 or 2 (KIP-890).
  std::int16_t transaction_version = 0;
};

struct AppendResult {
  /// none, INVALID_PRODUCER_EPOCH, OUT_OF_ORDER_SEQUENCE_NUMBER, INVALID_TXN_STATE, TRANSACTION_COORDINATOR_FENCED,
  /// RECORD_LIST_TOO_LARGE, INVALID_RECORD or CORRUPT_MESSAGE (bytes that are not whole batches). Nothing was stored
  /// unless it is none.
  protocol::ErrorCode error{};
  std::string message;  // for the log and the client; empty without an error
  /// For a duplicate: where the batch was stored the first time.
  std::int64_t first_offset = -1;
  std::int64_t last_offset = -1;
  /// -1, or for a duplicate the timestamp of the original (what Kafka answers as its append time).
  std::int64_t duplicate_timestamp_ms = -1;
  bool duplicate = false;
  /// A new segment was begun: hand flush_plan(its base offset) to the pool.
  bool rolled = false;
  /// flush.messages is reached: the answer waits for a flush up to the end.
  bool flush_due = false;
};

/// An append of batches that have their offsets and epochs: replication, and the metadata log.
struct RawAppend {
  codec::Bytes batches;
  AppendOrigin origin = AppendOrigin::replication;
  /// Batches of a higher epoch than this one are left out (KAFKA-18723); for raft_leader every batch must have it.
  std::int32_t leader_epoch = 0;
};

/// Bytes of one segment's file. It keeps the file open.
struct Slice {
  std::shared_ptr<runtime::File> file;
  std::uint64_t position_bytes = 0;
  std::uint64_t size_bytes = 0;
};

struct ReadRequest {
  std::int64_t offset = 0;
  std::int32_t size_bytes_max = 0;
  /// Exclusive: the log end, the high watermark or the last stable offset.
  std::int64_t bound_offset = 0;
  /// The first batch is given whole even if it is larger than size_bytes_max.
  bool at_least_one_batch = false;
  /// Look up the aborted transactions that touch what is read (READ_COMMITTED).
  bool aborted_transactions = false;
};

struct ReadResult {
  /// The offset is below the log start or above the log end: OFFSET_OUT_OF_RANGE.
  bool out_of_range = false;
  /// Begins with the batch that contains the offset; may end in the middle of a batch. Empty: nothing there yet.
  Slice slice;
  /// The first batch is larger than what was given of it.
  bool first_batch_incomplete = false;
  std::vector<AbortedTransaction> aborted;
};

struct FoundOffset {
  std::int64_t timestamp_ms = -1;
  std::int64_t offset = -1;
  std::int32_t leader_epoch = -1;  // of its batch; -1 if the batch has none
};

/// What must be synced for the log to be safe up to `offset`. Made under the lock, run without it.
struct FlushPlan {
  std::int64_t offset = 0;
  /// The active segment's file, if it has to be synced.
  std::shared_ptr<runtime::File> active;
  /// Files of closed segments, and producer snapshots; those that are gone by then are passed over.
  std::vector<std::string> names;
  std::shared_ptr<runtime::Directory> directory;
  /// What the log was cut back meanwhile is not safe, whatever was synced.
  std::uint64_t truncations = 0;
  bool sync_directory = false;
  /// The segments that begin below it are on the disk with all their files afterwards.
  std::int64_t synced_below = 0;

  bool empty() const { return active == nullptr && names.empty(); }
  /// Blocks. After a failure the directory must go offline.
  runtime::Status run() const;
};

class Log {
 public:
  /// Loads the directory as Kafka's LogLoader does: finishes or undoes interrupted swaps, removes leftovers, rebuilds
  /// missing or corrupt indexes, without a clean shutdown scans from the recovery point and cuts at the first bad
  /// batch, restores epochs and producers. Blocks for long.
  static runtime::Result<std::unique_ptr<Log>> open(LogOptions options);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  const std::string& topic() const { return options_.topic; }
  std::int32_t partition() const { return options_.partition; }
  const LogConfig& config() const { return options_.config; }
  /// Takes effect with the next append or upkeep.
  void set_config(const LogConfig& config) { options_.config = config; }

  // --- Offsets (reader) ---------------------------------------------------------------------------------------------
  std::int64_t log_start_offset() const { return log_start_offset_.load(std::memory_order_acquire); }
  std::int64_t log_end_offset() const { return end_.offset(); }
  std::int64_t high_watermark() const { return high_watermark_.load(std::memory_order_acquire); }
  /// The first offset of the oldest transaction that is open or not yet below the high watermark, else the high
  /// watermark; never above it.
  std::int64_t last_stable_offset() const;
  std::int64_t recovery_point() const { return recovery_point_.load(std::memory_order_acquire); }
  /// What the checkpoint may promise. A flush leaves the active segment's indexes to the scan after a crash, which
  /// begins with the segment of this offset; so it is not above a segment whose indexes may not be on the disk. (Kafka
  /// syncs the indexes with each flush.)
  std::int64_t checkpoint_recovery_point() const {
    return std::min(recovery_point(), synced_below_.load(std::memory_order_acquire));
  }
  /// Bytes of all segments' .log files.
  std::uint64_t size_bytes() const;
  std::shared_ptr<const SegmentList> segments() const { return segments_.load(); }

  // --- Writing ------------------------------------------------------------------------------------------------------
  /// Checks producers, gives offsets, stamps, writes with one call, then publishes the end. The high watermark does not
  /// move by itself.
  runtime::Result<AppendResult> append_as_leader(const LeaderAppend& append);
  /// Offsets must be at or above the log end and grow. CRCs are checked.
  runtime::Result<AppendResult> append_raw(const RawAppend& append);
  /// Moves the high watermark, clamped to [log start, log end] (UnifiedLog.updateHighWatermark). Returns where it is.
  std::int64_t update_high_watermark(std::int64_t offset);
  /// Begins a new segment at the log end, if the active one is not empty.
  runtime::Status roll();
  /// Removes everything at and above `offset`. False: there was nothing to remove.
  runtime::Result<bool> truncate_to(std::int64_t offset);
  /// Removes everything; the log goes on, empty, at `offset`.
  runtime::Status truncate_fully_and_start_at(std::int64_t offset);
  /// DeleteRecords, and a follower's leader: moves the log start up, bytes go with a later delete_old_segments().
  /// False: it is there already. `offset` must not be above the high watermark.
  runtime::Result<bool> advance_log_start(std::int64_t offset);
  /// Retention by log start, size and time, as cleanup.policy says. Returns how many segments were scheduled for
  /// removal: their files are renamed to *.deleted.
  runtime::Result<std::size_t> delete_old_segments();
  /// Removes the *.deleted files whose file.delete.delay.ms has passed; all of them with `now`.
  runtime::Status remove_deleted_files(bool now = false);

  // --- Compaction ---------------------------------------------------------------------------------------------------
  /// Where the segment is written that will replace others and begins at `base_offset`: its files end in `.cleaned`.
  SegmentPlace cleaned_place(std::int64_t base_offset) const;
  /// Puts `cleaned`, whose files are finished and on the disk, in the place of `replaced`, which are neighbours in the
  /// list (LocalLog.replaceSegments). False, and nothing done, if one of them is no longer in the list. The directory
  /// has to be synced after it. A failure in the middle is finished or undone when the log is opened again.
  runtime::Result<bool> replace_segments(const std::vector<std::shared_ptr<LogSegment>>& replaced, LogSegment& cleaned);

  // --- Reading (reader) ---------------------------------------------------------------------------------------------
  runtime::Result<ReadResult> read(const ReadRequest& request) const;
  /// The first record at or above the log start whose timestamp is at least `timestamp_ms`; nullopt: there is none.
  runtime::Result<std::optional<FoundOffset>> offset_for_timestamp(std::int64_t timestamp_ms) const;
  /// ListOffsets MAX_TIMESTAMP (-3): the first record with the largest timestamp.
  runtime::Result<std::optional<FoundOffset>> offset_of_max_timestamp() const;
  /// Those that overlap [fetch_offset, upper_bound_offset), by offset.
  runtime::Result<std::vector<AbortedTransaction>> aborted_transactions(std::int64_t fetch_offset,
                                                                        std::int64_t upper_bound_offset) const;

  // --- Durability ---------------------------------------------------------------------------------------------------
  /// What to sync so that everything below `offset` is safe; no files if it is already. With `offset` = log end the
  /// active segment is part of it.
  FlushPlan flush_plan(std::int64_t offset);
  /// After plan.run(): moves the recovery point.
  void finish_flush(const FlushPlan& plan);
  /// flush_plan + run + finish, for callers who may block.
  runtime::Status flush(std::int64_t offset);
  /// Appended since the last flush, in records; and when that flush was (wall clock).
  std::int64_t unflushed_records() const { return log_end_offset() - recovery_point(); }
  std::int64_t last_flush_ms() const { return last_flush_ms_; }
  /// Flushes everything, writes the producer snapshot at the log end, trims and closes. No call after it.
  runtime::Status close();
  /// The directory has a new name (deletion, future replicas): the same files are reached through `directory` now.
  runtime::Status directory_renamed(std::shared_ptr<runtime::Directory> directory);
  /// Nothing is written any more, but may be read for a while: no file is kept open, so that what is removed is gone.
  void release();
  const runtime::Directory& directory() const { return *options_.directory; }

  // --- Producers and epochs -----------------------------------------------------------------------------------------
  const ProducerState& producers() const { return producers_; }
  ProducerState& producers() { return producers_; }
  const LeaderEpochCache& leader_epochs() const { return epochs_; }
  /// The leader of this epoch begins at the log end (UnifiedLog.assignEpochStartOffset).
  runtime::Status assign_epoch(std::int32_t epoch, std::int64_t start_offset);
  /// Forgets producers that wrote nothing for producer.id.expiration.ms.
  void remove_expired_producers();

 private:
  friend class LogLoader;
  struct DeletedFile {
    std::string name;
    std::int64_t due_ms;
  };
  struct ParsedBatches;

  explicit Log(LogOptions options);

  FileCache& cache() const { return options_.file_cache != nullptr ? *options_.file_cache : *own_cache_; }
  SegmentPlace place(std::int64_t base_offset) const;
  std::int64_t now_ms() const { return options_.clock->wall_ms(); }
  void publish_end(std::int64_t offset);
  void publish_first_unstable();
  void publish_segments(std::vector<std::shared_ptr<LogSegment>> segments);
  runtime::Status write_epochs();

  // log_append.cc
  runtime::Result<AppendResult> append(codec::Bytes batches, AppendOrigin origin, const ParsedBatches& parsed,
                                       const ProducerUpdate& update);
  runtime::Result<bool> roll_if_needed(const ParsedBatches& parsed);
  runtime::Status roll_at(std::int64_t base_offset);

  // log_read.cc
  template <typename Read>
  auto read_stable(const Read& read) const;
  runtime::Result<std::optional<FoundOffset>> find_timestamp(std::int64_t timestamp_ms, const SegmentList& list,
                                                             const LogEnd& end) const;
  runtime::Result<std::optional<FoundOffset>> find_max_timestamp(const SegmentList& list, const LogEnd& end) const;
  runtime::Result<ReadResult> read_once(const ReadRequest& request, const SegmentList& list, const LogEnd& end) const;
  runtime::Status add_aborted(const SegmentList& list, std::size_t segment, const ReadRequest& request,
                              const LogEnd& end, ReadResult& result) const;

  // log_retention.cc
  runtime::Result<std::size_t> deletable_segments() const;
  runtime::Status schedule_removal(const LogSegment& segment);
  runtime::Status schedule_files_removal(const LogSegment& segment);
  runtime::Status truncate_segments(std::int64_t offset);
  runtime::Status rebuild_producers(std::int64_t end_offset);

  LogOptions options_;
  std::unique_ptr<FileCache> own_cache_;
  SegmentListHolder segments_;
  ProducerState producers_;
  ProducerSnapshotFiles snapshots_;
  LeaderEpochCache epochs_;
  PublishedEnd end_;
  std::atomic<std::int64_t> log_start_offset_{0};
  std::atomic<std::int64_t> high_watermark_{0};
  std::atomic<std::int64_t> first_unstable_offset_{-1};  // -1: none
  std::atomic<std::int64_t> recovery_point_{0};
  /// Where the first segment begins that may not be on the disk with all its files; never above the active one.
  std::atomic<std::int64_t> synced_below_{0};
  std::int64_t last_flush_ms_ = 0;
  std::uint64_t truncations_ = 0;
  std::vector<std::string> unsynced_snapshots_;
  std::vector<DeletedFile> deleted_files_;
  std::vector<BatchHeader> headers_;  // of the append that runs; kept for its room
  bool closed_ = false;
};

}  // namespace dohle::log
