// Builds a record batch as Kafka builds it: byte for byte where it is not compressed.
// Source: org.apache.kafka.common.record.internal.MemoryRecordsBuilder, DefaultRecord.writeTo.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "codec/bytes.h"
#include "codec/compression.h"
#include "codec/deflater.h"
#include "codec/writer.h"
#include "protocol/control_record.h"
#include "protocol/record.h"
#include "protocol/record_batch.h"

namespace dohle::protocol {

struct RecordBatchOptions {
  std::int64_t base_offset = 0;
  codec::Compression compression = codec::Compression::none;
  /// Nothing: Kafka's default for the compression.
  std::optional<int> compression_level;
  TimestampType timestamp_type = TimestampType::create_time;
  /// The batch's maximum timestamp when the type is log append time.
  std::int64_t log_append_time_ms = no_timestamp;
  std::int64_t producer_id = no_producer_id;
  std::int16_t producer_epoch = no_producer_epoch;
  std::int32_t base_sequence = no_sequence;
  bool is_transactional = false;
  bool is_control = false;
  std::int32_t partition_leader_epoch = no_partition_leader_epoch;
  std::optional<std::int64_t> delete_horizon_ms;
};

/// A misuse that Kafka answers with an exception (an offset that does not grow, a timestamp below -1, a control record
/// in a batch without control, a transaction without producer id) makes `ok()` false for good, and then build() gives
/// nothing. One thread at a time.
class RecordBatchBuilder {
 public:
  explicit RecordBatchBuilder(const RecordBatchOptions& options);
  RecordBatchBuilder(const RecordBatchBuilder&) = delete;
  RecordBatchBuilder& operator=(const RecordBatchBuilder&) = delete;

  /// Appends with the next offset.
  void append(std::int64_t timestamp_ms, std::optional<codec::Bytes> key, std::optional<codec::Bytes> value,
              std::span<const RecordHeader> headers = {});
  void append_with_offset(std::int64_t offset, std::int64_t timestamp_ms, std::optional<codec::Bytes> key,
                          std::optional<codec::Bytes> value, std::span<const RecordHeader> headers = {});
  /// `value` is what ControlRecordType says; see control_record.h.
  void append_control(std::int64_t timestamp_ms, ControlRecordType type, codec::Bytes value);

  bool ok() const { return ok_; }
  std::int32_t record_count() const { return record_count_; }
  std::int64_t next_offset() const { return last_offset_ ? *last_offset_ + 1 : options_.base_offset; }
  std::int64_t max_timestamp() const { return max_timestamp_; }
  /// Header and records before compression: what the batch takes at most, but for what a codec adds.
  std::size_t uncompressed_bytes() const { return record_batch_overhead + records_bytes_; }
  /// What one more record would add to that, at most.
  static std::size_t record_bytes_max(std::optional<codec::Bytes> key, std::optional<codec::Bytes> value,
                                      std::span<const RecordHeader> headers = {});

  /// A batch may end after the last record that it holds, as compacted ones do.
  void override_last_offset(std::int64_t offset) { last_offset_ = offset; }

  /// The batch; empty when there are no records (as in Kafka) or `ok()` is false. Once.
  codec::Blob build();

 private:
  void append_any(bool is_control, std::int64_t offset, std::int64_t timestamp_ms, std::optional<codec::Bytes> key,
                  std::optional<codec::Bytes> value, std::span<const RecordHeader> headers);
  bool producer_state_is_valid() const;

  RecordBatchOptions options_;
  codec::Blob batch_;
  std::optional<codec::Deflater> deflater_;
  codec::Writer body_;
  codec::Writer head_;
  std::optional<std::int64_t> last_offset_;
  std::optional<std::int64_t> base_timestamp_;
  std::int64_t max_timestamp_ = no_timestamp;
  std::int32_t record_count_ = 0;
  std::size_t records_bytes_ = 0;
  bool ok_ = true;
};

}  // namespace dohle::protocol
