#include "server/log/log_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "server/log/batch_scanner.h"
#include "server/log/producer_replay.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::failure;
using runtime::Result;
using runtime::Status;

namespace {

/// Kafka's metadata log has deleted snapshots under a similar name, which are its own business.
constexpr std::string_view deleted_checkpoint_suffix = ".checkpoint.deleted";
constexpr std::size_t recovery_window_bytes = 1 << 20;

/// Name without the suffix.
std::string without(std::string_view name, std::string_view suffix) {
  return std::string(name.substr(0, name.size() - suffix.size()));
}

}  // namespace

LogLoader::LogLoader(Log& log) : log_(log), directory_(*log.options_.directory) {}

Status LogLoader::load() {
  DOHLE_RETURN_IF_ERROR(remove_leftovers());
  DOHLE_RETURN_IF_ERROR(restore_epochs());
  DOHLE_RETURN_IF_ERROR(find_segments());
  DOHLE_RETURN_IF_ERROR(check_segments());
  DOHLE_RETURN_IF_ERROR(recover_unflushed());
  DOHLE_RETURN_IF_ERROR(open_active());
  const std::int64_t checkpoint = log_.options_.log_start_offset;
  // Not written: it is cut each time it is read, and a leader's epoch is written soon. With many partitions these syncs
  // would be most of a start.
  log_.epochs_.truncate_from_end(end_offset_);
  log_.epochs_.truncate_from_start(checkpoint);

  const std::int64_t log_start = std::max(checkpoint, segments_.front()->base_offset());
  log_.log_start_offset_.store(log_start);
  log_.high_watermark_.store(log_start);
  const std::int64_t recovery_point =
      log_.options_.clean_shutdown ? end_offset_ : std::min(log_.options_.recovery_point, end_offset_);
  log_.recovery_point_.store(recovery_point);
  // What was mended or scanned again just now is not on the disk yet.
  log_.synced_below_.store(std::min(first_rewritten_offset_, segments_.back()->base_offset()));
  DOHLE_RETURN_IF_ERROR(restore_producers());
  log_.publish_segments(std::move(segments_));
  log_.publish_end(end_offset_);
  log_.publish_first_unstable();
  log_.last_flush_ms_ = log_.now_ms();
  return {};
}

Status LogLoader::remove_file(const std::string& name) {
  log_.cache().forget(directory_, name);
  const Status removed = directory_.remove(name);
  if (!removed && removed.error().kind != ErrorKind::not_found) return removed;
  return {};
}

Status LogLoader::remove_leftovers() {
  const auto entries = directory_.list();
  if (!entries) return std::unexpected(entries.error());
  std::vector<std::string> cleaned;
  std::vector<std::string> swaps;
  std::int64_t min_cleaned = std::numeric_limits<std::int64_t>::max();
  for (const runtime::DirectoryEntry& entry : *entries) {
    if (entry.is_directory) continue;
    const std::string& name = entry.name;
    if (name.ends_with(deleted_suffix) && !name.ends_with(deleted_checkpoint_suffix)) {
      DOHLE_RETURN_IF_ERROR(remove_file(name));
    } else if (name.ends_with(cleaned_suffix)) {
      if (const auto offset = offset_of_file_name(name)) min_cleaned = std::min(min_cleaned, *offset);
      cleaned.push_back(name);
    } else if (name.ends_with(swap_suffix)) {
      swaps.push_back(name);
    }
  }
  // A swap file at or above a .cleaned one was made before all of its round were ready: the round never happened.
  std::vector<std::string> valid;
  for (const std::string& name : swaps) {
    const auto offset = offset_of_file_name(name);
    if (!offset || *offset >= min_cleaned) {
      DOHLE_RETURN_IF_ERROR(remove_file(name));
    } else {
      valid.push_back(name);
    }
  }
  for (const std::string& name : cleaned) DOHLE_RETURN_IF_ERROR(remove_file(name));
  return finish_swaps(valid);
}

