#include "server/log/batch_rebuild.h"

#include <algorithm>

#include "codec/deflater.h"
#include "codec/writer.h"
#include "protocol/byte_stream.h"

namespace dohle::log {

namespace {

using protocol::RecordBatch;
using protocol::TimestampType;

std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

bool producer_state_is_valid(const RecordBatch& batch) {
  if (batch.producer_id() == protocol::no_producer_id) return !batch.is_transactional();
  return batch.producer_epoch() != protocol::no_producer_epoch && batch.base_sequence() >= 0;
}

class Rebuild {
 public:
  Rebuild(const RecordBatch& batch, const RebuildOptions& options, codec::Blob& rebuilt)
      : batch_(batch),
        options_(options),
        rebuilt_(rebuilt),
        source_(batch.compression().value_or(codec::Compression::none), batch.payload()) {}

  RebuildOutcome run() {
    if (!producer_state_is_valid(batch_)) return RebuildOutcome::refused;
    rebuilt_.assign(protocol::record_batch_overhead, 0);
    const int level = options_.compression_level.value_or(codec::default_compression_level(options_.compression));
    codec::Deflater to(options_.compression, level, rebuilt_);
    for (std::int32_t i = 0; i < batch_.record_count(); ++i) {
      const RebuildOutcome outcome = write_record(i, to);
      if (outcome != RebuildOutcome::done) return outcome;
    }
    to.finish();
    if (rebuilt_.size() > options_.size_bytes_max) return RebuildOutcome::too_large;
    write_header();
    return RebuildOutcome::done;
  }

 private:
  /// Only the head changes; key, value and headers are passed on as they are.
  RebuildOutcome write_record(std::int32_t index, codec::Deflater& to) {
    const std::int32_t size = source_.varint();
    const std::uint64_t start = source_.position();
    source_.byte();
    std::int64_t timestamp = plus(batch_.base_timestamp(), source_.varlong());
    if (batch_.timestamp_type() == TimestampType::log_append_time) timestamp = batch_.max_timestamp();
    source_.varint();
    const auto rest = static_cast<std::int64_t>(size - static_cast<std::int64_t>(source_.position() - start));
    if (!source_.ok() || rest < 0 || timestamp < protocol::no_timestamp) return RebuildOutcome::refused;
    if (index == 0) base_timestamp_ = timestamp;
    head_.clear();
    head_.i8(0);
    head_.varlong(minus(timestamp, base_timestamp_));
    head_.varint(index);
    length_.clear();
    length_.varint(static_cast<std::int32_t>(static_cast<std::int64_t>(head_.size()) + rest));
    to.write(length_.bytes());
    to.write(head_.bytes());
    return pass_on(rest, to);
  }

  RebuildOutcome pass_on(std::int64_t size, codec::Deflater& to) {
    constexpr std::int64_t step_max = 64 * 1024;
    while (size > 0) {
      const std::int64_t step = std::min(size, step_max);
      source_.copy(step, to);
      size -= step;
      if (!source_.ok()) return RebuildOutcome::refused;
      if (rebuilt_.size() > options_.size_bytes_max) return RebuildOutcome::too_large;
    }
    return RebuildOutcome::done;
  }

  void write_header() {
    protocol::RecordBatchHeader header;
    header.compression = options_.compression;
    header.timestamp_type = options_.timestamp_type;
    header.is_transactional = batch_.is_transactional();
    header.last_offset_delta = batch_.record_count() - 1;
    header.base_timestamp = base_timestamp_;
    header.max_timestamp = options_.max_timestamp;
    header.producer_id = batch_.producer_id();
    header.producer_epoch = batch_.producer_epoch();
    header.base_sequence = batch_.base_sequence();
    header.record_count = batch_.record_count();
    protocol::write_record_batch_header(rebuilt_, header);
  }

  const RecordBatch& batch_;
  const RebuildOptions& options_;
  codec::Blob& rebuilt_;
  protocol::ByteStream source_;
  codec::Writer head_;
  codec::Writer length_;
  std::int64_t base_timestamp_ = protocol::no_timestamp;
};

}  // namespace

RebuildOutcome rebuild_batch(const RecordBatch& batch, const RebuildOptions& options, codec::Blob& rebuilt) {
  return Rebuild(batch, options, rebuilt).run();
}

}  // namespace dohle::log
