#include "server/log/log.h"

#include <algorithm>
#include <random>
#include <utility>

#include "server/log/log_loader.h"
#include "server/runtime/check.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::Result;
using runtime::Status;

namespace {

/// A log that shares no cache with others keeps few files open.
constexpr std::size_t own_cache_files_max = 16;

/// Spreads the rolls of many partitions (LogConfig.randomSegmentJitter).
std::int64_t random_jitter_ms(const LogConfig& config) {
  if (config.segment_jitter_ms <= 0) return 0;
  thread_local std::mt19937_64 random{std::random_device{}()};
  const std::int64_t max = std::min(config.segment_jitter_ms, config.segment_ms);
  return std::uniform_int_distribution<std::int64_t>(0, std::max<std::int64_t>(max - 1, 0))(random);
}

}  // namespace

Status FlushPlan::run() const {
  if (active != nullptr) DOHLE_RETURN_IF_ERROR(active->sync());
  for (const std::string& name : names) {
    const auto file = directory->open(name, {.read_only = true});
    if (!file && file.error().kind == ErrorKind::not_found) continue;
    if (!file) return std::unexpected(file.error());
    DOHLE_RETURN_IF_ERROR((*file)->sync());
  }
  if (sync_directory) return directory->sync();
  return {};
}

Log::Log(LogOptions options) : options_(std::move(options)), producers_(options_.producers) {
  CHECK(options_.directory != nullptr && options_.clock != nullptr);
  if (options_.file_cache == nullptr) own_cache_ = std::make_unique<FileCache>(own_cache_files_max);
}

Log::~Log() = default;

Result<std::unique_ptr<Log>> Log::open(LogOptions options) {
  std::unique_ptr<Log> log(new Log(std::move(options)));
  if (Status status = LogLoader(*log).load(); !status) return std::unexpected(std::move(status.error()));
  return log;
}

SegmentPlace Log::place(std::int64_t base_offset) const {
  SegmentPlace place;
  place.directory = options_.directory;
  place.cache = &cache();
  place.base_offset = base_offset;
  place.index_interval_bytes = options_.config.index_interval_bytes;
  place.index_bytes_max = options_.config.segment_index_bytes;
  place.roll_jitter_ms = random_jitter_ms(options_.config);
  place.now_ms = now_ms();
  return place;
}

std::int64_t Log::last_stable_offset() const {
  // In this order: a high watermark that is seen to cover a transaction's records comes with its first offset.
  const std::int64_t high_watermark = high_watermark_.load(std::memory_order_acquire);
  const std::int64_t unstable = first_unstable_offset_.load(std::memory_order_acquire);
  return unstable >= 0 && unstable < high_watermark ? unstable : high_watermark;
}

std::uint64_t Log::size_bytes() const {
  std::uint64_t size = 0;
  for (const auto& segment : segments_.load()->all()) size += segment->size_bytes();
  return size;
}

void Log::publish_end(std::int64_t offset) {
  const auto list = segments_.load();
  const LogSegment& active = list->active();
  end_.store({offset, active.base_offset(), static_cast<std::int64_t>(active.size_bytes())});
  if (recovery_point() > offset) recovery_point_.store(offset, std::memory_order_release);
  if (synced_below_.load(std::memory_order_relaxed) > active.base_offset()) {
    synced_below_.store(active.base_offset(), std::memory_order_release);
  }
}

void Log::publish_first_unstable() {
  const auto first = producers_.first_unstable_offset();
  first_unstable_offset_.store(first ? std::max(*first, log_start_offset()) : -1, std::memory_order_release);
}

void Log::publish_segments(std::vector<std::shared_ptr<LogSegment>> segments) {
  segments_.store(std::make_shared<const SegmentList>(std::move(segments)));
}

Status Log::write_epochs() {
  return options_.directory->replace_file(LeaderEpochCache::file_name, epochs_.format());
}

Status Log::assign_epoch(std::int32_t epoch, std::int64_t start_offset) {
  if (!epochs_.assign(epoch, start_offset)) return {};
  return write_epochs();
}

std::int64_t Log::update_high_watermark(std::int64_t offset) {
  offset = std::max(offset, log_start_offset());
  offset = std::min(offset, log_end_offset());
  // First what held the LSO back and does so no longer, then the mark: a reader that sees the old mark is only late.
  producers_.forget_completed_below(offset);
  high_watermark_.store(offset, std::memory_order_release);
  publish_first_unstable();
  return offset;
}

