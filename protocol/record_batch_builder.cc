#include "protocol/record_batch_builder.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace dohle::protocol {

namespace {

void write_nullable(codec::Writer& writer, std::optional<codec::Bytes> bytes) {
  if (!bytes) {
    writer.varint(-1);
    return;
  }
  writer.varint(static_cast<std::int32_t>(bytes->size()));
  writer.raw(*bytes);
}

/// Java's subtraction, which wraps.
std::int64_t subtract(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

}  // namespace

RecordBatchBuilder::RecordBatchBuilder(const RecordBatchOptions& options)
    : options_(options), batch_(record_batch_overhead), base_timestamp_(options.delete_horizon_ms) {
  if (options.compression != codec::Compression::none) {
    const int level = options.compression_level.value_or(codec::default_compression_level(options.compression));
    deflater_.emplace(options.compression, level, batch_);
  }
}

std::size_t RecordBatchBuilder::record_bytes_max(std::optional<codec::Bytes> key, std::optional<codec::Bytes> value,
                                                 std::span<const RecordHeader> headers) {
  // Length, attributes, timestamp, offset, key length, value length, header count.
  constexpr std::size_t fixed = 5 + 1 + 10 + 5 + 5 + 5 + 5;
  std::size_t size = fixed + (key ? key->size() : 0) + (value ? value->size() : 0);
  for (const RecordHeader& header : headers) size += 10 + header.key.size() + (header.value ? header.value->size() : 0);
  return size;
}

void RecordBatchBuilder::append(std::int64_t timestamp_ms, std::optional<codec::Bytes> key,
                                std::optional<codec::Bytes> value, std::span<const RecordHeader> headers) {
  append_any(false, next_offset(), timestamp_ms, key, value, headers);
}

void RecordBatchBuilder::append_with_offset(std::int64_t offset, std::int64_t timestamp_ms,
                                            std::optional<codec::Bytes> key, std::optional<codec::Bytes> value,
                                            std::span<const RecordHeader> headers) {
  append_any(false, offset, timestamp_ms, key, value, headers);
}

void RecordBatchBuilder::append_control(std::int64_t timestamp_ms, ControlRecordType type, codec::Bytes value) {
  const auto key = control_record_key(type);
  append_any(true, next_offset(), timestamp_ms, codec::Bytes(key), value, {});
}

void RecordBatchBuilder::append_any(bool is_control, std::int64_t offset, std::int64_t timestamp_ms,
                                    std::optional<codec::Bytes> key, std::optional<codec::Bytes> value,
                                    std::span<const RecordHeader> headers) {
  const std::int64_t delta = subtract(offset, options_.base_offset);
  const bool grows = !last_offset_ || offset > *last_offset_;
  if (is_control != options_.is_control || !grows || timestamp_ms < no_timestamp || delta < 0 ||
      delta > std::numeric_limits<std::int32_t>::max()) {
    ok_ = false;
  }
  if (!ok_) return;
  if (!base_timestamp_) base_timestamp_ = timestamp_ms;

  body_.clear();
  body_.i8(0);
  body_.varlong(subtract(timestamp_ms, *base_timestamp_));
  body_.varint(static_cast<std::int32_t>(delta));
  write_nullable(body_, key);
  write_nullable(body_, value);
  body_.varint(static_cast<std::int32_t>(headers.size()));
  for (const RecordHeader& header : headers) {
    body_.varint(static_cast<std::int32_t>(header.key.size()));
    body_.raw(header.key);
    write_nullable(body_, header.value);
  }
  head_.clear();
  head_.varint(static_cast<std::int32_t>(body_.size()));
  for (const codec::Bytes piece : {head_.bytes(), body_.bytes()}) {
    if (deflater_) {
      deflater_->write(piece);
    } else {
      batch_.insert(batch_.end(), piece.begin(), piece.end());
    }
  }

  records_bytes_ += head_.size() + body_.size();
  last_offset_ = offset;
  max_timestamp_ = std::max(max_timestamp_, timestamp_ms);
  ++record_count_;
}

bool RecordBatchBuilder::producer_state_is_valid() const {
  if (options_.producer_id == no_producer_id) return !options_.is_transactional;
  return options_.producer_epoch != no_producer_epoch && (options_.base_sequence >= 0 || options_.is_control);
}

codec::Blob RecordBatchBuilder::build() {
  if (!producer_state_is_valid()) ok_ = false;
  if (!ok_ || record_count_ == 0) return {};
  if (deflater_) deflater_->finish();
  RecordBatchHeader header;
  header.base_offset = options_.base_offset;
  header.partition_leader_epoch = options_.partition_leader_epoch;
  header.compression = options_.compression;
  header.timestamp_type = options_.timestamp_type;
  header.is_transactional = options_.is_transactional;
  header.is_control = options_.is_control;
  header.has_delete_horizon = options_.delete_horizon_ms.value_or(-1) >= 0;
  header.last_offset_delta = static_cast<std::int32_t>(*last_offset_ - options_.base_offset);
  header.base_timestamp = *base_timestamp_;
  const bool append_time = options_.timestamp_type == TimestampType::log_append_time;
  header.max_timestamp = append_time ? options_.log_append_time_ms : max_timestamp_;
  header.producer_id = options_.producer_id;
  header.producer_epoch = options_.producer_epoch;
  header.base_sequence = options_.base_sequence;
  header.record_count = record_count_;
  write_record_batch_header(batch_, header);
  return std::move(batch_);
}

}  // namespace dohle::protocol