/// What was cleaned replaces the segments that it was made from: those go first, then it takes its name.
Status LogLoader::finish_swaps(const std::vector<std::string>& swaps) {
  if (swaps.empty()) return {};
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  for (const std::string& name : swaps) {
    if (!without(name, swap_suffix).ends_with(log_suffix)) continue;
    const std::int64_t base = offset_of_file_name(name).value_or(0);
    const auto file = directory_.open(name, {.read_only = true});
    if (!file) return std::unexpected(file.error());
    const auto size = (*file)->size();
    if (!size) return std::unexpected(size.error());
    BatchScanner scanner(**file, 0, *size);
    std::int64_t next = base;
    for (;;) {
      const auto header = scanner.next();
      if (!header) return std::unexpected(header.error());
      if (!*header) break;
      next = (*header)->next_offset();
    }
    begin = std::min(begin, base);
    end = std::max(end, next);
  }
  const auto entries = directory_.list();
  if (!entries) return std::unexpected(entries.error());
  for (const runtime::DirectoryEntry& entry : *entries) {
    if (entry.is_directory || entry.name.ends_with(swap_suffix)) continue;
    const auto offset = offset_of_file_name(entry.name);
    if (offset && *offset >= begin && *offset < end) DOHLE_RETURN_IF_ERROR(remove_file(entry.name));
  }
  for (const std::string& name : swaps) DOHLE_RETURN_IF_ERROR(directory_.rename(name, without(name, swap_suffix)));
  return directory_.sync();
}

Status LogLoader::find_segments() {
  const auto entries = directory_.list();
  if (!entries) return std::unexpected(entries.error());
  for (const runtime::DirectoryEntry& entry : *entries) {
    const auto offset = offset_of_file_name(entry.name);
    if (entry.is_directory || !offset) continue;
    const std::string_view suffix = std::string_view(entry.name).substr(entry.name.find('.'));
    const bool known = suffix == log_suffix || suffix == offset_index_suffix || suffix == time_index_suffix ||
                       suffix == transaction_index_suffix;
    if (!known) continue;
    Found& found = found_[*offset];
    if (suffix == log_suffix) {
      found.has_log = true;
      found.sizes.log = entry.size_bytes;
    } else if (suffix == offset_index_suffix) {
      found.has_offset_index = true;
      found.sizes.offset_index = entry.size_bytes;
    } else if (suffix == time_index_suffix) {
      found.has_time_index = true;
      found.sizes.time_index = entry.size_bytes;
    } else {
      found.sizes.transaction_index = entry.size_bytes;
    }
  }
  log_.snapshots_ = ProducerSnapshotFiles(log_.options_.directory, *entries);
  for (auto entry = found_.begin(); entry != found_.end();) {
    if (entry->second.has_log) {
      ++entry;
      continue;
    }
    // An index without its log is of no use.
    for (const std::string_view suffix : {offset_index_suffix, time_index_suffix, transaction_index_suffix}) {
      DOHLE_RETURN_IF_ERROR(remove_file(segment_file_name(entry->first, suffix)));
    }
    entry = found_.erase(entry);
  }
  for (const auto& [base, found] : found_) segments_.push_back(LogSegment::closed(log_.place(base), found.sizes));
  return {};
}

bool LogLoader::index_sizes_are_right(const Found& found) const {
  if (!found.has_offset_index || !found.has_time_index) return false;
  return found.sizes.offset_index % OffsetIndex::entry_bytes == 0 &&
         found.sizes.time_index % TimeIndex::entry_bytes == 0 &&
         found.sizes.transaction_index % TransactionIndex::entry_bytes == 0;
}

