#include "server/log/log_cleaner.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "protocol/record.h"
#include "protocol/record_batch.h"
#include "server/log/batch_filter.h"
#include "server/log/batch_scanner.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::failure;
using runtime::Result;
using runtime::Status;

namespace {

constexpr std::size_t inflated_bytes_max = std::numeric_limits<std::int32_t>::max();

/// The next whole, intact batch of format 2; nullopt at the end of the segment. What is damaged is not given a new CRC.
Result<std::optional<BatchHeader>> next_batch(BatchScanner& scanner, const LogSegment& segment) {
  const auto header = scanner.next();
  if (!header) return header;
  if (!*header) {
    if (scanner.position_bytes() == segment.size_bytes()) return header;
    return failure(ErrorKind::corrupt, fmt::format("the segment {} ends in the middle of a batch, at {}",
                                                   segment.base_offset(), scanner.position_bytes()));
  }
  if ((*header)->magic != 2) {
    return failure(ErrorKind::corrupt,
                   fmt::format("the batch at {} has the old format {}", (*header)->base_offset, (*header)->magic));
  }
  const auto batch = scanner.batch();
  if (!batch) return std::unexpected(batch.error());
  if (!batch_crc_is_right(**header, *batch)) {
    return failure(ErrorKind::corrupt, fmt::format("the batch at {} has a wrong CRC", (*header)->base_offset));
  }
  return header;
}

void remove_files(runtime::Directory& directory, FileCache& cache, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    cache.forget(directory, name);
    // What stays is removed when the log is opened again.
    [[maybe_unused]] const auto removed = directory.remove(name);
  }
}

}  // namespace

LogCleaner::LogCleaner(Options options)
    : options_(std::move(options)), map_(options_.map_bytes_max, options_.map_load_factor) {}

Status LogCleaner::give_way(std::uint64_t bytes) const {
  if (options_.throttle && !options_.throttle(bytes)) return failure(ErrorKind::closed, "the cleaning was given up");
  return {};
}

Result<CleanOutcome> LogCleaner::clean(const CleanRequest& request) {
  outcome_ = {};
  transactions_ = {};
  const auto run = [&]() -> Status {
    DOHLE_RETURN_IF_ERROR(fill_map(request));
    outcome_.end_offset = map_.latest_offset() + 1;
    outcome_.map_utilization =
        static_cast<double>(map_.size()) / static_cast<double>(std::max<std::uint64_t>(map_.entries_max(), 1));
    LogConfig config;
    DOHLE_RETURN_IF_ERROR(request.locked([&](Log& log) -> Status {
      config = log.config();
      return {};
    }));
    for (const Segments& group : group_segments(request, config)) DOHLE_RETURN_IF_ERROR(clean_group(request, group));
    return {};
  };
  const Status status = run();
  map_.clear();
  if (!status) return std::unexpected(status.error());
  return outcome_;
}

// --- The map
// ----------------------------------------------------------------------------------------------------------

Status LogCleaner::fill_map(const CleanRequest& request) {
  map_.clear();
  CleanedTransactions transactions;
  auto aborted = request.log->aborted_transactions(request.first_dirty_offset, request.first_uncleanable_offset);
  if (!aborted) return std::unexpected(std::move(aborted.error()));
  transactions.add(*aborted);
  const auto list = request.log->segments();
  std::size_t n = list->floor(request.first_dirty_offset);
  if (n == list->size()) n = 0;
  for (; n < list->size() && list->all()[n]->base_offset() < request.first_uncleanable_offset; ++n) {
    const auto full = map_segment(*list->all()[n], request.first_dirty_offset, transactions);
    if (!full) return std::unexpected(full.error());
    if (*full) return {};
    // Over the gap that there may be at the end of the segment.
    const bool is_last = n + 1 == list->size();
    const std::int64_t next = is_last ? request.first_uncleanable_offset : list->all()[n + 1]->base_offset();
    map_.set_latest_offset(std::min(next, request.first_uncleanable_offset) - 1);
  }
  return {};
}

/// True: the map is full before the end of the segment.
Result<bool> LogCleaner::map_segment(const LogSegment& segment, std::int64_t start, CleanedTransactions& transactions) {
  const auto begin = segment.offset_index().lookup(start);
  if (!begin) return std::unexpected(begin.error());
  const auto file = segment.file();
  if (!file) return std::unexpected(file.error());
  BatchScanner scanner(**file, begin->position_bytes, segment.size_bytes(), options_.io_buffer_bytes);
  for (;;) {
    const auto header = next_batch(scanner, segment);
    if (!header) return std::unexpected(header.error());
    if (!*header) return false;
    const auto batch = scanner.batch();
    if (!batch) return std::unexpected(batch.error());
    if (Status status = give_way(batch->size()); !status) return std::unexpected(std::move(status.error()));
    if ((*header)->control()) {
      transactions.pass_control(**header, *batch);
    } else if (!transactions.pass(**header)) {
      const auto full = map_batch(*batch, start);
      if (!full || *full) return full;
    }
    if ((*header)->last_offset() >= start) map_.set_latest_offset((*header)->last_offset());
  }
}

