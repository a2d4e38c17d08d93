#include "server/replica/log_compaction.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "server/runtime/log_line.h"
#include "server/runtime/thread.h"

namespace dohle::replica {

namespace {

constexpr const char* logger = "org.apache.kafka.storage.internals.log.LogCleaner";
/// As Kafka's throttler looks at its rate.
constexpr std::int64_t throttle_period_ms = 300;
/// A map of more is not taken, whatever is configured (as in Kafka).
constexpr std::int64_t map_bytes_max = std::numeric_limits<std::int32_t>::max();

/// Of the cleaning thread that runs; 0 for tests, which clean in their own.
thread_local std::size_t thread_number = 0;

log::TopicPartition key_of(const Partition& partition) {
  return {partition.topic(), partition.index()};
}

}  // namespace

LogCompaction::LogCompaction(ReplicaSet& replicas, log::LogDirectories& directories,
                             const runtime::Snapshot<config::BrokerConfig>& config, runtime::Clock& clock)
    : replicas_(replicas), directories_(directories), config_(config), clock_(clock) {}

void LogCompaction::start() {
  is_started_ = config_.current()->values.get_bool("log.cleaner.enable");
  adjust_threads();
}

void LogCompaction::adjust_threads() {
  if (!is_started_) return;
  const auto wanted = static_cast<std::size_t>(std::max(config_.current()->log_cleaner_threads, 0));
  thread_count_ = wanted;
  if (wanted < threads_.size()) {
    changed_.notify_all();
    for (auto n = wanted; n < threads_.size(); ++n) threads_[n].join();
    threads_.resize(wanted);
  }
  while (threads_.size() < wanted) {
    threads_.emplace_back([this, n = threads_.size()] {
      runtime::name_thread("log-cleaner-" + std::to_string(n));
      run(n);
    });
  }
}

void LogCompaction::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void LogCompaction::run(std::size_t number) {
  thread_number = number;
  while (!is_over(number)) {
    const bool cleaned = clean_dirtiest();
    delete_old_segments();
    if (cleaned) continue;
    const std::chrono::milliseconds backoff(config_.current()->values.get_long("log.cleaner.backoff.ms"));
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, backoff, [&] { return is_over(number); });
  }
}

void LogCompaction::delete_old_segments() {
  replicas_.for_each([this](const auto& partition) {
    if (stopping_ || !partition->directory()->online || !partition->config()->cleanup_policy_compact) return;
    const auto removed = partition->with_log([](log::Log& log) { return log.delete_old_segments(); });
    if (!removed) replicas_.report_disk_failure(*partition, removed.error().message);
  });
}

// --- Which log is next
// ------------------------------------------------------------------------------------------------

std::optional<LogCompaction::Work> LogCompaction::take_dirtiest() {
  const std::lock_guard lock(mutex_);
  forget_deleted();
  const std::int64_t now_ms = clock_.wall_ms();
  std::optional<Work> dirtiest;
  replicas_.for_each([&](const std::shared_ptr<Partition>& partition) {
    const auto config = partition->config();
    // What is on its way to another directory is cleaned there: the checkpoint must hold for what was copied.
    if (!config->cleanup_policy_compact || !partition->directory()->online || partition->is_moving()) return;
    if (in_progress_.contains(partition.get()) || uncleanable_.contains({partition->topic_id(), partition->index()})) {
      return;
    }
    const auto range = log::cleanable_range(partition->log(), *config, find_offset(*partition), now_ms);
    if (!range) {
      mark_uncleanable(*partition, range.error().message);
      return;
    }
    if (range->checkpoint_invalid) set_offset(*partition, range->first_dirty_offset);
    if (!range->worth_cleaning(config->min_cleanable_dirty_ratio)) return;
    if (!dirtiest || range->dirty_ratio() > dirtiest->range.dirty_ratio()) dirtiest = {partition, *range, now_ms};
  });
  if (dirtiest) in_progress_.insert(dirtiest->partition.get());
  return dirtiest;
}

void LogCompaction::mark_uncleanable(const Partition& partition, const std::string& reason) {
  uncleanable_.insert({partition.topic_id(), partition.index()});
  runtime::log_warn(logger, "Marking partition {} as uncleanable: {}", partition.name(), reason);
}

std::size_t LogCompaction::uncleanable_count() const {
  const std::lock_guard lock(mutex_);
  return uncleanable_.size();
}

