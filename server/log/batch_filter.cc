#include "server/log/batch_filter.h"

#include <limits>
#include <vector>

#include "protocol/record_batch.h"
#include "protocol/record_batch_builder.h"

namespace dohle::log {

using protocol::Record;
using protocol::RecordBatch;
using protocol::TimestampType;
using runtime::ErrorKind;
using runtime::failure;
using runtime::Result;

namespace {

/// No batch that a broker took inflates further.
constexpr std::size_t inflated_bytes_max = std::numeric_limits<std::int32_t>::max();

Result<void> rebuild(const RecordBatch& batch, const std::vector<Record>& records,
                     std::optional<std::int64_t> delete_horizon_ms, codec::Blob& rebuilt) {
  protocol::RecordBatchOptions options;
  options.base_offset = batch.base_offset();
  options.compression = *batch.compression();
  options.timestamp_type = batch.timestamp_type();
  options.log_append_time_ms =
      batch.timestamp_type() == TimestampType::log_append_time ? batch.max_timestamp() : protocol::no_timestamp;
  options.producer_id = batch.producer_id();
  options.producer_epoch = batch.producer_epoch();
  options.base_sequence = batch.base_sequence();
  options.is_transactional = batch.is_transactional();
  options.is_control = batch.is_control();
  options.partition_leader_epoch = batch.partition_leader_epoch();
  options.delete_horizon_ms = delete_horizon_ms;
  protocol::RecordBatchBuilder builder(options);
  for (const Record& record : records) {
    if (!batch.is_control()) {
      const auto headers = record.headers();
      builder.append_with_offset(record.offset, record.timestamp, record.key, record.value, headers);
      continue;
    }
    const auto type = protocol::parse_control_record_key(record.key.value_or(codec::Bytes{}));
    if (!type || !record.value) return failure(ErrorKind::corrupt, "a control record has no type or no value");
    builder.append_control(record.timestamp, *type, *record.value);
  }
  // The last sequence follows from it: without it the producer would seem to have left some out.
  builder.override_last_offset(batch.last_offset());
  rebuilt = builder.build();
  if (rebuilt.empty()) return failure(ErrorKind::corrupt, "the records of a batch contradict its header");
  return {};
}

void write_empty(const RecordBatch& batch, codec::Blob& rebuilt) {
  protocol::RecordBatchHeader header;
  header.base_offset = batch.base_offset();
  header.partition_leader_epoch = batch.partition_leader_epoch();
  header.timestamp_type = batch.timestamp_type();
  header.is_transactional = batch.is_transactional();
  header.is_control = batch.is_control();
  header.last_offset_delta = batch.last_offset_delta();
  header.max_timestamp = batch.max_timestamp();
  header.producer_id = batch.producer_id();
  header.producer_epoch = batch.producer_epoch();
  header.base_sequence = batch.base_sequence();
  rebuilt = protocol::empty_record_batch(header);
}

}  // namespace

Result<FilteredBatch> filter_batch(codec::Bytes bytes, const FilterRules& rules,
                                   const std::function<bool(const Record&)>& keep, codec::Blob& rebuilt) {
  FilteredBatch result;
  if (rules.discard_records && !rules.retain_empty) return result;
  const RecordBatch batch(bytes);
  if (!batch.compression()) return failure(ErrorKind::corrupt, "a batch has an unknown compression");
  protocol::RecordReader reader(batch, inflated_bytes_max);
  std::vector<Record> retained;
  bool tombstones = false;
  Record record;
  while (reader.next(record)) {
    ++result.records_read;
    if (rules.discard_records || !keep(record)) continue;
    tombstones = tombstones || !record.value;
    retained.push_back(record);
  }
  if (reader.error() != protocol::RecordsError::none) {
    return failure(ErrorKind::corrupt, "the records of a batch can't be read");
  }
  result.records_retained = static_cast<std::int64_t>(retained.size());
  if (retained.empty()) {
    if (!rules.retain_empty) return result;
    write_empty(batch, rebuilt);
    result.bytes = rebuilt;
    return result;
  }
  std::optional<std::int64_t> horizon = batch.delete_horizon_ms();
  const bool needs_horizon = (tombstones || rules.marker_of_empty_transaction) && !horizon;
  if (result.records_retained == result.records_read && !needs_horizon) {
    result.bytes = bytes;
    return result;
  }
  if (needs_horizon) horizon = rules.new_delete_horizon_ms;
  if (auto status = rebuild(batch, retained, horizon, rebuilt); !status) {
    return std::unexpected(std::move(status.error()));
  }
  result.bytes = rebuilt;
  return result;
}

}  // namespace dohle::log
