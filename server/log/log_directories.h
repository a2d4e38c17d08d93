// All log directories of the broker: their locks, clean-shutdown markers, checkpoints, and the logs in them.
// Follows Kafka's LogManager.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "codec/uuid.h"
#include "server/log/checkpoint_file.h"
#include "server/log/disk_marks.h"
#include "server/log/file_cache.h"
#include "server/log/log.h"
#include "server/runtime/clock.h"
#include "server/runtime/file.h"
#include "server/runtime/lock_file.h"
#include "server/runtime/result.h"

namespace dohle::log {

/// One of log.dirs. Owned by LogDirectories.
struct LogDirectory {
  std::string path;
  codec::Uuid id;  // directory.id of its meta.properties; set by the broker
  std::shared_ptr<runtime::Directory> directory;
  /// nullopt on a disk without locks (tests).
  std::optional<runtime::LockFile> lock;
  std::atomic<bool> online{true};
  /// cordoned.log.dirs (KIP-1066): no new replica is placed here.
  std::atomic<bool> cordoned{false};
  /// How full its disk is; ReplicaUpkeep looks every second.
  std::atomic<SpaceLevel> space{SpaceLevel::enough};
  /// Files of all its logs that are open for reading.
  FileCache files;
  // What start() found.
  bool clean_shutdown = false;
  std::optional<std::int64_t> previous_broker_epoch;
  PartitionOffsets recovery_points;
  PartitionOffsets log_starts;
  PartitionOffsets high_watermarks;
};

struct LoadedLog {
  LogDirectory* directory = nullptr;
  TopicPartition partition;
  /// From partition.metadata; nullopt where there is none.
  std::optional<codec::Uuid> topic_id;
  std::unique_ptr<Log> log;
  /// On its way to this directory (AlterReplicaLogDirs): the directory's name ends in -future.
  bool is_future = false;
};

struct LogDirectoriesOptions {
  LogConfig default_config;
  ProducerStateConfig producers;
  /// num.recovery.threads.per.data.dir
  int recovery_threads_per_directory = 2;
  /// Gives a topic's own configuration to the logs that are loaded; the default without it.
  std::function<LogConfig(const std::string& topic)> config_of;
};

/// Start and stop from the main thread; the rest from the thread that applies metadata, unless said otherwise.
class LogDirectories {
 public:
  /// Opens (and makes) every directory and takes its lock. One clear line for a directory that is locked by another
  /// process or that is none.
  static runtime::Result<std::unique_ptr<LogDirectories>> open(const std::vector<std::string>& paths,
                                                               runtime::Clock& clock);
  /// For tests: directories of any disk, without locks.
  LogDirectories(std::vector<std::shared_ptr<runtime::Directory>> directories, runtime::Clock& clock);

  const std::vector<std::unique_ptr<LogDirectory>>& all() const { return directories_; }
  LogDirectory* find(const codec::Uuid& id);

  /// Takes the clean-shutdown markers away and reads the checkpoints. Before load(). nullopt epoch: an unclean stop, or
  /// markers that disagree.
  runtime::Status start();
  std::optional<std::int64_t> previous_broker_epoch() const;

  /// Loads every log of every directory, in parallel, with a progress line now and then. `-delete` directories are
  /// scheduled for removal, strays and the metadata log are left out.
  runtime::Result<std::vector<LoadedLog>> load(LogDirectoriesOptions options);

  /// Where a new replica goes, which counts from here on: `wanted`, or if it is null the directory with the fewest logs
  /// that is online and not cordoned. nullptr: none is online.
  LogDirectory* place(LogDirectory* wanted);
  /// Makes a partition's directory with partition.metadata and an empty log, where place() said. Any thread.
  runtime::Result<LoadedLog> create_at(const TopicPartition& partition, const codec::Uuid& topic_id,
                                       const LogConfig& config, LogDirectory& directory);
  /// Both in one.
  runtime::Result<LoadedLog> create(const TopicPartition& partition, const codec::Uuid& topic_id,
                                    const LogConfig& config, LogDirectory* directory);
  /// Makes a -future directory with an empty log that begins at `start_offset`.
  runtime::Result<LoadedLog> create_future(const TopicPartition& partition, const codec::Uuid& topic_id,
                                           const LogConfig& config, LogDirectory& directory);
  /// The future log takes the name of the partition; the log that had it becomes a -delete directory. In this order, as
  /// in Kafka: a kill in between leaves two, of which start() keeps the one that the metadata names.
  runtime::Status promote(const TopicPartition& partition, LogDirectory& from, Log& old, LogDirectory& to,
                          Log& promoted);
  /// The same where the former log is gone, or in a directory that failed.
  runtime::Status promote_alone(const TopicPartition& partition, LogDirectory& to, Log& promoted);
  /// Renames the directory of a log that nobody wants any more, whatever it is called, to -delete.
  runtime::Status discard(LogDirectory& directory, const TopicPartition& partition, Log& log);

  /// Renames a partition's directory to -delete (or -stray); the files go after file.delete.delay.ms, in
  /// remove_due(). The log may still be read by those who hold its files, and must not be written.
  runtime::Status retire(LogDirectory& directory, const TopicPartition& partition, Log& log, bool stray);
  /// Removes the -delete directories whose time has come. Blocks: from the pool.
  void remove_due(std::int64_t now_ms);

  /// Offsets of the partitions of one directory, replacing the file of that name.
  runtime::Status write_checkpoint(LogDirectory& directory, const char* name, const PartitionOffsets& offsets);
  /// The marker of a clean stop, after all logs were closed and all checkpoints written.
  runtime::Status write_clean_shutdown(std::int64_t broker_epoch);

 private:
  struct Pending {
    LogDirectory* directory;
    std::string name;
    std::int64_t due_ms;
  };
  struct Found {
    LogDirectory* directory;
    std::string name;
    TopicPartition partition;
    bool is_future = false;
  };

  runtime::Status retire_as(LogDirectory& directory, const std::string& from, const std::string& to, Log& log,
                            bool is_deleted);
  runtime::Result<LoadedLog> create_in(LogDirectory& directory, const std::string& name,
                                       const TopicPartition& partition, const codec::Uuid& topic_id,
                                       const LogConfig& config);
  runtime::Result<std::vector<Found>> find_logs();
  runtime::Result<LoadedLog> load_one(const Found& found);
  LogOptions log_options(LogDirectory& directory, const TopicPartition& partition, const LogConfig& config) const;

  std::vector<std::unique_ptr<LogDirectory>> directories_;
  runtime::Clock& clock_;
  LogDirectoriesOptions options_;
  std::map<const LogDirectory*, std::size_t> log_counts_;
  std::mutex pending_mutex_;
  std::vector<Pending> pending_;
};

}  // namespace dohle::log