Status LogLoader::check_segments() {
  std::uint64_t cut_bytes = 0;
  // What lies beyond the recovery point is recovered anyway, in order: a torn segment there must not be read before.
  const std::size_t end = log_.options_.clean_shutdown ? segments_.size() : first_unflushed();
  for (std::size_t n = 0; n < end; ++n) {
    const Found& found = found_[segments_[n]->base_offset()];
    if (index_sizes_are_right(found)) {
      const Status sane = segments_[n]->transaction_index().sanity_check(segments_[n]->base_offset());
      if (sane) continue;
      if (sane.error().kind != ErrorKind::corrupt) return sane;
    }
    DOHLE_RETURN_IF_ERROR(recover_segment(n, cut_bytes));
  }
  return {};
}

std::size_t LogLoader::first_unflushed() const {
  const std::size_t n = SegmentList(segments_).floor(log_.options_.recovery_point);
  return n == segments_.size() ? 0 : n;
}

Status LogLoader::recover_unflushed() {
  if (!log_.options_.clean_shutdown) {
    for (std::size_t n = first_unflushed(); n < segments_.size(); ++n) {
      std::uint64_t cut_bytes = 0;
      DOHLE_RETURN_IF_ERROR(recover_segment(n, cut_bytes));
      // What follows a hole can't be told from what was never acknowledged.
      if (cut_bytes > 0) DOHLE_RETURN_IF_ERROR(remove_segments_from(n + 1));
    }
  }
  if (segments_.empty()) return {};
  // Someone removed files: the log begins anew where it was said to begin.
  auto end = segments_.back()->end();
  if (!end && end.error().kind != ErrorKind::corrupt) return std::unexpected(end.error());
  if (end && end->offset < log_.options_.log_start_offset) {
    DOHLE_RETURN_IF_ERROR(remove_segments_from(0));
    log_.epochs_.clear();
    DOHLE_RETURN_IF_ERROR(log_.write_epochs());
    DOHLE_RETURN_IF_ERROR(log_.snapshots_.remove_all());
  }
  return {};
}

Status LogLoader::recover_segment(std::size_t n, std::uint64_t& cut_bytes) {
  const std::int64_t base = segments_[n]->base_offset();
  first_rewritten_offset_ = std::min(first_rewritten_offset_, base);
  const std::vector<std::shared_ptr<LogSegment>> before(segments_.begin(), segments_.begin() + std::ptrdiff_t(n));
  ProducerState state(log_.options_.producers);
  DOHLE_RETURN_IF_ERROR(rebuild_producer_state(
      state, log_.snapshots_,
      {.segments = before, .log_start = log_.options_.log_start_offset, .end_offset = base, .now_ms = log_.now_ms()}));
  SegmentFileSizes sizes = segments_[n]->file_sizes();
  // All index entries go: they are made again from the batches.
  auto segment = LogSegment::active(log_.place(base), sizes, base, sizes.log);
  if (!segment) return std::unexpected(std::move(segment.error()));
  LogSegment& recovered = **segment;
  BatchScanner scanner(*recovered.writable_file(), 0, sizes.log, recovery_window_bytes);
  std::uint64_t valid_bytes = 0;
  std::int64_t next_offset = base;
  for (;;) {
    const auto header = scanner.next();
    if (!header && header.error().kind != ErrorKind::corrupt) return std::unexpected(header.error());
    if (!header || !*header) break;
    // The checksum leaves out the offset: that of a torn write may be zeros.
    if ((*header)->base_offset < next_offset) break;
    next_offset = (*header)->next_offset();
    const auto intact = scanner.crc_is_right();
    if (!intact) return std::unexpected(intact.error());
    if (!*intact || (*header)->last_offset_delta < 0) break;
    if (!recovered.can_append((*header)->last_offset())) {
      return failure(ErrorKind::corrupt, fmt::format("{}: offset {} is too far from the segment's base {}",
                                                     directory_.path(), (*header)->last_offset(), base));
    }
    std::vector<AbortedTransaction> aborted;
    if ((*header)->magic >= 2) {
      const auto latest = log_.epochs_.latest();
      if ((*header)->leader_epoch >= 0 && (!latest || (*header)->leader_epoch > latest->epoch)) {
        log_.epochs_.assign((*header)->leader_epoch, (*header)->base_offset);
      }
      auto replayed = replay_producer(state, **header, scanner);
      if (!replayed) return std::unexpected(std::move(replayed.error()));
      aborted = std::move(*replayed);
    }
    DOHLE_RETURN_IF_ERROR(recovered.recover_batch(valid_bytes, **header, aborted));
    valid_bytes += (*header)->size_bytes;
  }
  cut_bytes = sizes.log - valid_bytes;
  DOHLE_RETURN_IF_ERROR(recovered.end_recovery(valid_bytes));
  // A tail that came back after a later crash might lie below the recovery point then, where nobody looks.
  if (cut_bytes > 0) DOHLE_RETURN_IF_ERROR(recovered.writable_file()->sync());
  DOHLE_RETURN_IF_ERROR(log_.write_epochs());
  const auto taken = log_.snapshots_.take(state, true);
  if (!taken) return std::unexpected(taken.error());
  segments_[n] = LogSegment::closed(log_.place(base), recovered.file_sizes());
  log_.cache().forget(directory_, segment_file_name(base, log_suffix));
  return {};
}

