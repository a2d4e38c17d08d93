#include "server/log/log_segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "server/log/batch_scanner.h"
#include "server/runtime/check.h"

namespace dohle::log {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;
using runtime::Status;

namespace {

/// In max_timestamp_: nobody has looked yet, the time index knows.
constexpr std::int64_t unknown_timestamp = -2;

// Blocks are reserved ahead only in segments that have grown: most partitions never write this much.
constexpr std::uint64_t reserve_from_bytes = 4 << 20;
constexpr std::uint64_t reserve_step_bytes_max = 16 << 20;

IndexFile index_file(const SegmentPlace& place, std::string_view suffix) {
  return {place.directory, segment_file_name(place.base_offset, suffix) + place.name_suffix, place.cache};
}

/// Java's subtraction of longs, for timestamps that clients chose.
std::int64_t difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

}  // namespace

std::string segment_file_name(std::int64_t base_offset, std::string_view suffix) {
  return fmt::format("{:020}{}", base_offset, suffix);
}

LogSegment::LogSegment(const SegmentPlace& place)
    : place_(place),
      offset_index_(index_file(place, offset_index_suffix), place.base_offset, place.index_bytes_max),
      time_index_(index_file(place, time_index_suffix), place.base_offset, place.index_bytes_max),
      transaction_index_(index_file(place, transaction_index_suffix)),
      max_timestamp_({unknown_timestamp, place.base_offset}) {}

std::shared_ptr<LogSegment> LogSegment::closed(const SegmentPlace& place, const SegmentFileSizes& sizes) {
  std::shared_ptr<LogSegment> segment(new LogSegment(place));
  segment->offset_index_.entries().set_closed(sizes.offset_index);
  segment->time_index_.entries().set_closed(sizes.time_index);
  segment->transaction_index_.set_size(sizes.transaction_index);
  segment->size_bytes_.store(sizes.log, std::memory_order_release);
  return segment;
}

Result<std::shared_ptr<LogSegment>> LogSegment::active(const SegmentPlace& place, const SegmentFileSizes& sizes,
                                                       std::int64_t end_offset, std::uint64_t log_bytes) {
  std::shared_ptr<LogSegment> segment(new LogSegment(place));
  if (Status status = segment->open_files(sizes, end_offset, log_bytes); !status) {
    return std::unexpected(std::move(status.error()));
  }
  return segment;
}

Status LogSegment::open_files(const SegmentFileSizes& sizes, std::int64_t end_offset, std::uint64_t log_bytes) {
  auto file = place_.directory->open(file_name(log_suffix), {.create = true});
  if (!file) return std::unexpected(std::move(file.error()));
  file_ = std::move(*file);
  const bool cut = sizes.log > log_bytes;
  if (cut) DOHLE_RETURN_IF_ERROR(file_->truncate(log_bytes));
  DOHLE_RETURN_IF_ERROR(offset_index_.activate(end_offset));
  DOHLE_RETURN_IF_ERROR(time_index_.activate(end_offset));
  transaction_index_.set_size(sizes.transaction_index);
  DOHLE_RETURN_IF_ERROR(transaction_index_.truncate(end_offset));
  size_bytes_.store(std::min(sizes.log, log_bytes), std::memory_order_release);
  const auto last = time_index_.last();
  if (!last) return std::unexpected(last.error());
  max_timestamp_.store({last->timestamp_ms, last->offset});
  if (!cut) return {};
  return find_max_timestamp();
}

/// After a cut the time index may lack the last entry: looks at what follows the entries that it has.
Status LogSegment::find_max_timestamp() {
  const auto max = max_timestamp_.load();
  const auto begin = offset_index_.lookup(max[1]);
  if (!begin) return std::unexpected(begin.error());
  BatchScanner scanner(*file_, begin->position_bytes, size_bytes());
  TimestampOffset found{max[0], max[1]};
  for (;;) {
    const auto header = scanner.next();
    if (!header) return std::unexpected(header.error());
    if (!*header) break;
    if ((*header)->max_timestamp_ms > found.timestamp_ms) {
      found = {(*header)->max_timestamp_ms, (*header)->last_offset()};
    }
  }
  max_timestamp_.store({found.timestamp_ms, found.offset});
  return {};
}

Result<std::shared_ptr<LogSegment>> LogSegment::create(const SegmentPlace& place) {
  for (const std::string_view suffix : {log_suffix, offset_index_suffix, time_index_suffix, transaction_index_suffix}) {
    const std::string name = segment_file_name(place.base_offset, suffix) + place.name_suffix;
    place.cache->forget(*place.directory, name);
    const Status removed = place.directory->remove(name);
    if (!removed && removed.error().kind != ErrorKind::not_found) return std::unexpected(removed.error());
  }
  return active(place, {}, place.base_offset, 0);
}

Status LogSegment::cut_back(std::uint64_t size_bytes, Status reason) {
  reserved_bytes_ = 0;
  if (Status status = file_->truncate(size_bytes); !status) {
    // What is behind the end now is not known; only a recovery can tell.
    Error error = std::move(status.error());
    error.kind = ErrorKind::io;
    return std::unexpected(std::move(error));
  }
  return reason;
}

Status LogSegment::append(codec::Bytes batches, std::span<const BatchHeader> headers,
                          std::span<const AbortedTransaction> aborted) {
  CHECK(file_ != nullptr && !headers.empty());
  const std::uint64_t position = size_bytes_.load(std::memory_order_relaxed);
  reserve_ahead(batches.size());
  if (Status status = file_->write_at(batches, position); !status) return cut_back(position, std::move(status));
  for (const AbortedTransaction& transaction : aborted) {
    Status status = transaction_index_.append(transaction);
    if (status) continue;
    if (status.error().kind != ErrorKind::no_space) return status;
    DOHLE_RETURN_IF_ERROR(transaction_index_.truncate(aborted.front().last_offset));
    return cut_back(position, std::move(status));
  }
  if (position == 0) roll_timestamp_ = headers.front().max_timestamp_ms;
  DOHLE_RETURN_IF_ERROR(index_batches(position, headers));
  size_bytes_.store(position + batches.size(), std::memory_order_release);
  return {};
}

Status LogSegment::index_batches(std::uint64_t position, std::span<const BatchHeader> headers) {
  for (const BatchHeader& header : headers) {
    auto max = max_timestamp_.load();
    if (header.max_timestamp_ms > max[0]) {
      max = {header.max_timestamp_ms, header.last_offset()};
      max_timestamp_.store(max);
    }
    if (bytes_since_index_entry_ > static_cast<std::uint64_t>(std::max(place_.index_interval_bytes, 0))) {
      // An entry that finds no room on the disk is done without: the next batch tries again.
      const auto added = offset_index_.append(header.last_offset(), static_cast<std::uint32_t>(position));
      if (!added && added.error().kind != ErrorKind::no_space) return std::unexpected(added.error());
      Status timed = added ? time_index_.append(max[0], max[1]) : Status{};
      if (!timed && timed.error().kind != ErrorKind::no_space) return timed;
      if (added && timed) bytes_since_index_entry_ = 0;
    }
    position += header.size_bytes;
    bytes_since_index_entry_ += header.size_bytes;
  }
  return {};
}

void LogSegment::reserve_ahead(std::uint64_t append_bytes) {
  const std::uint64_t size = size_bytes_.load(std::memory_order_relaxed);
  if (size < reserve_from_bytes || size + append_bytes <= reserved_bytes_) return;
  reserved_bytes_ = size + append_bytes + std::min(size / 4, reserve_step_bytes_max);
  // It only makes appends cheaper: a file system that can't is none the worse.
  [[maybe_unused]] const auto reserved = file_->reserve(reserved_bytes_);
}

Result<std::optional<std::int64_t>> LogSegment::roll_timestamp() {
  if (!roll_timestamp_ && size_bytes() > 0) {
    const auto first = find(place_.base_offset, size_bytes());
    if (!first) return std::unexpected(first.error());
    if (*first) roll_timestamp_ = (*first)->header.max_timestamp_ms;
  }
  return roll_timestamp_;
}

Result<bool> LogSegment::should_roll(const RollRequest& request) {
  const auto size = static_cast<std::int64_t>(size_bytes());
  if (size > request.segment_bytes - request.append_bytes) return true;
  const auto first = roll_timestamp();
  if (!first) return std::unexpected(first.error());
  const bool stamped = *first && **first >= 0;
  const std::int64_t waited_ms =
      stamped ? difference(request.max_timestamp_ms, **first) : request.now_ms - place_.now_ms;
  return (size > 0 && waited_ms > request.segment_ms - place_.roll_jitter_ms) || offset_index_.full() ||
         time_index_.full() || !can_append(request.last_offset);
}

Status LogSegment::finish() {
  const auto max = max_timestamp_.load();
  const Status status = time_index_.append(max[0], max[1]);
  if (!status && status.error().kind != ErrorKind::no_space) return status;
  if (reserved_bytes_ > size_bytes()) {
    DOHLE_RETURN_IF_ERROR(file_->truncate(size_bytes()));
    reserved_bytes_ = 0;
  }
  return {};
}

std::string LogSegment::file_name(std::string_view suffix) const {
  return segment_file_name(place_.base_offset, suffix) + place_.name_suffix;
}

std::vector<std::string> LogSegment::file_names() const {
  std::vector<std::string> names;
  for (const std::string_view suffix : {log_suffix, offset_index_suffix, time_index_suffix}) {
    names.push_back(file_name(suffix));
  }
  if (!transaction_index_.empty()) names.push_back(file_name(transaction_index_suffix));
  return names;
}

Status LogSegment::recover_batch(std::uint64_t position, const BatchHeader& header,
                                 std::span<const AbortedTransaction> aborted) {
  for (const AbortedTransaction& transaction : aborted) {
    DOHLE_RETURN_IF_ERROR(transaction_index_.append(transaction));
  }
  return index_batches(position, {&header, 1});
}

Status LogSegment::end_recovery(std::uint64_t log_bytes) {
  DOHLE_RETURN_IF_ERROR(file_->truncate(log_bytes));
  size_bytes_.store(log_bytes, std::memory_order_release);
  return finish();
}

Result<std::int64_t> LogSegment::first_batch_timestamp() {
  const auto first = roll_timestamp();
  if (!first) return std::unexpected(first.error());
  return *first && **first >= 0 ? **first : std::numeric_limits<std::int64_t>::max();
}

SegmentFileSizes LogSegment::file_sizes() const {
  SegmentFileSizes sizes;
  sizes.log = size_bytes();
  sizes.offset_index = offset_index_.entries().count() * OffsetIndex::entry_bytes;
  sizes.time_index = time_index_.entries().count() * TimeIndex::entry_bytes;
  sizes.transaction_index = transaction_index_.count() * TransactionIndex::entry_bytes;
  return sizes;
}

Result<std::shared_ptr<runtime::File>> LogSegment::file() const {
  if (file_ != nullptr) return file_;
  return place_.cache->open(*place_.directory, file_name(log_suffix));
}

Result<std::optional<BatchPosition>> LogSegment::find(std::int64_t offset, std::uint64_t end_bytes) const {
  const auto begin = offset_index_.lookup(offset);
  if (!begin) return std::unexpected(begin.error());
  const auto file = this->file();
  if (!file) return std::unexpected(file.error());
  BatchScanner scanner(**file, begin->position_bytes, end_bytes);
  for (;;) {
    const auto header = scanner.next();
    if (!header) return std::unexpected(header.error());
    if (!*header) return std::nullopt;
    if ((*header)->last_offset() >= offset) return BatchPosition{scanner.position_bytes(), **header};
  }
}

Result<std::uint64_t> LogSegment::position_of_end(std::int64_t offset) const {
  const std::uint64_t size = size_bytes();
  const auto found = find(offset, size);
  if (!found) return std::unexpected(found.error());
  return *found ? (*found)->position_bytes : size;
}

Result<TimestampOffset> LogSegment::max_timestamp() const {
  const auto max = max_timestamp_.load();
  if (max[0] == unknown_timestamp) return time_index_.last();
  return TimestampOffset{max[0], max[1]};
}

Result<LogSegment::End> LogSegment::end() const {
  if (size_bytes() == 0) return End{place_.base_offset, 0};
  const auto last = offset_index_.last();
  if (!last) return std::unexpected(last.error());
  const auto file = this->file();
  if (!file) return std::unexpected(file.error());
  BatchScanner scanner(**file, last->position_bytes, size_bytes());
  std::int64_t next = place_.base_offset;
  for (;;) {
    const auto header = scanner.next();
    if (!header) return std::unexpected(header.error());
    if (!*header) return End{next, scanner.position_bytes()};
    next = (*header)->next_offset();
  }
}

}  // namespace dohle::log
