// What a broker does for its logs from time to time: checkpoints, retention, expired producers, deferred deletion.
// Source: kafka.server.ReplicaManager.checkpointHighWatermarks, org.apache.kafka.storage.internals.log.LogManager.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>

#include "server/config/broker_config.h"
#include "server/log/log_directories.h"
#include "server/replica/log_compaction.h"
#include "server/replica/replica_set.h"
#include "server/runtime/clock.h"
#include "server/runtime/snapshot.h"

namespace dohle::replica {

class ReplicaUpkeep {
 public:
  /// All outlive it.
  ReplicaUpkeep(ReplicaSet& replicas, log::LogDirectories& directories,
                const runtime::Snapshot<config::BrokerConfig>& config, runtime::Clock& clock);
  ~ReplicaUpkeep() { stop(); }

  /// Starts its thread, and those that compact.
  void start();
  void stop();

  /// Does what is due at `now_ms` (monotonic). The thread's work; public for tests.
  void run_due(std::int64_t now_ms);
  /// Writes all three offset checkpoints of every directory. Also the last thing of a clean stop, when recovery points
  /// are at the ends.
  void write_checkpoints(bool recovery_points, bool log_starts, bool high_watermarks);

 private:
  struct Task {
    std::int64_t due_ms = 0;
  };

  bool is_due(Task& task, std::int64_t now_ms, std::int64_t interval_ms);
  void delete_old_segments();
  void remove_deleted_files();
  void look_at_space();
  void flush_by_time();

  ReplicaSet& replicas_;
  log::LogDirectories& directories_;
  const runtime::Snapshot<config::BrokerConfig>& config_;
  runtime::Clock& clock_;
  LogCompaction compaction_;
  Task high_watermarks_;
  Task recovery_points_;
  Task log_starts_;
  Task retention_;
  Task producers_;
  Task removal_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace dohle::replica
