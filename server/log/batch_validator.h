// Judges one partition's bytes of a Produce request (or of a coordinator's append) as Kafka's leader does, before the
// partition's lock is taken. What is accepted is ready but for base offset and leader epoch, which are not under the
// checksum: Log::append_as_leader stamps them under the lock.
// Follows ProduceRequest.validateRecords, UnifiedLog.analyzeAndValidateRecords and LogValidator of 4.4.0, with the
// errors in their order. Batches that have their offsets already (replication, metadata log) go through
// Log::append_raw instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/compression.h"
#include "protocol/error_code.h"
#include "protocol/record_batch.h"
#include "server/log/producer_state.h"

namespace dohle::log {

/// What the topic wants. Names are those of its configuration.
struct BatchPolicy {
  protocol::TimestampType timestamp_type = protocol::TimestampType::create_time;    // message.timestamp.type
  std::int64_t timestamp_before_max_ms = std::numeric_limits<std::int64_t>::max();  // message.timestamp.before.max.ms
  std::int64_t timestamp_after_max_ms = 3600000;                                    // message.timestamp.after.max.ms
  std::optional<codec::Compression> compression;                                    // compression.type; none: producer
  std::optional<int> compression_level;  // compression.<type>.level, of `compression`; none: Kafka's default
  bool compacted = false;                // cleanup.policy contains compact
  std::int32_t max_message_bytes = 1048588;
  /// Of one record of a compressed batch; new in 4.4.0.
  std::int32_t max_decompressed_message_bytes = 2147483639;
  std::int32_t segment_bytes = 1073741824;
};

struct BatchInput {
  /// Changed in place where the leader has to (timestamps and type, with the checksum), also when the batch is refused
  /// afterwards. What follows the first batch without being a whole one is ignored, as Kafka ignores it.
  codec::MutableBytes records;
  std::int16_t request_version = 0;            // client only
  AppendOrigin origin = AppendOrigin::client;  // client or coordinator
  std::string_view topic;                      // for messages
  std::int32_t partition = 0;
  std::int64_t now_ms = 0;
};

/// How much work validate_batch may do at once. What takes more is put off.
struct ValidationBounds {
  /// Of compressed records that are stored as they came.
  std::uint64_t inflated_bytes_max = std::numeric_limits<std::uint64_t>::max();
  /// Of records that are not compressed.
  std::uint64_t plain_bytes_max = std::numeric_limits<std::uint64_t>::max();
  /// Of records that are compressed anew.
  std::uint64_t rebuilt_bytes_max = std::numeric_limits<std::uint64_t>::max();
};

/// About two milliseconds each: for a thread that others wait for (docs/connections.md has the measurement).
inline constexpr ValidationBounds short_validation{
    .inflated_bytes_max = 1 << 20, .plain_bytes_max = 16 << 20, .rebuilt_bytes_max = 16 << 10};

struct BatchRecordError {
  std::int32_t batch_index = 0;
  std::string message;
};

/// Moves, but does not copy: `batch` may lie in `rebuilt`.
struct BatchVerdict {
  BatchVerdict() = default;
  BatchVerdict(BatchVerdict&&) = default;
  BatchVerdict& operator=(BatchVerdict&&) = default;

  /// CORRUPT_MESSAGE, MESSAGE_TOO_LARGE, RECORD_LIST_TOO_LARGE, INVALID_RECORD, INVALID_TIMESTAMP,
  /// UNSUPPORTED_COMPRESSION_TYPE, or UNKNOWN_SERVER_ERROR where Kafka falls over the input (compressed data that can't
  /// be inflated, an unknown compression, and what the vectors in testdata show).
  protocol::ErrorCode error = protocol::ErrorCode::none;
  /// For the response; Kafka sends one only where it names records.
  std::optional<std::string> error_message;
  std::vector<BatchRecordError> record_errors;
  /// One line for our log.
  std::string reason;
  /// The response to this error carries the partition's log start offset, not -1.
  bool answers_log_start_offset = false;

  /// Nothing was decided, and nothing changed: the bounds do not suffice. To be asked again without bounds, on another
  /// thread.
  bool put_off = false;

  /// Without an error: the batch, in the input or in `rebuilt`.
  codec::MutableBytes batch;
  /// Kafka rebuilds where the topic wants another compression.
  codec::Blob rebuilt;
  /// For the response and the time index: the largest timestamp of the records, or now with log append time.
  std::int64_t max_timestamp = protocol::no_timestamp;
  /// now with log append time, else -1: the response's log_append_time.
  std::int64_t log_append_time = protocol::no_timestamp;
  std::int32_t record_count = 0;

  bool ok() const { return error == protocol::ErrorCode::none && !put_off; }
  /// Producer fields, attributes and deltas are read from here.
  protocol::RecordBatch view() const { return protocol::RecordBatch(batch); }
};

/// Kafka lists every record that it refuses; a small request could make that list larger than memory. So it ends here,
/// while the message still counts all.
inline constexpr std::size_t record_errors_max = 10000;

/// Any thread; takes time in proportion to what the batch inflates to, and memory in proportion to neither: compressed
/// batches pass through the inflater's window. For a rebuilt batch, at most max.message.bytes more.
BatchVerdict validate_batch(const BatchInput& input, const BatchPolicy& policy, const ValidationBounds& bounds = {});

/// Gives an accepted batch the offsets from `next_offset` on and the leader's epoch. Constant time: for under the lock.
/// Where a coordinator's batch counts fewer records than its offsets span, its last record gets the last of the
/// offsets, as in Kafka. Returns the next offset after it.
std::int64_t stamp_batch(codec::MutableBytes batch, std::int64_t next_offset, std::int32_t leader_epoch);

}  // namespace dohle::log
