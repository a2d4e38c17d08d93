#include "protocol/record.h"

#include "codec/compression.h"
#include "codec/inflater.h"

namespace dohle::protocol {

namespace {

std::optional<codec::Bytes> read_nullable(codec::Reader& reader) {
  const std::int32_t size = reader.varint();
  // Any negative length is null, as in Kafka.
  if (size < 0) return std::nullopt;
  return reader.view(static_cast<std::size_t>(size));
}

std::int64_t add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::string_view read_header_key(codec::Reader& reader) {
  const std::int32_t size = reader.varint();
  if (size < 0) reader.fail();
  return codec::as_text(reader.view(size < 0 ? 0 : static_cast<std::size_t>(size)));
}

}  // namespace

std::vector<RecordHeader> Record::headers() const {
  std::vector<RecordHeader> headers;
  codec::Reader reader(header_bytes);
  for (std::int32_t i = 0; i < header_count; ++i) {
    const std::string_view key = read_header_key(reader);
    headers.push_back({key, read_nullable(reader)});
  }
  return headers;
}

RecordReader::RecordReader(const RecordBatch& batch, std::size_t inflated_bytes_max)
    : base_offset_(batch.base_offset()), base_timestamp_(batch.base_timestamp()), left_(batch.record_count()) {
  if (batch.timestamp_type() == TimestampType::log_append_time) log_append_time_ = batch.max_timestamp();
  all_ = batch.payload();
  if (left_ < 0) {
    fail(RecordsError::malformed);
    return;
  }
  if (left_ > 0 && batch.is_compressed() && !inflate(batch, inflated_bytes_max)) return;
  bytes_ = codec::Reader(all_);
}

bool RecordReader::inflate(const RecordBatch& batch, std::size_t inflated_bytes_max) {
  const auto compression = batch.compression();
  if (!compression) return fail(RecordsError::inflate_failed);
  codec::Inflater inflater(*compression, all_);
  for (codec::Bytes piece = inflater.next_chunk(); !piece.empty(); piece = inflater.next_chunk()) {
    if (piece.size() > inflated_bytes_max - inflated_.size()) return fail(RecordsError::too_large);
    inflated_.insert(inflated_.end(), piece.begin(), piece.end());
  }
  if (inflater.failed()) return fail(RecordsError::inflate_failed);
  all_ = inflated_;
  return true;
}

bool RecordReader::fail(RecordsError error) {
  error_ = error;
  left_ = 0;
  return false;
}

bool RecordReader::next(Record& record) {
  if (left_ == 0) return false;
  --left_;
  if (!read(record)) return fail(RecordsError::malformed);
  if (left_ == 0 && bytes_.remaining() > 0) return fail(RecordsError::malformed);
  return true;
}

bool RecordReader::read(Record& record) {
  const std::int32_t size = bytes_.varint();
  if (!bytes_.ok() || size < 0 || bytes_.remaining() < static_cast<std::size_t>(size)) return false;
  const std::size_t start = bytes_.position();
  record.attributes = bytes_.i8();
  record.timestamp = add(base_timestamp_, bytes_.varlong());
  if (log_append_time_) record.timestamp = *log_append_time_;
  record.offset = add(base_offset_, bytes_.varint());
  record.key = read_nullable(bytes_);
  record.value = read_nullable(bytes_);
  record.header_count = bytes_.varint();
  if (record.header_count < 0) return false;
  const std::size_t headers_start = bytes_.position();
  for (std::int32_t i = 0; i < record.header_count && bytes_.ok(); ++i) {
    read_header_key(bytes_);
    read_nullable(bytes_);
  }
  if (!bytes_.ok() || bytes_.position() - start != static_cast<std::size_t>(size)) return false;
  record.header_bytes = all_.subspan(headers_start, bytes_.position() - headers_start);
  return true;
}

}  // namespace dohle::protocol
