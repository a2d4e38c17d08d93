// One partition on this broker: its lock, its leadership, its log, and who waits for its offsets to move.
// Source: kafka.cluster.Partition, and of kafka.server.ReplicaManager what concerns one partition.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "codec/uuid.h"
#include "protocol/error_code.h"
#include "server/config/log_config.h"
#include "server/log/log.h"
#include "server/log/log_directories.h"
#include "server/runtime/partition_lock.h"
#include "server/runtime/waiter.h"

namespace dohle::replica {

/// What the metadata says of a partition, as far as its leader must know it.
struct PartitionState {
  std::int32_t leader = -1;
  std::int32_t leader_epoch = -1;
  std::int32_t partition_epoch = -1;
  std::vector<std::int32_t> replicas;
  std::vector<std::int32_t> isr;
};

enum class Isolation : std::uint8_t { read_uncommitted, read_committed, log_end };

struct ProduceResult {
  protocol::ErrorCode error = protocol::ErrorCode::none;
  std::string message;
  std::int64_t base_offset = -1;
  std::int64_t last_offset = -1;
  /// For a duplicate: the timestamp of what was stored the first time; else -1.
  std::int64_t duplicate_timestamp_ms = -1;
  std::int64_t log_start_offset = -1;
  bool duplicate = false;
  /// flush.messages is reached: the offsets are given out, but the answer waits for Partition::flush().
  bool flush_due = false;
  /// A new segment was begun: what lies before it should be flushed by the pool.
  bool rolled = false;
  /// The error is the disk's: its log directory must be looked after.
  bool disk_failed = false;
};

struct FetchRead {
  std::int64_t offset = 0;
  std::int32_t max_bytes = 0;
  std::int32_t current_leader_epoch = -1;  // -1: not checked
  std::int32_t last_fetched_epoch = -1;    // -1: not checked
  Isolation isolation = Isolation::read_uncommitted;
  bool at_least_one_batch = false;
  bool leader_only = true;
};

struct FetchReadResult {
  protocol::ErrorCode error = protocol::ErrorCode::none;
  std::int64_t high_watermark = -1;
  std::int64_t last_stable_offset = -1;
  std::int64_t log_start_offset = -1;
  std::int64_t diverging_epoch = -1;  // with diverging_end_offset, when has_diverged
  std::int64_t diverging_end_offset = -1;
  bool has_diverged = false;
  log::Slice slice;
  std::vector<log::AbortedTransaction> aborted;
};

struct OffsetLookup {
  protocol::ErrorCode error = protocol::ErrorCode::none;
  std::int64_t timestamp_ms = -1;
  std::int64_t offset = -1;
  std::int32_t leader_epoch = -1;
};

struct EpochEnd {
  protocol::ErrorCode error = protocol::ErrorCode::none;
  std::int32_t leader_epoch = -1;
  std::int64_t end_offset = -1;
};

/// Any thread, but for what says otherwise. The lock is a leaf: it is held for an append's stamping and one write, and
/// never over a wait, a sync or a call into other parts.
class Partition {
 public:
  Partition(std::string topic, codec::Uuid topic_id, std::int32_t index, std::int32_t broker_id,
            log::LogDirectory* directory, std::unique_ptr<log::Log> log);

  const std::string& topic() const { return topic_; }
  const codec::Uuid& topic_id() const { return topic_id_; }
  std::int32_t index() const { return index_; }
  /// Where its log lies; never null. Another one after a move (AlterReplicaLogDirs).
  log::LogDirectory* directory() const { return directory_.load(std::memory_order_acquire); }
  /// "topic-3", as the directory and the log lines name it.
  std::string name() const;

  /// Takes the state that the metadata gives, if it is newer. Becoming leader of a new epoch notes in the log where the
  /// epoch begins. From the thread that applies metadata.
  runtime::Status apply(const PartitionState& state);
  /// The topic is gone: whoever waits learns it, and nothing is accepted any more.
  void mark_deleted();
  /// The log directory failed: answers KAFKA_STORAGE_ERROR from now on.
  void mark_offline();

  bool is_leader() const;
  /// Whether `broker_id` is another of the partition's replicas, whose fetch this leader serves.
  bool has_follower(std::int32_t broker_id) const;
  std::int32_t leader_epoch() const;
  /// Never null.
  std::shared_ptr<const config::LogConfig> config() const;
  void set_config(std::shared_ptr<const config::LogConfig> config);

  /// Appends one partition's validated batches. `acks` is -1, 0 or 1. Waiters are woken when the high watermark moved.
  /// The leader epoch of `batches` is set here.
  ProduceResult append(log::LeaderAppend batches, std::int16_t acks);
  /// Syncs what was appended and lets the high watermark follow. Blocks: from the disk pool. Later callers find the
  /// work of earlier ones done, which makes it a group commit. KAFKA_STORAGE_ERROR when the disk failed.
  protocol::ErrorCode flush();
  /// Syncs what lies before the active segment, so that a recovery reads no more than that one. Blocks: from the pool,
  /// after an append that rolled. A failure takes the partition offline.
  protocol::ErrorCode flush_closed_segments();

