#include "server/log/record_search.h"

#include <limits>

#include "protocol/record.h"
#include "protocol/record_batch.h"
#include "server/log/batch_header.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::failure;
using runtime::Result;

namespace {

/// No batch that a broker took inflates further.
constexpr std::size_t inflated_bytes_max = std::numeric_limits<std::int32_t>::max();

template <typename Wanted>
Result<std::optional<TimestampOffset>> find_first(codec::Bytes batch, Wanted wanted) {
  const auto header = BatchHeader::read(batch);
  if (!header) return failure(ErrorKind::corrupt, "the batch has no header");
  if (header->magic < 2) {
    const TimestampOffset message{header->max_timestamp_ms, header->last_offset()};
    return wanted(message) ? std::optional(message) : std::nullopt;
  }
  const protocol::RecordBatch view(batch);
  protocol::RecordReader reader(view, inflated_bytes_max);
  protocol::Record record;
  while (reader.next(record)) {
    const TimestampOffset found{record.timestamp, record.offset};
    if (wanted(found)) return found;
  }
  if (reader.error() != protocol::RecordsError::none) {
    return failure(ErrorKind::corrupt, "the records of a batch can't be read");
  }
  return std::nullopt;
}

}  // namespace

Result<std::optional<TimestampOffset>> find_record(codec::Bytes batch, std::int64_t timestamp_ms,
                                                   std::int64_t start_offset) {
  return find_first(batch, [&](const TimestampOffset& record) {
    return record.timestamp_ms >= timestamp_ms && record.offset >= start_offset;
  });
}

Result<std::optional<TimestampOffset>> find_max_timestamp(codec::Bytes batch) {
  const auto header = BatchHeader::read(batch);
  // Format 0 has no timestamps.
  if (header && header->magic == 0) return std::nullopt;
  return find_first(
      batch, [&](const TimestampOffset& record) { return header && record.timestamp_ms == header->max_timestamp_ms; });
}

}  // namespace dohle::log