// --- The checkpoint
// ---------------------------------------------------------------------------------------------------

LogCompaction::Checkpoint& LogCompaction::checkpoint_of(log::LogDirectory& directory) {
  Checkpoint& checkpoint = checkpoints_[&directory];
  if (checkpoint.is_loaded) return checkpoint;
  checkpoint.is_loaded = true;
  const auto offsets = log::read_offset_checkpoint(*directory.directory, checkpoint_name);
  if (!offsets) {
    // Without it everything is dirty, and is cleaned again.
    runtime::log_warn(logger, "{}/{}: {}", directory.path, checkpoint_name, offsets.error().message);
    return checkpoint;
  }
  for (const auto& [partition, offset] : *offsets) checkpoint.entries[partition] = {offset, std::nullopt};
  return checkpoint;
}

std::optional<std::int64_t> LogCompaction::find_offset(const Partition& partition) {
  auto& entries = checkpoint_of(*partition.directory()).entries;
  const auto entry = entries.find(key_of(partition));
  if (entry == entries.end()) return std::nullopt;
  if (!entry->second.topic_id) entry->second.topic_id = partition.topic_id();
  if (*entry->second.topic_id == partition.topic_id()) return entry->second.offset;
  entries.erase(entry);
  return std::nullopt;
}

std::optional<std::int64_t> LogCompaction::cleaned_offset(const Partition& partition) {
  const std::lock_guard lock(mutex_);
  return find_offset(partition);
}

void LogCompaction::set_offset(const Partition& partition, std::int64_t offset) {
  checkpoint_of(*partition.directory()).entries[key_of(partition)] = {offset, partition.topic_id()};
  write_checkpoint(*partition.directory());
}

void LogCompaction::write_checkpoint(log::LogDirectory& directory) {
  log::PartitionOffsets offsets;
  for (const auto& [partition, entry] : checkpoints_[&directory].entries) offsets[partition] = entry.offset;
  if (auto written = directories_.write_checkpoint(directory, checkpoint_name, offsets); !written) {
    // The next one says it again; until then the same records would be cleaned once more.
    runtime::log_warn(logger, "{}/{}: {}", directory.path, checkpoint_name, written.error().message);
  }
}

/// Topics that are gone leave no line behind which one of the same name would be measured by.
void LogCompaction::forget_deleted() {
  for (const auto& directory : directories_.all()) {
    if (!directory->online) continue;
    auto& entries = checkpoint_of(*directory).entries;
    std::map<log::TopicPartition, codec::Uuid> hosted;
    replicas_.for_each([&](const auto& partition) {
      if (partition->directory() == directory.get()) hosted[key_of(*partition)] = partition->topic_id();
    });
    const auto gone = std::erase_if(entries, [&](const auto& entry) {
      const auto found = hosted.find(entry.first);
      return found == hosted.end() || (entry.second.topic_id && *entry.second.topic_id != found->second);
    });
    if (gone > 0) write_checkpoint(*directory);
  }
  std::erase_if(uncleanable_,
                [&](const auto& partition) { return replicas_.find(partition.first, partition.second) == nullptr; });
}

// --- Cleaning
// ---------------------------------------------------------------------------------------------------------

log::LogCleaner::Options LogCompaction::cleaner_options() {
  const auto settings = config_.current();
  const auto threads = static_cast<std::int64_t>(std::max<std::size_t>(thread_count_.load(), 1));
  log::LogCleaner::Options options;
  const std::int64_t map_bytes = settings->values.get_long("log.cleaner.dedupe.buffer.size") / threads;
  options.map_bytes_max = static_cast<std::uint64_t>(std::clamp<std::int64_t>(map_bytes, 0, map_bytes_max));
  options.map_load_factor = settings->values.get_double("log.cleaner.io.buffer.load.factor");
  // Half for reading, half for writing; a batch that is larger gets what it needs.
  const std::int64_t buffer_bytes = settings->values.get_int("log.cleaner.io.buffer.size") / threads / 2;
  options.io_buffer_bytes = static_cast<std::size_t>(std::max<std::int64_t>(buffer_bytes, 4096));
  options.throttle = [this](std::uint64_t bytes) { return throttle(bytes); };
  return options;
}

