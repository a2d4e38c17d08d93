// The threads that compact logs, the dirtiest first, and the checkpoint of how far they came.
// Source: org.apache.kafka.storage.internals.log.LogCleaner, LogCleanerManager.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "server/config/broker_config.h"
#include "server/log/cleanable_range.h"
#include "server/log/log_cleaner.h"
#include "server/log/log_directories.h"
#include "server/replica/replica_set.h"
#include "server/runtime/clock.h"
#include "server/runtime/snapshot.h"

namespace dohle::replica {

/// A partition that can't be cleaned (a damaged batch) is left alone until the broker starts again, with one line; the
/// others go on. A full disk is waited out; any other failure of the disk takes its directory offline.
class LogCompaction {
 public:
  /// All outlive it.
  LogCompaction(ReplicaSet& replicas, log::LogDirectories& directories,
                const runtime::Snapshot<config::BrokerConfig>& config, runtime::Clock& clock);
  ~LogCompaction() { stop(); }

  /// Starts log.cleaner.threads threads, none if log.cleaner.enable is false.
  void start();
  /// log.cleaner.threads may have changed: makes more threads, or lets some go, which gives up what they clean. From
  /// one thread, between start() and stop().
  void adjust_threads();
  std::size_t thread_count() const { return thread_count_; }
  /// Gives up what is being cleaned, which costs nothing but time, and waits for the threads.
  void stop();

  /// Cleans the dirtiest log that is dirty enough, if there is one. A thread's work; public for tests.
  bool clean_dirtiest();
  /// Retention of the logs that are compacted; those that are not are ReplicaUpkeep's.
  void delete_old_segments();
  /// Where the dirty part of a log begins, as the checkpoint says.
  std::optional<std::int64_t> cleaned_offset(const Partition& partition);
  std::size_t uncleanable_count() const;

  static constexpr const char* checkpoint_name = "cleaner-offset-checkpoint";

 private:
  /// Of one log directory.
  struct Checkpoint {
    struct Entry {
      std::int64_t offset = 0;
      /// A topic of the same name that was made later begins anew.
      std::optional<codec::Uuid> topic_id;
    };
    bool is_loaded = false;
    std::map<log::TopicPartition, Entry> entries;
  };
  struct Work {
    std::shared_ptr<Partition> partition;
    log::CleanableRange range;
    std::int64_t now_ms = 0;
  };

  void run(std::size_t number);
  bool is_over(std::size_t number) const { return stopping_ || number >= thread_count_; }
  std::optional<Work> take_dirtiest();
  /// Under mutex_.
  std::optional<std::int64_t> find_offset(const Partition& partition);
  void set_offset(const Partition& partition, std::int64_t offset);
  Checkpoint& checkpoint_of(log::LogDirectory& directory);
  void write_checkpoint(log::LogDirectory& directory);
  void forget_deleted();

  void finish(const Work& work, const runtime::Result<log::CleanOutcome>& outcome, std::int64_t took_ms);
  void mark_uncleanable(const Partition& partition, const std::string& reason);
  log::LogCleaner::Options cleaner_options();
  bool throttle(std::uint64_t bytes);

  ReplicaSet& replicas_;
  log::LogDirectories& directories_;
  const runtime::Snapshot<config::BrokerConfig>& config_;
  runtime::Clock& clock_;
  bool is_started_ = false;
  std::atomic<std::size_t> thread_count_{1};
  std::vector<std::thread> threads_;
  std::atomic<bool> stopping_{false};

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<log::LogDirectory*, Checkpoint> checkpoints_;
  std::set<const Partition*> in_progress_;
  /// By what outlives a partition object: a topic that is made anew has another id.
  std::set<std::pair<codec::Uuid, std::int32_t>> uncleanable_;
  // log.cleaner.io.max.bytes.per.second, all threads together.
  std::int64_t throttle_began_ms_ = 0;
  double throttled_bytes_ = 0;
};

}  // namespace dohle::replica
