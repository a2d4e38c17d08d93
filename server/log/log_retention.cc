// What makes a log shorter: truncation at its end, retention and DeleteRecords at its start.
// Follows UnifiedLog.truncateTo, deleteOldSegments, maybeIncrementLogStartOffset.
#include <algorithm>
#include <limits>

#include "server/log/log.h"
#include "server/log/producer_replay.h"
#include "server/runtime/check.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::Result;
using runtime::Status;

Status Log::schedule_files_removal(const LogSegment& segment) {
  std::vector<std::string> names = segment.file_names();
  for (const std::string& name : names) {
    cache().forget(*options_.directory, name);
    std::string deleted = name + std::string(deleted_suffix);
    const Status renamed = options_.directory->rename(name, deleted);
    if (!renamed && renamed.error().kind != ErrorKind::not_found) return renamed;
    if (renamed) deleted_files_.push_back({std::move(deleted), now_ms() + options_.config.file_delete_delay_ms});
  }
  return {};
}

Status Log::schedule_removal(const LogSegment& segment) {
  DOHLE_RETURN_IF_ERROR(schedule_files_removal(segment));
  auto snapshot = snapshots_.mark_deleted(segment.base_offset());
  if (!snapshot) return std::unexpected(std::move(snapshot.error()));
  if (*snapshot) {
    deleted_files_.push_back({std::move(**snapshot), now_ms() + options_.config.file_delete_delay_ms});
  }
  return {};
}

Status Log::remove_deleted_files(bool now) {
  while (!deleted_files_.empty()) {
    const auto due = std::find_if(deleted_files_.begin(), deleted_files_.end(),
                                  [&](const DeletedFile& file) { return now || file.due_ms <= now_ms(); });
    if (due == deleted_files_.end()) return {};
    const Status removed = options_.directory->remove(due->name);
    if (!removed && removed.error().kind != ErrorKind::not_found) return removed;
    deleted_files_.erase(due);
  }
  return {};
}

Status Log::rebuild_producers(std::int64_t end_offset) {
  const auto list = segments_.load();
  DOHLE_RETURN_IF_ERROR(rebuild_producer_state(
      producers_, snapshots_,
      {.segments = list->all(), .log_start = log_start_offset(), .end_offset = end_offset, .now_ms = now_ms()}));
  publish_first_unstable();
  return {};
}

Result<bool> Log::truncate_to(std::int64_t offset) {
  CHECK(!closed_ && offset >= 0);
  if (offset >= log_end_offset()) {
    if (epochs_.truncate_from_end(log_end_offset())) {
      if (Status status = write_epochs(); !status) return std::unexpected(std::move(status.error()));
    }
    return false;
  }
  const auto list = segments_.load();
  const Status status =
      list->all().front()->base_offset() > offset ? truncate_fully_and_start_at(offset) : truncate_segments(offset);
  if (!status) return std::unexpected(status.error());
  return true;
}

Status Log::truncate_segments(std::int64_t offset) {
  ++truncations_;
  const auto list = segments_.load();
  const std::size_t last = list->floor(offset);
  // Readers must not be promised what is about to go.
  const std::int64_t high_watermark = std::min(this->high_watermark(), offset);
  high_watermark_.store(high_watermark, std::memory_order_release);
  const LogSegment& segment = *list->all()[last];
  const auto position = segment.position_of_end(offset);
  if (!position) return std::unexpected(position.error());
  if (recovery_point() > offset) recovery_point_.store(offset, std::memory_order_release);
  for (std::size_t n = list->size(); n-- > last + 1;) DOHLE_RETURN_IF_ERROR(schedule_removal(*list->all()[n]));
  // A segment that came back after a crash would follow what is written from here on.
  if (last + 1 < list->size()) DOHLE_RETURN_IF_ERROR(options_.directory->sync());
  auto active = LogSegment::active(place(segment.base_offset()), segment.file_sizes(), offset, *position);
  if (!active) return std::unexpected(std::move(active.error()));
  DOHLE_RETURN_IF_ERROR((*active)->writable_file()->sync());
  std::vector<std::shared_ptr<LogSegment>> segments(list->all().begin(),
                                                    list->all().begin() + static_cast<std::ptrdiff_t>(last));
  segments.push_back(std::move(*active));
  publish_segments(std::move(segments));
  publish_end(offset);
  if (epochs_.truncate_from_end(offset)) DOHLE_RETURN_IF_ERROR(write_epochs());
  if (log_start_offset() > offset) log_start_offset_.store(offset, std::memory_order_release);
  return rebuild_producers(offset);
}