Result<bool> LogCleaner::map_batch(codec::Bytes bytes, std::int64_t start) {
  const protocol::RecordBatch batch(bytes);
  if (!batch.compression()) return failure(ErrorKind::corrupt, "a batch has an unknown compression");
  protocol::RecordReader reader(batch, inflated_bytes_max);
  protocol::Record record;
  while (reader.next(record)) {
    if (!record.key || record.offset < start) continue;
    if (map_.full()) return true;
    map_.put(*record.key, record.offset);
  }
  if (reader.error() != protocol::RecordsError::none) {
    return failure(ErrorKind::corrupt,
                   fmt::format("the records of the batch at {} can't be read", batch.base_offset()));
  }
  return false;
}

// --- The segments
// -----------------------------------------------------------------------------------------------------

/// Neighbours become one as long as data and indexes together are not too large for a segment, so that segments do not
/// shrink to nothing (Cleaner.groupSegmentsBySize).
std::vector<LogCleaner::Segments> LogCleaner::group_segments(const CleanRequest& request,
                                                             const LogConfig& config) const {
  std::vector<Segments> groups;
  const auto list = request.log->segments();
  const auto& all = list->all();
  const auto segment_bytes_max = static_cast<std::uint64_t>(config.segment_bytes);
  const auto index_bytes_max = static_cast<std::uint64_t>(config.segment_index_bytes);
  const auto past = [&](std::size_t n) { return all[n]->base_offset() >= map_.latest_offset() + 1; };
  SegmentFileSizes sum;
  for (std::size_t n = 0; n + 1 < all.size() && !past(n); ++n) {
    const SegmentFileSizes sizes = all[n]->file_sizes();
    const std::int64_t last_offset = (past(n + 1) ? request.first_uncleanable_offset : all[n + 1]->base_offset()) - 1;
    const bool joins = !groups.empty() && sum.log + sizes.log <= segment_bytes_max &&
                       sum.offset_index + sizes.offset_index <= index_bytes_max &&
                       sum.time_index + sizes.time_index <= index_bytes_max &&
                       (sizes.log == 0 ||
                        last_offset - groups.back().front()->base_offset() <= std::numeric_limits<std::int32_t>::max());
    if (!joins) {
      groups.emplace_back();
      sum = {};
    }
    groups.back().push_back(all[n]);
    sum.log += sizes.log;
    sum.offset_index += sizes.offset_index;
    sum.time_index += sizes.time_index;
  }
  return groups;
}

Status LogCleaner::clean_group(const CleanRequest& request, const Segments& segments) {
  Group group;
  SegmentPlace place;
  DOHLE_RETURN_IF_ERROR(request.locked([&](Log& log) -> Status {
    place = log.cleaned_place(segments.front()->base_offset());
    for (const auto& [id, producer] : log.producers().producers()) {
      group.last_records[id] = {producer.last_data_offset(), producer.epoch};
    }
    group.delete_retention_ms = log.config().delete_retention_ms;
    return {};
  }));
  auto created = LogSegment::create(place);
  if (!created) return std::unexpected(std::move(created.error()));
  group.cleaned = std::move(*created);
  Status status = write_group(request, segments, group);
  bool swapped = false;
  if (status) {
    status = request.locked([&](Log& log) -> Status {
      const auto replaced = log.replace_segments(segments, *group.cleaned);
      if (!replaced) {
        // Half of it may be done: only opening the log again can tell.
        return failure(ErrorKind::io, replaced.error().message);
      }
      swapped = *replaced;
      return {};
    });
    if (status && swapped) return place.directory->sync();
    if (status) status = failure(ErrorKind::closed, "the log's segments changed while they were cleaned");
  }
  if (status.error().kind != ErrorKind::io) {
    auto names = group.cleaned->file_names();
    names.push_back(segment_file_name(place.base_offset, transaction_index_suffix) + place.name_suffix);
    remove_files(*place.directory, *place.cache, names);
  }
  return status;
}