Status LogLoader::remove_segments_from(std::size_t n) {
  for (std::size_t i = n; i < segments_.size(); ++i) DOHLE_RETURN_IF_ERROR(log_.schedule_removal(*segments_[i]));
  if (n >= segments_.size()) return {};
  segments_.resize(n);
  // Were they back after the next crash, what was lost would follow what was written since.
  return directory_.sync();
}

Status LogLoader::open_active() {
  if (segments_.empty()) {
    auto segment = LogSegment::create(log_.place(log_.options_.log_start_offset));
    if (!segment) return std::unexpected(std::move(segment.error()));
    segments_.push_back(std::move(*segment));
    end_offset_ = log_.options_.log_start_offset;
    return {};
  }
  auto end = segments_.back()->end();
  const bool torn = !end || end->position_bytes < segments_.back()->size_bytes();
  if (!end && end.error().kind != ErrorKind::corrupt) return std::unexpected(end.error());
  if (torn) {
    // A clean shutdown leaves no torn tail; whatever happened, appends must not go behind one.
    std::uint64_t cut_bytes = 0;
    DOHLE_RETURN_IF_ERROR(recover_segment(segments_.size() - 1, cut_bytes));
    end = segments_.back()->end();
    if (!end) return std::unexpected(end.error());
  }
  end_offset_ = end->offset;
  const std::int64_t base = segments_.back()->base_offset();
  auto segment = LogSegment::active(log_.place(base), segments_.back()->file_sizes(),
                                    std::numeric_limits<std::int64_t>::max(), end->position_bytes);
  if (!segment) return std::unexpected(std::move(segment.error()));
  segments_.back() = std::move(*segment);
  return {};
}

Status LogLoader::restore_epochs() {
  const auto text = directory_.read_file(LeaderEpochCache::file_name);
  if (!text) {
    if (text.error().kind == ErrorKind::not_found) return {};
    return std::unexpected(text.error());
  }
  auto epochs = LeaderEpochCache::parse(*text);
  if (!epochs) {
    return failure(epochs.error().kind,
                   fmt::format("{}/{}: {}", directory_.path(), LeaderEpochCache::file_name, epochs.error().message));
  }
  log_.epochs_ = std::move(*epochs);
  return {};
}

Status LogLoader::restore_producers() {
  std::set<std::int64_t> bases;
  for (const auto& segment : segments_) bases.insert(segment->base_offset());
  DOHLE_RETURN_IF_ERROR(log_.snapshots_.remove_strays(bases));
  return rebuild_producer_state(log_.producers_, log_.snapshots_,
                                {.segments = segments_,
                                 .log_start = log_.log_start_offset(),
                                 .end_offset = end_offset_,
                                 .now_ms = log_.now_ms(),
                                 .clean_shutdown = log_.options_.clean_shutdown});
}

}  // namespace dohle::log