Status Log::truncate_fully_and_start_at(std::int64_t offset) {
  CHECK(!closed_);
  ++truncations_;
  const auto list = segments_.load();
  for (const auto& segment : list->all()) DOHLE_RETURN_IF_ERROR(schedule_removal(*segment));
  DOHLE_RETURN_IF_ERROR(options_.directory->sync());
  auto created = LogSegment::create(place(offset));
  if (!created) return std::unexpected(std::move(created.error()));
  publish_segments({std::move(*created)});
  publish_end(offset);
  epochs_.clear();
  DOHLE_RETURN_IF_ERROR(write_epochs());
  DOHLE_RETURN_IF_ERROR(snapshots_.remove_all());
  unsynced_snapshots_.clear();
  producers_.clear();
  producers_.set_end_offset(offset);
  log_start_offset_.store(offset, std::memory_order_release);
  high_watermark_.store(offset, std::memory_order_release);
  recovery_point_.store(offset, std::memory_order_release);
  return rebuild_producers(offset);
}

Result<bool> Log::advance_log_start(std::int64_t offset) {
  CHECK(offset <= high_watermark());
  if (offset <= log_start_offset()) return false;
  log_start_offset_.store(offset, std::memory_order_release);
  // The recovery point stays (Kafka moves it along): segments below the start that were never synced would be torn
  // after a loss of power, and a hole in the log takes what follows it along.
  if (epochs_.truncate_from_start(offset)) {
    // On a full disk the file keeps epochs that are gone, until the next change: it is cut at the log start when it is
    // read. What frees space must not need any.
    Status status = write_epochs();
    if (!status && status.error().kind != ErrorKind::no_space) return std::unexpected(std::move(status.error()));
  }
  producers_.forget_completed_below(offset);
  producers_.set_end_offset(std::max(producers_.end_offset(), offset));
  snapshots_.log_start_moved(offset);
  publish_first_unstable();
  return true;
}

/// How many segments from the start may go. Each rule goes on where the former stopped, as if it ran by itself.
Result<std::size_t> Log::deletable_segments() const {
  const auto list = segments_.load();
  const auto& segments = list->all();
  const auto end_of = [&](std::size_t n) {
    return n + 1 < segments.size() ? segments[n + 1]->base_offset() : log_end_offset();
  };
  // Below the high watermark only; the active segment only if it holds something (it is rolled first).
  const auto may_go = [&](std::size_t n) {
    return n < segments.size() && high_watermark() >= end_of(n) &&
           (n + 1 < segments.size() || segments[n]->size_bytes() > 0);
  };
  std::size_t count = 0;
  while (may_go(count) && count + 1 < segments.size() && end_of(count) <= log_start_offset()) ++count;
  const LogConfig& config = options_.config;
  if (!config.cleanup_policy_delete) return count;
  if (config.retention_bytes >= 0) {
    std::int64_t excess = -config.retention_bytes;
    for (std::size_t n = count; n < segments.size(); ++n)
      excess += static_cast<std::int64_t>(segments[n]->size_bytes());
    while (may_go(count) && excess >= static_cast<std::int64_t>(segments[count]->size_bytes()) && excess >= 0) {
      excess -= static_cast<std::int64_t>(segments[count]->size_bytes());
      ++count;
    }
  }
  if (config.retention_ms >= 0) {
    for (; may_go(count); ++count) {
      const auto max = segments[count]->max_timestamp();
      if (!max) return std::unexpected(max.error());
      const std::int64_t newest = max->timestamp_ms >= 0 ? max->timestamp_ms : segments[count]->created_ms();
      if (now_ms() - newest <= config.retention_ms) break;
    }
  }
  return count;
}

Result<std::size_t> Log::delete_old_segments() {
  CHECK(!closed_);
  auto count = deletable_segments();
  if (!count || *count == 0) return count;
  const auto act = [&]() -> Status {
    if (*count == segments_.load()->size()) {
      Status rolled = roll();
      if (!rolled && rolled.error().kind != ErrorKind::no_space) return rolled;
      // On a full disk the others go first, which makes room for a new segment the next time.
      if (!rolled && --*count == 0) return {};
    }
    const auto list = segments_.load();
    const auto moved = advance_log_start(std::max(list->all()[*count]->base_offset(), log_start_offset()));
    if (!moved) return std::unexpected(moved.error());
    publish_segments({list->all().begin() + static_cast<std::ptrdiff_t>(*count), list->all().end()});
    for (std::size_t n = 0; n < *count; ++n) DOHLE_RETURN_IF_ERROR(schedule_removal(*list->all()[n]));
    return {};
  };
  if (Status status = act(); !status) return std::unexpected(std::move(status.error()));
  return count;
}

}  // namespace dohle::log
