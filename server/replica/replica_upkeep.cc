#include "server/replica/replica_upkeep.h"

#include <cerrno>
#include <chrono>

#include "server/replica/checkpoint_lines.h"
#include "server/runtime/disk_space.h"
#include "server/runtime/log_line.h"

namespace dohle::replica {

namespace {

constexpr const char* logger = "org.apache.kafka.storage.internals.log.LogManager";
/// How often the thread looks whether something is due.
constexpr std::chrono::milliseconds tick{1000};

}  // namespace

ReplicaUpkeep::ReplicaUpkeep(ReplicaSet& replicas, log::LogDirectories& directories,
                             const runtime::Snapshot<config::BrokerConfig>& config, runtime::Clock& clock)
    : replicas_(replicas),
      directories_(directories),
      config_(config),
      clock_(clock),
      compaction_(replicas, directories, config, clock) {
  const auto now_ms = clock.monotonic_ms();
  const auto settings = config.current();
  for (auto* task : {&recovery_points_, &log_starts_, &retention_}) {
    task->due_ms = now_ms + settings->log_initial_task_delay_ms;
  }
  high_watermarks_.due_ms = now_ms + settings->replica_high_watermark_checkpoint_interval_ms;
  producers_.due_ms = now_ms + settings->producer_id_expiration_check_interval_ms;
}

void ReplicaUpkeep::start() {
  compaction_.start();
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, tick, [this] { return stopping_; })) {
      lock.unlock();
      run_due(clock_.monotonic_ms());
      lock.lock();
    }
  });
}

void ReplicaUpkeep::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  compaction_.stop();
}

bool ReplicaUpkeep::is_due(Task& task, std::int64_t now_ms, std::int64_t interval_ms) {
  if (now_ms < task.due_ms) return false;
  task.due_ms = now_ms + interval_ms;
  return true;
}

void ReplicaUpkeep::run_due(std::int64_t now_ms) {
  const auto settings = config_.current();
  if (is_due(high_watermarks_, now_ms, settings->replica_high_watermark_checkpoint_interval_ms)) {
    write_checkpoints(false, false, true);
  }
  flush_by_time();
  if (is_due(recovery_points_, now_ms, settings->log_flush_offset_checkpoint_interval_ms)) {
    write_checkpoints(true, false, false);
  }
  if (is_due(log_starts_, now_ms, settings->log_flush_start_offset_checkpoint_interval_ms)) {
    write_checkpoints(false, true, false);
  }
  if (is_due(retention_, now_ms, settings->log_retention_check_interval_ms)) delete_old_segments();
  if (is_due(producers_, now_ms, settings->producer_id_expiration_check_interval_ms)) {
    replicas_.for_each(
        [](const auto& partition) { partition->with_log([](log::Log& log) { log.remove_expired_producers(); }); });
  }
  if (is_due(removal_, now_ms, tick.count())) {
    directories_.remove_due(now_ms);
    remove_deleted_files();
    look_at_space();
    compaction_.adjust_threads();
  }
}

void ReplicaUpkeep::flush_by_time() {
  const auto now_ms = clock_.wall_ms();
  replicas_.for_each([this, now_ms](const auto& partition) {
    const bool due = partition->with_log([now_ms](log::Log& log) {
      return log.unflushed_records() > 0 && now_ms - log.last_flush_ms() >= log.config().flush_ms;
    });
    if (due && partition->flush() == protocol::ErrorCode::kafka_storage_error) {
      replicas_.report_disk_failure(*partition, partition->name() + " could not be flushed");
    }
  });
}

void ReplicaUpkeep::delete_old_segments() {
  std::size_t removed = 0;
  replicas_.for_each([&](const auto& partition) {
    // Logs that are compacted are the cleaner's.
    if (partition->config()->cleanup_policy_compact || !partition->directory()->online) return;
    const auto result = partition->with_log([](log::Log& log) { return log.delete_old_segments(); });
    if (result) {
      removed += *result;
    } else {
      replicas_.report_disk_failure(*partition, result.error().message);
    }
  });
  if (removed > 0) runtime::log_info(logger, "Log cleanup completed. {} segments are scheduled for deletion", removed);
}

void ReplicaUpkeep::look_at_space() {
  for (const auto& directory : directories_.all()) {
    const auto space = directory->online ? runtime::disk_space(directory->path) : runtime::DiskSpace{};
    if (!space || space->total_bytes == 0) continue;
    const auto before = directory->space.load();
    const auto marks = log::disk_marks(space->total_bytes, config_.current()->values.originals());
    const auto level = log::space_level(*space, marks, before);
    if (level == before) continue;
    directory->space = level;
    if (level == log::SpaceLevel::enough) {
      runtime::log_info(logger, "{} has room again: {} bytes are free", directory->path, space->free_bytes);
    } else {
      runtime::log_warn(logger, "{} is almost full, {} bytes are free: {} refused until there is room", directory->path,
                        space->free_bytes,
                        level == log::SpaceLevel::low ? "what clients produce is" : "all that needs space is");
    }
  }
}

void ReplicaUpkeep::remove_deleted_files() {
  replicas_.for_each([&](const auto& partition) {
    if (!partition->directory()->online) return;
    const auto removed = partition->with_log([](log::Log& log) { return log.remove_deleted_files(); });
    if (!removed) replicas_.report_disk_failure(*partition, removed.error().message);
  });
}

void ReplicaUpkeep::write_checkpoints(bool recovery_points, bool log_starts, bool high_watermarks) {
  struct Offsets {
    log::PartitionOffsets recovery_points;
    log::PartitionOffsets log_starts;
    log::PartitionOffsets high_watermarks;
  };
  const std::lock_guard lock(checkpoint_lock());
  std::map<log::LogDirectory*, Offsets> by_directory;
  for (const auto& directory : directories_.all()) by_directory[directory.get()];
  replicas_.for_each([&](const auto& partition) {
    auto& offsets = by_directory[partition->directory()];
    const log::TopicPartition key{partition->topic(), partition->index()};
    const auto& log = partition->log();
    offsets.recovery_points[key] = log.checkpoint_recovery_point();
    offsets.high_watermarks[key] = log.high_watermark();
    // Only where the start is not simply where the first segment begins.
    const auto segments = log.segments();
    const auto start = log.log_start_offset();
    if (!segments->empty() && start > segments->all().front()->base_offset()) offsets.log_starts[key] = start;
  });
  for (const auto& [directory, offsets] : by_directory) {
    if (!directory->online) continue;
    const std::tuple<bool, const char*, const log::PartitionOffsets*> files[] = {
        {recovery_points, log::recovery_point_checkpoint, &offsets.recovery_points},
        {log_starts, log::log_start_checkpoint, &offsets.log_starts},
        {high_watermarks, log::high_watermark_checkpoint, &offsets.high_watermarks}};
    for (const auto& [wanted, name, values] : files) {
      if (!wanted) continue;
      auto written = directories_.write_checkpoint(*directory, name, *values);
      // Without a file to open it is tried again next time; the listener has said that files ran out.
      const bool no_files =
          !written && (written.error().system_error == EMFILE || written.error().system_error == ENFILE);
      if (!written && !no_files) {
        runtime::log_error(logger, "{}/{} could not be written: {}", directory->path, name, written.error().message);
      }
    }
  }
}

}  // namespace dohle::replica