bool LogCompaction::throttle(std::uint64_t bytes) {
  if (is_over(thread_number)) return false;
  const double rate = config_.current()->values.get_double("log.cleaner.io.max.bytes.per.second");
  if (rate >= std::numeric_limits<double>::max()) return true;
  std::unique_lock lock(mutex_);
  const std::int64_t now_ms = clock_.monotonic_ms();
  if (now_ms - throttle_began_ms_ > 2 * throttle_period_ms) {
    throttle_began_ms_ = now_ms;
    throttled_bytes_ = 0;
  }
  throttled_bytes_ += static_cast<double>(bytes);
  const auto needed_ms = static_cast<std::int64_t>(std::min(throttled_bytes_ * 1000 / std::max(rate, 1e-3), 1e9));
  const std::int64_t early_ms = needed_ms - (now_ms - throttle_began_ms_);
  if (early_ms <= 0) return true;
  changed_.wait_for(lock, std::chrono::milliseconds(early_ms), [this] { return is_over(thread_number); });
  if (needed_ms >= throttle_period_ms) {
    throttle_began_ms_ = clock_.monotonic_ms();
    throttled_bytes_ = 0;
  }
  return !is_over(thread_number);
}

bool LogCompaction::clean_dirtiest() {
  const auto work = take_dirtiest();
  if (!work) return false;
  const std::int64_t began_ms = clock_.monotonic_ms();
  // What makes an older record go must be on the disk before that does: else a loss of power takes both.
  if (const auto error = work->partition->flush_closed_segments(); error != protocol::ErrorCode::none) {
    if (error == protocol::ErrorCode::kafka_storage_error) {
      replicas_.report_disk_failure(*work->partition, work->partition->name() + " could not be synced");
    }
    const std::lock_guard lock(mutex_);
    in_progress_.erase(work->partition.get());
    return false;
  }
  log::CleanRequest request;
  request.log = &work->partition->log();
  request.locked = [&](const std::function<runtime::Status(log::Log&)>& function) {
    if (is_over(thread_number))
      return runtime::Status(runtime::failure(runtime::ErrorKind::closed, "the broker stops"));
    return work->partition->with_log([&](log::Log& log) {
      if (&log == request.log && !work->partition->is_moving()) return function(log);
      return runtime::Status(runtime::failure(runtime::ErrorKind::closed, "the log is moved to another directory"));
    });
  };
  request.first_dirty_offset = work->range.first_dirty_offset;
  request.first_uncleanable_offset = work->range.first_uncleanable_offset;
  request.now_ms = work->now_ms;
  log::LogCleaner cleaner(cleaner_options());
  const auto outcome = cleaner.clean(request);
  finish(*work, outcome, clock_.monotonic_ms() - began_ms);
  return outcome.has_value();
}

void LogCompaction::finish(const Work& work, const runtime::Result<log::CleanOutcome>& outcome, std::int64_t took_ms) {
  Partition& partition = *work.partition;
  bool disk_failed = false;
  {
    const std::lock_guard lock(mutex_);
    in_progress_.erase(&partition);
    if (outcome) {
      set_offset(partition, outcome->end_offset);
    } else if (outcome.error().kind == runtime::ErrorKind::corrupt) {
      mark_uncleanable(partition, outcome.error().message);
    } else {
      disk_failed = outcome.error().kind == runtime::ErrorKind::io;
    }
  }
  if (outcome) {
    runtime::log_info(logger,
                      "Cleaned log {} (dirty section = [{}, {}]) in {} ms: {} bytes ({} records) before, {} bytes ({} "
                      "records) after, {:.1f}% of the offset map",
                      partition.name(), work.range.first_dirty_offset, outcome->end_offset, took_ms,
                      outcome->bytes_read, outcome->records_read, outcome->bytes_written, outcome->records_written,
                      100 * outcome->map_utilization);
    if (outcome->invalid_records > 0) {
      runtime::log_warn(logger, "Found {} records without a key in {} during compaction", outcome->invalid_records,
                        partition.name());
    }
  } else if (disk_failed) {
    replicas_.report_disk_failure(partition, outcome.error().message);
  } else if (outcome.error().kind == runtime::ErrorKind::no_space) {
    runtime::log_warn(logger, "{} could not be cleaned, there is no space: {}", partition.name(),
                      outcome.error().message);
  }
}

}  // namespace dohle::replica
