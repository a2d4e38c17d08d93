#include "protocol/record_scanner.h"

namespace dohle::protocol {

namespace {

std::int64_t add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace

RecordScanner::RecordScanner(const RecordBatch& batch, ScanDepth depth, std::int32_t record_bytes_max,
                             std::uint64_t inflated_bytes_max)
    : stream_(batch.compression().value_or(codec::Compression::none), batch.payload(), inflated_bytes_max),
      compressed_(batch.is_compressed()),
      full_(depth == ScanDepth::full || !batch.is_compressed()),
      record_bytes_max_(record_bytes_max),
      base_offset_(batch.base_offset()),
      base_timestamp_(batch.base_timestamp()),
      left_(batch.record_count()) {
  if (batch.timestamp_type() == TimestampType::log_append_time) log_append_time_ = batch.max_timestamp();
  if (left_ < 0) fail(RecordsError::malformed);
}

bool RecordScanner::fail() {
  if (stream_.failure() == ByteStream::Failure::too_large) return fail(RecordsError::too_large);
  return fail(stream_.failure() == ByteStream::Failure::inflate ? RecordsError::inflate_failed
                                                                : RecordsError::malformed);
}

bool RecordScanner::fail(RecordsError error) {
  error_ = error;
  left_ = 0;
  return false;
}

bool RecordScanner::next(ScannedRecord& record) {
  if (left_ == 0) return false;
  if (!scan(record)) return error_ != RecordsError::none ? false : fail();
  --left_;
  if (left_ == 0 && !stream_.at_end()) return fail();
  return true;
}

bool RecordScanner::scan(ScannedRecord& record) {
  const std::int32_t size = stream_.varint();
  // In place, Kafka reads this one number outside of what it guards, and answers with another error.
  if (stream_.failure() == ByteStream::Failure::too_long && !compressed_) return fail(RecordsError::malformed_length);
  if (compressed_ && (size < 0 || size > record_bytes_max_)) return false;
  const std::uint64_t start = stream_.position();
  stream_.byte();  // attributes, which mean nothing
  record.timestamp = add(base_timestamp_, stream_.varlong());
  if (log_append_time_) record.timestamp = *log_append_time_;
  record.offset = add(base_offset_, stream_.varint());
  record.key_size = stream_.varint();
  stream_.skip(record.key_size);
  record.value_size = stream_.varint();
  stream_.skip(record.value_size);
  const std::int32_t header_count = stream_.varint();
  if (!stream_.ok() || header_count < 0) return false;
  for (std::int32_t i = 0; i < header_count; ++i) {
    const std::int32_t key_size = stream_.varint();
    if (key_size < 0) return false;
    stream_.skip(key_size);
    stream_.skip(stream_.varint());
    if (!stream_.ok()) return false;
  }
  const bool fits = size >= 0 && stream_.position() - start == static_cast<std::uint64_t>(size);
  return fits || !full_;
}

}  // namespace dohle::protocol