  FetchReadResult read(const FetchRead& request) const;
  /// ListOffsets: -1, -2, -3, -4, -5 or a time in ms. `isolation` log_end is a replica's or a tool's question.
  OffsetLookup lookup_offset(std::int64_t timestamp_ms, Isolation isolation, std::int32_t current_leader_epoch,
                             bool leader_only) const;
  EpochEnd end_of_epoch(std::int32_t epoch, std::int32_t current_leader_epoch, bool leader_only) const;

  std::int64_t high_watermark() const { return current()->high_watermark(); }
  std::int64_t log_start_offset() const { return current()->log_start_offset(); }
  std::int64_t log_end_offset() const { return current()->log_end_offset(); }
  std::int64_t last_stable_offset() const { return current()->last_stable_offset(); }
  /// What a fetch may read up to, exclusive.
  std::int64_t bound(Isolation isolation) const;

  /// DeleteRecords: moves the log start to `offset` (-1: the high watermark). The new log start, or an error.
  OffsetLookup delete_records_before(std::int64_t offset);

  /// Everybody registered is woken when the high watermark, the last stable offset or the leadership changes, once:
  /// then the list is empty again. A waiter checks after registering.
  void watch(std::shared_ptr<runtime::Waiter> waiter);
  void unwatch(const std::shared_ptr<runtime::Waiter>& waiter);

  /// For upkeep (retention, checkpoints, closing): runs `function(log)` under the partition's lock. No I/O in it that
  /// may take long.
  template <typename Function>
  auto with_log(Function&& function) {
    const std::lock_guard lock(lock_);
    return function(*current());
  }
  /// The log stays what it is for as long as the partition lives, also when another takes its place in a move.
  const log::Log& log() const { return *current(); }

  // --- Moving to another log directory (KIP-113): a second log catches up with this one and takes its place
  // -----------
  struct FutureReplica {
    log::LogDirectory* directory = nullptr;
    std::shared_ptr<log::Log> log;
  };
  enum class CopyProgress : std::uint8_t { none, some, caught_up, failed };

  /// Where the replica is on its way to; nullopt if nowhere.
  std::optional<FutureReplica> future() const;
  bool is_moving() const { return is_moving_.load(std::memory_order_acquire); }
  /// Begins a move, unless one is under way (false).
  bool set_future(FutureReplica future);
  /// Ends it; the log that was on its way, if there was one.
  std::optional<FutureReplica> take_future();
  /// Copies up to `size_bytes_max` to the future log, and syncs it when it has all. Blocks. One thread at a time.
  CopyProgress copy_to_future(std::int32_t size_bytes_max);
  /// Under the lock: copies what came meanwhile, calls `rename` (the directories change their names), and goes on with
  /// the future log. False, and still moving, if there is too much to copy; an error leaves the partition as it was.
  runtime::Result<bool> promote_future(const std::function<runtime::Status(log::Log& old, log::Log& promoted)>& rename);

 private:
  enum class Health : std::uint8_t { online, offline, deleted };

  log::Log* current() const { return log_.load(std::memory_order_acquire); }
  static runtime::Result<bool> copy_batches(const log::Log& from, log::Log& to, std::int32_t size_bytes_max,
                                            std::int32_t leader_epoch);
  protocol::ErrorCode health_error() const;
  protocol::ErrorCode check_appendable(std::int16_t acks, std::string& message) const;
  protocol::ErrorCode check_space(log::AppendOrigin origin, std::string& message) const;
  bool check_divergence(const FetchRead& request, FetchReadResult& result) const;
  protocol::ErrorCode check_readable(std::int32_t current_leader_epoch, bool leader_only) const;
  bool advance_high_watermark();
  protocol::ErrorCode flush_up_to(bool closed_segments_only);
  void wake_waiters();

  const std::string topic_;
  const codec::Uuid topic_id_;
  const std::int32_t index_;
  const std::int32_t broker_id_;
  std::atomic<log::LogDirectory*> directory_;
  std::atomic<log::Log*> log_;  // the last of logs_

  /// One sync at a time: who comes while one runs waits, and the next covers all who waited (group commit).
  std::mutex flush_mutex_;
  mutable runtime::PartitionLock lock_;  // guards writes to the log and state_, and what follows
  /// All that it has had, one more for each move: readers take no lock, so none goes before the partition does.
  std::vector<std::shared_ptr<log::Log>> logs_;
  std::optional<FutureReplica> future_;
  PartitionState state_;
  std::shared_ptr<const config::LogConfig> config_ = std::make_shared<config::LogConfig>();
  /// Something above the recovery point waits for the disk: the high watermark does not pass what is synced.
  bool is_flush_pending_ = false;
  // Copies of state_ for readers, who take no lock.
  std::atomic<std::int32_t> leader_{-1};
  std::atomic<std::int32_t> leader_epoch_{-1};
  std::atomic<std::int64_t> leader_epoch_start_{-1};
  std::atomic<Health> health_{Health::online};
  std::atomic<bool> is_moving_{false};

  std::mutex watch_mutex_;
  std::vector<std::shared_ptr<runtime::Waiter>> watching_;
  std::atomic<bool> is_watched_{false};
};

}  // namespace dohle::replica
