// Reading: the half of Log that any thread may call. Follows LocalLog.read and UnifiedLog.fetchOffsetByTimestamp.
#include <algorithm>
#include <limits>

#include "server/log/batch_scanner.h"
#include "server/log/log.h"
#include "server/log/record_search.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::Result;
using runtime::Status;

namespace {

/// A read that a truncation or a swap of cleaned segments has got in the way of is tried again with the new segments.
constexpr int read_attempts_max = 100;

/// Up to where a segment can be read when the log ends at `end`.
std::uint64_t readable_bytes(const LogSegment& segment, const LogEnd& end) {
  if (segment.base_offset() == end.segment_base_offset) return static_cast<std::uint64_t>(end.position_bytes);
  return segment.size_bytes();
}

}  // namespace

/// Segments are read by name, and behind a name may be another file as soon as the list has changed: what was read then
/// is thrown away, whether it failed or not.
template <typename Read>
auto Log::read_stable(const Read& read) const {
  for (int attempt = 1;; ++attempt) {
    // The end first: the list that is loaded after it has the segment that it names.
    const LogEnd end = end_.load();
    const auto list = segments_.load();
    auto result = read(*list, end);
    if (segments_.load() == list) return result;
    if (attempt == read_attempts_max) {
      return decltype(result)(
          runtime::failure(ErrorKind::io, options_.topic + ": the segments do not stay while they are read"));
    }
  }
}

Result<ReadResult> Log::read(const ReadRequest& request) const {
  return read_stable([&](const SegmentList& list, const LogEnd& end) { return read_once(request, list, end); });
}

Result<ReadResult> Log::read_once(const ReadRequest& request, const SegmentList& list, const LogEnd& end) const {
  ReadResult result;
  const std::int64_t bound = std::min(request.bound_offset, end.offset);
  std::size_t n = list.floor(request.offset);
  if (request.offset < log_start_offset() || request.offset > end.offset || n == list.size()) {
    result.out_of_range = true;
    return result;
  }
  for (; n < list.size() && request.offset < bound && list.all()[n]->base_offset() < bound; ++n) {
    const LogSegment& segment = *list.all()[n];
    std::uint64_t limit = readable_bytes(segment, end);
    const bool bound_is_here = n + 1 == list.size() || list.all()[n + 1]->base_offset() > bound;
    if (bound_is_here && bound < end.offset) {
      const auto position = segment.position_of_end(bound);
      if (!position) return std::unexpected(position.error());
      limit = std::min(limit, *position);
    }
    const auto first = segment.find(request.offset, limit);
    if (!first) return std::unexpected(first.error());
    if (!*first) continue;
    const auto file = segment.file();
    if (!file) return std::unexpected(file.error());
    std::uint64_t size_max = static_cast<std::uint64_t>(std::max(request.size_bytes_max, 0));
    const std::uint64_t first_size = (*first)->header.size_bytes;
    if (request.at_least_one_batch) size_max = std::max(size_max, first_size);
    result.slice = {*file, (*first)->position_bytes, std::min(limit - (*first)->position_bytes, size_max)};
    result.first_batch_incomplete = size_max < first_size;
    if (request.aborted_transactions) {
      if (Status status = add_aborted(list, n, request, end, result); !status) {
        return std::unexpected(std::move(status.error()));
      }
    }
    return result;
  }
  return result;
}

Status Log::add_aborted(const SegmentList& list, std::size_t segment, const ReadRequest& request, const LogEnd& end,
                        ReadResult& result) const {
  const Slice& slice = result.slice;
  const auto after = list.all()[segment]->offset_index().first_at_or_after(
      static_cast<std::uint32_t>(slice.position_bytes + slice.size_bytes));
  if (!after) return std::unexpected(after.error());
  std::int64_t upper_bound = segment + 1 < list.size() ? list.all()[segment + 1]->base_offset() : end.offset;
  if (*after) upper_bound = (*after)->offset;
  for (; segment < list.size(); ++segment) {
    auto found = list.all()[segment]->transaction_index().collect(request.offset, upper_bound);
    if (!found) return std::unexpected(std::move(found.error()));
    std::ranges::copy(found->transactions, std::back_inserter(result.aborted));
    if (found->complete) break;
  }
  return {};
}