Status LogCleaner::write_group(const CleanRequest& request, const Segments& segments, Group& group) {
  for (std::size_t n = 0; n < segments.size(); ++n) {
    const LogSegment& segment = *segments[n];
    std::int64_t upper_bound = 0;
    if (n + 1 < segments.size()) {
      upper_bound = segments[n + 1]->base_offset();
    } else {
      const auto end = segment.end();
      if (!end) return std::unexpected(end.error());
      upper_bound = end->offset;
    }
    // All of the segment's, also those whose data is long gone: the new transaction index is made from them.
    auto aborted = request.log->aborted_transactions(segment.base_offset(), upper_bound);
    if (!aborted) return std::unexpected(std::move(aborted.error()));
    transactions_.add(*aborted);
    DOHLE_RETURN_IF_ERROR(clean_segment(request, segment, group));
  }
  DOHLE_RETURN_IF_ERROR(write_out(group));
  DOHLE_RETURN_IF_ERROR(group.cleaned->finish());
  runtime::Directory& directory = *group.cleaned->place().directory;
  for (const std::string& name : group.cleaned->file_names()) {
    const auto file = directory.open(name, {});
    if (!file) return std::unexpected(file.error());
    DOHLE_RETURN_IF_ERROR((*file)->sync());
  }
  return directory.sync();
}

Status LogCleaner::clean_segment(const CleanRequest& request, const LogSegment& segment, Group& group) {
  const auto file = segment.file();
  if (!file) return std::unexpected(file.error());
  BatchScanner scanner(**file, 0, segment.size_bytes(), options_.io_buffer_bytes);
  for (;;) {
    const auto header = next_batch(scanner, segment);
    if (!header) return std::unexpected(header.error());
    if (!*header) return {};
    const auto batch = scanner.batch();
    if (!batch) return std::unexpected(batch.error());
    DOHLE_RETURN_IF_ERROR(give_way(batch->size()));
    DOHLE_RETURN_IF_ERROR(clean_batch(request, **header, *batch, group));
  }
}

Status LogCleaner::clean_batch(const CleanRequest& request, const BatchHeader& header, codec::Bytes batch,
                               Group& group) {
  const auto horizon = protocol::RecordBatch(batch).delete_horizon_ms();
  FilterRules rules;
  bool may_go = false;
  if (header.control()) {
    auto marker = transactions_.pass_control(header, batch);
    may_go = marker.may_go;
    if (marker.aborted) group.aborted.push_back(*marker.aborted);
    // Without data a marker still waits for its horizon, so that no reader that has the data misses how it ended.
    rules.discard_records = may_go && horizon && *horizon <= request.now_ms;
    rules.marker_of_empty_transaction = may_go;
  } else {
    rules.discard_records = transactions_.pass(header);
  }
  // The last sequence of a producer, or its last epoch where a marker ended it; and the end of the log.
  const auto last = group.last_records.find(header.producer_id);
  if (header.has_producer_id() && last != group.last_records.end()) {
    rules.retain_empty = last->second.data_offset >= 0
                             ? header.last_offset() == last->second.data_offset
                             : header.control() && header.producer_epoch == last->second.epoch;
  }
  if (header.next_offset() == request.log->high_watermark()) rules.retain_empty = true;
  rules.new_delete_horizon_ms = request.now_ms + group.delete_retention_ms;
  codec::Blob rebuilt;
  const auto keep = [&](const protocol::Record& record) {
    return header.control() || keeps(record, horizon, request.now_ms);
  };
  const auto filtered = filter_batch(batch, rules, keep, rebuilt);
  if (!filtered) {
    return failure(filtered.error().kind,
                   fmt::format("the batch at {}: {}", header.base_offset, filtered.error().message));
  }
  outcome_.bytes_read += batch.size();
  outcome_.records_read += filtered->records_read;
  outcome_.records_written += filtered->records_retained;
  if (filtered->bytes.empty()) return {};
  group.bytes.insert(group.bytes.end(), filtered->bytes.begin(), filtered->bytes.end());
  group.headers.push_back(*BatchHeader::read(filtered->bytes));
  return group.bytes.size() >= options_.io_buffer_bytes ? write_out(group) : Status{};
}

bool LogCleaner::keeps(const protocol::Record& record, std::optional<std::int64_t> delete_horizon_ms,
                       std::int64_t now_ms) {
  if (record.offset > map_.latest_offset()) return true;
  if (!record.key) {
    ++outcome_.invalid_records;
    return false;
  }
  const bool retained = record.value || !delete_horizon_ms || now_ms < *delete_horizon_ms;
  return retained && record.offset >= map_.get(*record.key);
}

Status LogCleaner::write_out(Group& group) {
  if (group.headers.empty()) return {};
  DOHLE_RETURN_IF_ERROR(group.cleaned->append(group.bytes, group.headers, group.aborted));
  outcome_.bytes_written += group.bytes.size();
  const std::uint64_t written = group.bytes.size();
  group.bytes.clear();
  group.headers.clear();
  group.aborted.clear();
  return give_way(written);
}

}  // namespace dohle::log
