// Walks over the records of a batch without keeping them, as a broker does with what clients send: in place, or through
// the bounded window of the inflater, whatever the batch inflates to.
// Source: org.apache.kafka.common.record.internal.DefaultRecordBatch (RecordIterator, StreamRecordIterator),
// DefaultRecord.readFrom and readPartiallyFrom.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "protocol/byte_stream.h"
#include "protocol/record.h"
#include "protocol/record_batch.h"

namespace dohle::protocol {

enum class ScanDepth {
  /// A record must be exactly as long as its length says.
  full,
  /// What Kafka does over a compressed batch that it will store as it came: lengths of records are not compared.
  partial,
};

struct ScannedRecord {
  std::int64_t offset = 0;
  /// In a batch with log append time, that of the batch.
  std::int64_t timestamp = no_timestamp;
  std::int32_t key_size = -1;    // negative: null
  std::int32_t value_size = -1;  // negative: null
};

class RecordScanner {
 public:
  /// The largest record that Kafka could hold, and the default of max.decompressed.message.bytes.
  static constexpr std::int32_t record_bytes_max_default = 2147483639;

  /// The batch outlives the scanner, and its compression is known. An uncompressed batch is always scanned in full. In
  /// a compressed one, a record whose length says more than `record_bytes_max` is malformed
  /// (max.decompressed.message.bytes).
  /// Where a compressed batch inflates beyond `inflated_bytes_max`, the scan ends with RecordsError::too_large.
  RecordScanner(const RecordBatch& batch, ScanDepth depth, std::int32_t record_bytes_max = record_bytes_max_default,
                std::uint64_t inflated_bytes_max = std::numeric_limits<std::uint64_t>::max());

  /// False at the end and at an error.
  bool next(ScannedRecord& record);
  RecordsError error() const { return error_; }

 private:
  bool fail();
  bool fail(RecordsError error);
  bool scan(ScannedRecord& record);

  ByteStream stream_;
  bool compressed_;
  bool full_;
  std::int32_t record_bytes_max_;
  std::int64_t base_offset_;
  std::int64_t base_timestamp_;
  std::optional<std::int64_t> log_append_time_;
  std::int32_t left_;
  RecordsError error_ = RecordsError::none;
};

}  // namespace dohle::protocol