Result<std::vector<AbortedTransaction>> Log::aborted_transactions(std::int64_t fetch_offset,
                                                                  std::int64_t upper_bound_offset) const {
  return read_stable([&](const SegmentList& list, const LogEnd&) -> Result<std::vector<AbortedTransaction>> {
    std::vector<AbortedTransaction> aborted;
    for (std::size_t n = list.floor(fetch_offset); n < list.size(); ++n) {
      auto found = list.all()[n]->transaction_index().collect(fetch_offset, upper_bound_offset);
      if (!found) return std::unexpected(std::move(found.error()));
      std::ranges::copy(found->transactions, std::back_inserter(aborted));
      if (found->complete) break;
    }
    return aborted;
  });
}

Result<std::optional<FoundOffset>> Log::offset_for_timestamp(std::int64_t timestamp_ms) const {
  return read_stable(
      [&](const SegmentList& list, const LogEnd& end) { return find_timestamp(timestamp_ms, list, end); });
}

Result<std::optional<FoundOffset>> Log::find_timestamp(std::int64_t timestamp_ms, const SegmentList& list,
                                                       const LogEnd& end) const {
  const std::int64_t start = log_start_offset();
  for (const auto& segment : list.all()) {
    const auto max = segment->max_timestamp();
    if (!max) return std::unexpected(max.error());
    if (max->timestamp_ms < timestamp_ms) continue;
    const auto entry = segment->time_index().lookup(timestamp_ms);
    if (!entry) return std::unexpected(entry.error());
    const auto begin = segment->offset_index().lookup(std::max(entry->offset, start));
    if (!begin) return std::unexpected(begin.error());
    const auto file = segment->file();
    if (!file) return std::unexpected(file.error());
    BatchScanner scanner(**file, begin->position_bytes, readable_bytes(*segment, end));
    for (;;) {
      const auto header = scanner.next();
      if (!header) return std::unexpected(header.error());
      // As in Kafka, the segments after this one are not asked.
      if (!*header) return std::nullopt;
      if ((*header)->max_timestamp_ms < timestamp_ms) continue;
      const auto bytes = scanner.bytes();
      if (!bytes) return std::unexpected(bytes.error());
      const auto record = find_record(*bytes, timestamp_ms, start);
      if (!record) return std::unexpected(record.error());
      if (*record) return FoundOffset{(*record)->timestamp_ms, (*record)->offset, (*header)->leader_epoch};
    }
  }
  return std::nullopt;
}

Result<std::optional<FoundOffset>> Log::offset_of_max_timestamp() const {
  return read_stable([&](const SegmentList& list, const LogEnd& end) { return find_max_timestamp(list, end); });
}

Result<std::optional<FoundOffset>> Log::find_max_timestamp(const SegmentList& list, const LogEnd& end) const {
  std::shared_ptr<LogSegment> latest;
  TimestampOffset max;
  for (const auto& segment : list.all()) {
    const auto found = segment->max_timestamp();
    if (!found) return std::unexpected(found.error());
    if (latest != nullptr && found->timestamp_ms <= max.timestamp_ms) continue;
    latest = segment;
    max = *found;
  }
  const auto begin = latest->offset_index().lookup(max.offset);
  if (!begin) return std::unexpected(begin.error());
  const auto file = latest->file();
  if (!file) return std::unexpected(file.error());
  BatchScanner scanner(**file, begin->position_bytes, readable_bytes(*latest, end));
  for (;;) {
    const auto header = scanner.next();
    if (!header) return std::unexpected(header.error());
    if (!*header) return std::nullopt;
    if ((*header)->max_timestamp_ms != max.timestamp_ms) continue;
    const auto bytes = scanner.bytes();
    if (!bytes) return std::unexpected(bytes.error());
    const auto record = log::find_max_timestamp(*bytes);
    if (!record) return std::unexpected(record.error());
    if (!*record) return std::nullopt;
    return FoundOffset{max.timestamp_ms, (*record)->offset, (*header)->leader_epoch};
  }
}

}  // namespace dohle::log
