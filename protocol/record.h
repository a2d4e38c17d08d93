// One record of a batch, and a reader over all of them.
// Source: org.apache.kafka.common.record.internal.DefaultRecord.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/reader.h"
#include "protocol/record_batch.h"

namespace dohle::protocol {

struct RecordHeader {
  std::string_view key;
  std::optional<codec::Bytes> value;
};

struct Record {
  std::int64_t offset = 0;
  /// In a batch with log append time, that of the batch.
  std::int64_t timestamp = no_timestamp;
  std::int8_t attributes = 0;
  std::optional<codec::Bytes> key;
  std::optional<codec::Bytes> value;
  std::int32_t header_count = 0;
  /// The headers as written, already checked.
  codec::Bytes header_bytes;

  std::vector<RecordHeader> headers() const;
};

enum class RecordsError {
  none,
  malformed,         // Kafka: InvalidRecordException
  malformed_length,  // the varint before a record of an uncompressed batch; Kafka falls over it in another way
  inflate_failed,    // the compressed data is malformed
  too_large,         // it inflates beyond what the caller allows
};

/// Reads the records of one batch in order. An uncompressed batch is read in place; a compressed one is inflated as a
/// whole, with a limit: for coordinators and other readers of their own records. What clients send is scanned by
/// RecordScanner, which needs no such memory.
class RecordReader {
 public:
  /// The batch outlives the reader. Its checksum is not looked at.
  RecordReader(const RecordBatch& batch, std::size_t inflated_bytes_max);
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  /// False at the end and at an error. Views in `record` live as long as the reader and the batch.
  bool next(Record& record);
  RecordsError error() const { return error_; }

 private:
  bool inflate(const RecordBatch& batch, std::size_t inflated_bytes_max);
  bool fail(RecordsError error);
  bool read(Record& record);

  codec::Blob inflated_;
  codec::Reader bytes_{codec::Bytes()};
  codec::Bytes all_;
  std::int64_t base_offset_;
  std::int64_t base_timestamp_;
  std::optional<std::int64_t> log_append_time_;
  std::int32_t left_;
  RecordsError error_ = RecordsError::none;
};

}  // namespace dohle::protocol