void Log::remove_expired_producers() {
  producers_.remove_expired(now_ms());
}

FlushPlan Log::flush_plan(std::int64_t offset) {
  FlushPlan plan;
  plan.offset = std::min(offset, log_end_offset());
  plan.directory = options_.directory;
  plan.truncations = truncations_;
  plan.names = unsynced_snapshots_;
  plan.synced_below = synced_below_.load(std::memory_order_relaxed);
  const auto list = segments_.load();
  // A segment that was flushed before it was closed may still lack its indexes on the disk.
  std::size_t n = list->floor(checkpoint_recovery_point());
  if (n == list->size()) n = 0;
  for (; n < list->size() && list->all()[n]->base_offset() < plan.offset; ++n) {
    const LogSegment& segment = *list->all()[n];
    plan.sync_directory =
        plan.sync_directory || (plan.offset > recovery_point() && segment.base_offset() >= recovery_point());
    if (n + 1 == list->size()) {
      // The active segment is read again after a crash: its indexes need not be on the disk.
      if (plan.offset > recovery_point()) plan.active = segment.writable_file();
    } else {
      std::ranges::copy(segment.file_names(), std::back_inserter(plan.names));
      plan.synced_below = std::max(plan.synced_below, list->all()[n + 1]->base_offset());
    }
  }
  plan.sync_directory = plan.sync_directory || !plan.names.empty();
  return plan;
}

void Log::finish_flush(const FlushPlan& plan) {
  std::erase_if(unsynced_snapshots_, [&](const std::string& name) {
    return std::find(plan.names.begin(), plan.names.end(), name) != plan.names.end();
  });
  if (plan.truncations != truncations_) return;
  if (plan.synced_below > synced_below_.load(std::memory_order_relaxed)) {
    synced_below_.store(plan.synced_below, std::memory_order_release);
  }
  if (plan.offset <= recovery_point()) return;
  recovery_point_.store(plan.offset, std::memory_order_release);
  last_flush_ms_ = now_ms();
}

Status Log::flush(std::int64_t offset) {
  const FlushPlan plan = flush_plan(offset);
  DOHLE_RETURN_IF_ERROR(plan.run());
  finish_flush(plan);
  return {};
}

Status Log::close() {
  CHECK(!closed_);
  closed_ = true;
  const auto list = segments_.load();
  LogSegment& active = list->active();
  const auto taken = snapshots_.take(producers_, true);
  if (!taken) return std::unexpected(taken.error());
  DOHLE_RETURN_IF_ERROR(active.finish());
  FlushPlan plan = flush_plan(log_end_offset());
  // Without a crash nothing is read again at the next start: all files of the active segment have to be right.
  std::ranges::copy(active.file_names(), std::back_inserter(plan.names));
  plan.sync_directory = true;
  plan.synced_below = plan.offset;
  DOHLE_RETURN_IF_ERROR(plan.run());
  finish_flush(plan);
  for (const auto& segment : list->all()) {
    for (const std::string& name : segment->file_names()) cache().forget(*options_.directory, name);
  }
  return {};
}

Status Log::directory_renamed(std::shared_ptr<runtime::Directory> directory) {
  const auto list = segments_.load();
  options_.directory = std::move(directory);
  snapshots_.set_directory(options_.directory);
  std::vector<std::shared_ptr<LogSegment>> segments;
  for (const auto& segment : list->all()) {
    for (const std::string& name : segment->file_names()) cache().forget(*segment->place().directory, name);
    SegmentPlace moved = segment->place();
    moved.directory = options_.directory;
    if (segment != list->all().back()) {
      segments.push_back(LogSegment::closed(moved, segment->file_sizes()));
      continue;
    }
    auto active = LogSegment::active(moved, segment->file_sizes(), log_end_offset(), segment->size_bytes());
    if (!active) return std::unexpected(std::move(active.error()));
    segments.push_back(std::move(*active));
  }
  publish_segments(std::move(segments));
  return {};
}

void Log::release() {
  auto segments = segments_.load()->all();
  segments.back() = LogSegment::closed(segments.back()->place(), segments.back()->file_sizes());
  publish_segments(std::move(segments));
}

}  // namespace dohle::log
