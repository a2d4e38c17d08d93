#include "server/log/log_directories.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "server/log/clean_shutdown_file.h"
#include "server/log/log_directory_name.h"
#include "server/log/partition_metadata_file.h"
#include "server/runtime/log_line.h"

namespace dohle::log {

namespace {

constexpr const char* logger = "org.apache.kafka.storage.internals.log.LogManager";
constexpr const char* metadata_log_name = "__cluster_metadata-0";

std::int64_t offset_of(const PartitionOffsets& offsets, const TopicPartition& partition) {
  const auto found = offsets.find(partition);
  return found == offsets.end() ? 0 : found->second;
}

/// What the log's directory is called now.
std::string name_of(const Log& log) {
  const auto& path = log.directory().path();
  return path.substr(path.rfind('/') + 1);
}

/// Runs `work(0)` to `work(count - 1)` on up to `threads` threads and gives the first failure.
runtime::Status run_in_parallel(std::size_t count, std::size_t threads,
                                const std::function<runtime::Status(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  runtime::Status result;
  const auto serve = [&] {
    for (auto i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      auto status = work(i);
      if (status) continue;
      const std::lock_guard lock(mutex);
      if (result) result = std::move(status);
    }
  };
  std::vector<std::jthread> pool;
  for (std::size_t i = 1; i < std::min(threads, count); ++i) pool.emplace_back(serve);
  serve();
  pool.clear();
  return result;
}

}  // namespace

runtime::Result<std::unique_ptr<LogDirectories>> LogDirectories::open(const std::vector<std::string>& paths,
                                                                      runtime::Clock& clock) {
  std::vector<std::shared_ptr<runtime::Directory>> directories;
  std::vector<runtime::LockFile> locks;
  for (const auto& path : paths) {
    auto directory = runtime::open_directory(path, true);
    if (!directory) return std::unexpected(std::move(directory.error()));
    auto lock = runtime::LockFile::acquire(path);
    if (!lock) return std::unexpected(std::move(lock.error()));
    directories.push_back(std::move(*directory));
    locks.push_back(std::move(*lock));
  }
  auto result = std::make_unique<LogDirectories>(std::move(directories), clock);
  for (std::size_t i = 0; i < locks.size(); ++i) {
    result->directories_[i]->path = paths[i];
    result->directories_[i]->lock = std::move(locks[i]);
  }
  return result;
}

LogDirectories::LogDirectories(std::vector<std::shared_ptr<runtime::Directory>> directories, runtime::Clock& clock)
    : clock_(clock) {
  for (auto& directory : directories) {
    auto entry = std::make_unique<LogDirectory>();
    entry->path = directory->path();
    entry->directory = std::move(directory);
    directories_.push_back(std::move(entry));
  }
}

LogDirectory* LogDirectories::find(const codec::Uuid& id) {
  const auto found = std::ranges::find(directories_, id, [](const auto& directory) { return directory->id; });
  return found == directories_.end() ? nullptr : found->get();
}

runtime::Status LogDirectories::start() {
  for (auto& entry : directories_) {
    // Kafka's checkpoints are there, empty, from the first start on.
    for (const auto* name :
         {recovery_point_checkpoint, log_start_checkpoint, high_watermark_checkpoint, cleaner_checkpoint}) {
      auto made = entry->directory->open(name, {.create = true});
      if (!made) return std::unexpected(std::move(made.error()));
    }
    auto marker = take_clean_shutdown(*entry->directory);
    if (!marker) return std::unexpected(std::move(marker.error()));
    entry->clean_shutdown = marker->clean;
    entry->previous_broker_epoch = marker->broker_epoch;
    const std::pair<const char*, PartitionOffsets*> files[] = {{recovery_point_checkpoint, &entry->recovery_points},
                                                               {log_start_checkpoint, &entry->log_starts},
                                                               {high_watermark_checkpoint, &entry->high_watermarks}};
    for (const auto& [name, offsets] : files) {
      auto read = read_offset_checkpoint(*entry->directory, name);
      if (read) {
        *offsets = std::move(*read);
        continue;
      }
      // Kafka goes on from zero: more is recovered than need be, and nothing is lost.
      runtime::log_warn(logger, "{}/{}: {}; reset to 0", entry->path, name, read.error().message);
    }
  }
  return {};
}

std::optional<std::int64_t> LogDirectories::previous_broker_epoch() const {
  std::optional<std::int64_t> epoch;
  for (const auto& entry : directories_) {
    if (!entry->clean_shutdown || !entry->previous_broker_epoch) return std::nullopt;
    if (epoch && *epoch != *entry->previous_broker_epoch) return std::nullopt;
    epoch = entry->previous_broker_epoch;
  }
  return epoch;
}

runtime::Result<std::vector<LogDirectories::Found>> LogDirectories::find_logs() {
  std::vector<Found> found;
  for (auto& entry : directories_) {
    auto names = entry->directory->list();
    if (!names) return std::unexpected(std::move(names.error()));
    for (auto& name : *names) {
      if (!name.is_directory || name.name == metadata_log_name) continue;
      const auto parsed = parse_log_directory_name(name.name);
      if (!parsed) continue;
      if (parsed->kind == LogDirectoryKind::deleted) {
        const std::lock_guard lock(pending_mutex_);
        pending_.push_back(
            {entry.get(), name.name, clock_.monotonic_ms() + options_.default_config.file_delete_delay_ms});
      } else if (parsed->kind == LogDirectoryKind::current || parsed->kind == LogDirectoryKind::future) {
        found.push_back(
            {entry.get(), std::move(name.name), parsed->partition, parsed->kind == LogDirectoryKind::future});
      } else {
        runtime::log_warn(logger, "Left alone: {}/{}", entry->path, name.name);
      }
    }
  }
  return found;
}

LogOptions LogDirectories::log_options(LogDirectory& directory, const TopicPartition& partition,
                                       const LogConfig& config) const {
  LogOptions options;
  options.topic = partition.topic;
  options.partition = partition.partition;
  options.config = config;
  options.producers = options_.producers;
  options.clock = &clock_;
  options.file_cache = &directory.files;
  return options;
}

runtime::Result<LoadedLog> LogDirectories::load_one(const Found& found) {
  auto& entry = *found.directory;
  auto directory = entry.directory->subdirectory(found.name, false);
  if (!directory) return std::unexpected(std::move(directory.error()));
  LoadedLog loaded{.directory = &entry,
                   .partition = found.partition,
                   .topic_id = std::nullopt,
                   .log = nullptr,
                   .is_future = found.is_future};
  auto topic_id = read_partition_metadata(**directory);
  if (!topic_id) return std::unexpected(std::move(topic_id.error()));
  loaded.topic_id = *topic_id;

  const auto& topic = found.partition.topic;
  auto options =
      log_options(entry, found.partition, options_.config_of ? options_.config_of(topic) : options_.default_config);
  options.directory = std::move(*directory);
  options.log_start_offset = offset_of(entry.log_starts, found.partition);
  options.recovery_point = offset_of(entry.recovery_points, found.partition);
  options.clean_shutdown = entry.clean_shutdown;
  auto log = Log::open(std::move(options));
  if (!log) return std::unexpected(std::move(log.error()));
  (*log)->update_high_watermark(offset_of(entry.high_watermarks, found.partition));
  loaded.log = std::move(*log);
  return loaded;
}

runtime::Result<std::vector<LoadedLog>> LogDirectories::load(LogDirectoriesOptions options) {
  options_ = std::move(options);
  auto found = find_logs();
  if (!found) return std::unexpected(std::move(found.error()));
  const auto began_ms = clock_.monotonic_ms();
  const auto count = found->size();
  std::vector<LoadedLog> loaded(count);
  std::atomic<std::size_t> done{0};
  std::atomic<std::int64_t> said_ms{began_ms};
  const auto work = [&](std::size_t i) -> runtime::Status {
    auto one = load_one((*found)[i]);
    if (!one) return std::unexpected(std::move(one.error()));
    loaded[i] = std::move(*one);
    const auto finished = done.fetch_add(1) + 1;
    const auto now_ms = clock_.monotonic_ms();
    auto last_ms = said_ms.load();
    if (now_ms - last_ms >= 1000 && said_ms.compare_exchange_strong(last_ms, now_ms)) {
      runtime::log_info(logger, "Loaded {} of {} logs", finished, count);
    }
    return {};
  };
  const auto threads = static_cast<std::size_t>(std::max(1, options_.recovery_threads_per_directory));
  DOHLE_RETURN_IF_ERROR(run_in_parallel(count, threads * directories_.size(), work));
  for (const auto& one : loaded) ++log_counts_[one.directory];
  runtime::log_info(logger, "Loaded {} logs in {}ms", count, clock_.monotonic_ms() - began_ms);
  return loaded;
}

LogDirectory* LogDirectories::place(LogDirectory* wanted) {
  LogDirectory* chosen = wanted;
  // The controller gives no replica to a broker whose directories are all cordoned; what comes all the same is taken.
  for (const bool also_cordoned : {false, true}) {
    if (chosen != nullptr) break;
    for (auto& entry : directories_) {
      if (!entry->online || (entry->cordoned && !also_cordoned)) continue;
      if (chosen == nullptr || log_counts_[entry.get()] < log_counts_[chosen]) chosen = entry.get();
    }
  }
  if (chosen != nullptr) ++log_counts_[chosen];
  return chosen;
}

runtime::Result<LoadedLog> LogDirectories::create_at(const TopicPartition& partition, const codec::Uuid& topic_id,
                                                     const LogConfig& config, LogDirectory& directory) {
  return create_in(directory, log_directory_name(partition), partition, topic_id, config);
}

runtime::Result<LoadedLog> LogDirectories::create(const TopicPartition& partition, const codec::Uuid& topic_id,
                                                  const LogConfig& config, LogDirectory* directory) {
  directory = place(directory);
  if (directory == nullptr) return runtime::failure(runtime::ErrorKind::io, "No log directory is online");
  return create_at(partition, topic_id, config, *directory);
}

runtime::Result<LoadedLog> LogDirectories::create_in(LogDirectory& directory, const std::string& name,
                                                     const TopicPartition& partition, const codec::Uuid& topic_id,
                                                     const LogConfig& config) {
  auto opened = directory.directory->subdirectory(name, true);
  if (!opened) return std::unexpected(std::move(opened.error()));
  DOHLE_RETURN_IF_ERROR(write_partition_metadata(**opened, topic_id));
  auto options = log_options(directory, partition, config);
  options.directory = std::move(*opened);
  options.clean_shutdown = true;  // there is nothing to recover
  auto log = Log::open(std::move(options));
  if (!log) return std::unexpected(std::move(log.error()));
  return LoadedLog{.directory = &directory, .partition = partition, .topic_id = topic_id, .log = std::move(*log)};
}

runtime::Result<LoadedLog> LogDirectories::create_future(const TopicPartition& partition, const codec::Uuid& topic_id,
                                                         const LogConfig& config, LogDirectory& directory) {
  place(&directory);
  auto created = create_in(directory, future_directory_name(partition), partition, topic_id, config);
  if (created) created->is_future = true;
  return created;
}

runtime::Status LogDirectories::promote(const TopicPartition& partition, LogDirectory& from, Log& old, LogDirectory& to,
                                        Log& promoted) {
  DOHLE_RETURN_IF_ERROR(promote_alone(partition, to, promoted));
  return retire(from, partition, old, false);
}

runtime::Status LogDirectories::promote_alone(const TopicPartition& partition, LogDirectory& to, Log& promoted) {
  DOHLE_RETURN_IF_ERROR(retire_as(to, name_of(promoted), log_directory_name(partition), promoted, false));
  ++log_counts_[&to];
  return to.directory->sync();
}

runtime::Status LogDirectories::discard(LogDirectory& directory, const TopicPartition& partition, Log& log) {
  return retire_as(directory, name_of(log), deleted_directory_name(partition), log, true);
}

runtime::Status LogDirectories::retire(LogDirectory& directory, const TopicPartition& partition, Log& log, bool stray) {
  const auto name = stray ? stray_directory_name(partition) : deleted_directory_name(partition);
  return retire_as(directory, log_directory_name(partition), name, log, !stray);
}

runtime::Status LogDirectories::retire_as(LogDirectory& directory, const std::string& from, const std::string& to,
                                          Log& log, bool is_deleted) {
  DOHLE_RETURN_IF_ERROR(directory.directory->rename(from, to));
  auto renamed = directory.directory->subdirectory(to, false);
  if (!renamed) return std::unexpected(std::move(renamed.error()));
  DOHLE_RETURN_IF_ERROR(log.directory_renamed(std::move(*renamed)));
  if (auto& count = log_counts_[&directory]; count > 0) --count;
  if (is_deleted) {
    const std::lock_guard lock(pending_mutex_);
    pending_.push_back({&directory, to, clock_.monotonic_ms() + log.config().file_delete_delay_ms});
  }
  return {};
}

void LogDirectories::remove_due(std::int64_t now_ms) {
  std::vector<Pending> due;
  {
    const std::lock_guard lock(pending_mutex_);
    const auto later = std::ranges::partition(pending_, [&](const Pending& one) { return one.due_ms > now_ms; });
    due.assign(std::make_move_iterator(later.begin()), std::make_move_iterator(later.end()));
    pending_.erase(later.begin(), later.end());
  }
  for (const auto& one : due) {
    if (auto removed = one.directory->directory->remove_tree(one.name); !removed) {
      runtime::log_warn(logger, "{}/{} could not be removed: {}", one.directory->path, one.name,
                        removed.error().message);
    }
  }
}

runtime::Status LogDirectories::write_checkpoint(LogDirectory& directory, const char* name,
                                                 const PartitionOffsets& offsets) {
  return write_offset_checkpoint(*directory.directory, name, offsets);
}

runtime::Status LogDirectories::write_clean_shutdown(std::int64_t broker_epoch) {
  for (auto& entry : directories_) {
    if (!entry->online) continue;
    DOHLE_RETURN_IF_ERROR(log::write_clean_shutdown(*entry->directory, broker_epoch));
    DOHLE_RETURN_IF_ERROR(entry->directory->sync());
  }
  return {};
}

}  // namespace dohle::log
