#include "server/log/batch_validator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "protocol/record_entry.h"
#include "protocol/record_scanner.h"
#include "server/log/batch_rebuild.h"

namespace dohle::log {

namespace {

using protocol::ErrorCode;
using protocol::MutableRecordBatch;
using protocol::RecordBatch;
using protocol::RecordsError;
using protocol::ScannedRecord;
using protocol::TimestampType;

constexpr std::int16_t first_version_with_zstd = 7;
/// Kafka reads the last offset's delta before it compares the size with that of a header, and falls over that.
constexpr std::size_t bytes_to_last_offset_delta = 27;
constexpr std::size_t errors_shown_in_message = 3;

/// Java's subtraction and addition, which wrap.
std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

class Validation {
 public:
  Validation(const BatchInput& input, const BatchPolicy& policy, const ValidationBounds& bounds)
      : input_(input), policy_(policy), bounds_(bounds) {}

  BatchVerdict run() {
    if (input_.origin == AppendOrigin::client && !check_request()) return std::move(verdict_);
    verdict_.answers_log_start_offset = true;
    if (!check_entry() || !check_single() || !check_header()) return std::move(verdict_);
    if (!check_records() || !accept()) return std::move(verdict_);
    if (verdict_.batch.size() > static_cast<std::size_t>(std::max(policy_.segment_bytes, 0))) {
      refuse_known(ErrorCode::record_list_too_large, "the batch is larger than a segment may be");
    }
    return std::move(verdict_);
  }

 private:
  bool refuse(ErrorCode error, std::string reason) {
    verdict_.error = error;
    verdict_.reason = std::move(reason);
    verdict_.batch = {};
    return false;
  }

  /// These are the errors for which Kafka does not look up the log start offset.
  bool refuse_known(ErrorCode error, std::string reason) {
    verdict_.answers_log_start_offset = false;
    return refuse(error, std::move(reason));
  }

  std::string place() const { return fmt::format("{}-{}", input_.topic, input_.partition); }

  /// What KafkaApis checks before it looks for the partition (ProduceRequest.validateRecords).
  bool check_request() {
    const auto first = protocol::next_entry(input_.records);
    if (first.status == protocol::EntryStatus::corrupt) return refuse(ErrorCode::corrupt_message, "no batch begins so");
    if (!first.complete()) {
      // Kafka adds the length to the head in 32 bits, and falls over the sum.
      const bool overflows = first.size_bytes_needed > std::numeric_limits<std::int32_t>::max();
      return refuse(overflows ? ErrorCode::unknown_server_error : ErrorCode::invalid_record, "no whole batch");
    }
    if (first.magic != 2) return refuse(ErrorCode::invalid_record, "the format of the batch is not 2");
    if (input_.request_version < first_version_with_zstd) {
      // One byte, which the shortest entry has.
      const auto compression = codec::compression_from_id(first.bytes[22] & 0x07);
      if (!compression) return refuse(ErrorCode::unknown_server_error, "unknown compression");
      if (*compression == codec::Compression::zstd) {
        return refuse(ErrorCode::unsupported_compression_type, "zstd needs a later version of the request");
      }
    }
    const auto second = protocol::next_entry(codec::Bytes(input_.records).subspan(first.bytes.size()));
    if (second.status == protocol::EntryStatus::corrupt) {
      return refuse(ErrorCode::corrupt_message, "no batch begins as what follows the first");
    }
    if (second.complete()) return refuse(ErrorCode::invalid_record, "more than one batch");
    return true;
  }

  /// UnifiedLog.analyzeAndValidateRecords, for the first batch.
  bool check_entry() {
    const auto entry = protocol::next_entry(input_.records);
    if (entry.status == protocol::EntryStatus::corrupt) return refuse_known(ErrorCode::corrupt_message, "no batch");
    if (!entry.complete() || entry.magic != 2) return refuse(ErrorCode::invalid_record, "no whole batch of format 2");
    if (input_.origin == AppendOrigin::client && entry.offset() != 0) {
      return refuse(ErrorCode::invalid_record, "the base offset is not 0");
    }
    if (entry.bytes.size() < bytes_to_last_offset_delta) {
      return refuse(ErrorCode::unknown_server_error, "the batch ends within its header");
    }
    if (entry.bytes.size() > static_cast<std::size_t>(std::max(policy_.max_message_bytes, 0))) {
      return refuse_known(ErrorCode::message_too_large, "the batch is larger than max.message.bytes");
    }
    const auto batch = entry.batch();
    if (!batch || !batch->crc_is_valid()) return refuse_known(ErrorCode::corrupt_message, "the checksum is wrong");
    if (!batch->compression()) return refuse(ErrorCode::unknown_server_error, "unknown compression");
    verdict_.batch = input_.records.first(entry.bytes.size());
    source_ = *batch->compression();
    target_ = policy_.compression.value_or(source_);
    return true;
  }

  /// A client's were counted before; a coordinator of ours never sends more.
  bool check_single() {
    const auto second = protocol::next_entry(codec::Bytes(input_.records).subspan(verdict_.batch.size()));
    if (second.status == protocol::EntryStatus::corrupt) return refuse_known(ErrorCode::corrupt_message, "no batch");
    return second.complete() ? refuse(ErrorCode::invalid_record, "more than one batch") : true;
  }

  /// LogValidator.validateBatch.
  bool check_header() {
    if (input_.origin != AppendOrigin::client) return true;
    const RecordBatch batch = verdict_.view();
    const std::int64_t count_from_offsets = std::int64_t{batch.last_offset_delta()} + 1;
    if (count_from_offsets <= 0) return refuse(ErrorCode::invalid_record, "the range of offsets is empty");
    if (batch.record_count() <= 0) return refuse(ErrorCode::invalid_record, "the record count is not positive");
    if (count_from_offsets != batch.record_count()) {
      return refuse(ErrorCode::invalid_record, "offsets and record count do not agree");
    }
    if (batch.is_control()) return refuse(ErrorCode::invalid_record, "clients may not write control batches");
    if (batch.has_producer_id() && batch.base_sequence() < 0) {
      return refuse(ErrorCode::invalid_record, "a producer id without a sequence");
    }
    return true;
  }

  bool keeps_payload() const {
    if (source_ == codec::Compression::none && verdict_.view().is_control()) return true;
    return source_ == target_;
  }

  bool put_off() {
    verdict_ = {};
    verdict_.put_off = true;
    return false;
  }

  /// How far this batch may inflate. Nothing where it is clear beforehand that this is not enough: compressed records
  /// mostly inflate to twice their size and more.
  std::optional<std::uint64_t> inflated_bytes_max(const RecordBatch& batch) const {
    const std::uint64_t payload = batch.payload().size();
    if (!batch.is_compressed()) {
      const auto most = keeps_payload() ? bounds_.plain_bytes_max : bounds_.rebuilt_bytes_max;
      return payload > most ? std::nullopt : std::optional(payload);
    }
    const auto most = keeps_payload() ? bounds_.inflated_bytes_max : bounds_.rebuilt_bytes_max;
    return payload > most / 2 ? std::nullopt : std::optional(most);
  }

  bool check_records() {
    const RecordBatch batch = verdict_.view();
    const auto inflated_most = inflated_bytes_max(batch);
    if (!inflated_most) return put_off();
    partial_ = keeps_payload() && batch.is_compressed();
    const auto depth = partial_ ? protocol::ScanDepth::partial : protocol::ScanDepth::full;
    protocol::RecordScanner scanner(batch, depth, policy_.max_decompressed_message_bytes, *inflated_most);
    std::int64_t index = 0;
    for (ScannedRecord record; scanner.next(record); ++index) {
      const bool is_good = check_key(record, index) && check_timestamp(batch, record, index);
      // Over a compressed batch Kafka looks at these two only where nothing else was wrong; then it matters no more.
      if (!is_good) continue;
      max_timestamp_ = std::max(max_timestamp_, record.timestamp);
      if (record.offset != index) consecutive_ = false;
    }
    verdict_.record_count = static_cast<std::int32_t>(index);
    switch (scanner.error()) {
      case RecordsError::none:
        break;
      case RecordsError::too_large:
        return put_off();
      case RecordsError::malformed:
        return refuse_records(ErrorCode::invalid_record, "malformed records");
      default:
        return refuse_records(ErrorCode::unknown_server_error, "the records cannot be read");
    }
    return error_count_ == 0 || refuse_for_record_errors();
  }

  bool refuse_records(ErrorCode error, const char* reason) {
    verdict_.record_errors.clear();
    return refuse(error, reason);
  }

  void add_error(std::int64_t index, std::string message) {
    ++error_count_;
    if (verdict_.record_errors.size() < record_errors_max) {
      verdict_.record_errors.push_back({static_cast<std::int32_t>(index), std::move(message)});
    }
  }

  bool check_key(const ScannedRecord& record, std::int64_t index) {
    if (!policy_.compacted || record.key_size >= 0) return true;
    add_error(index, "Compacted topic cannot accept message without key in topic partition " + place());
    return false;
  }

  bool check_timestamp(const RecordBatch& batch, const ScannedRecord& record, std::int64_t index) {
    if (policy_.timestamp_type == TimestampType::create_time && record.timestamp != protocol::no_timestamp) {
      const std::int64_t age = minus(input_.now_ms, record.timestamp);
      if (age <= policy_.timestamp_before_max_ms && minus(0, age) <= policy_.timestamp_after_max_ms) return true;
      add_error(index,
                fmt::format("Timestamp {} of message with offset {} is out of range. The timestamp should be "
                            "within [{}, {}]",
                            record.timestamp, record.offset, minus(input_.now_ms, policy_.timestamp_before_max_ms),
                            plus(input_.now_ms, policy_.timestamp_after_max_ms)));
    } else if (batch.timestamp_type() == TimestampType::log_append_time) {
      add_error(index, fmt::format("Invalid timestamp type in message {}. Producer should not set timestamp type to "
                                   "LogAppendTime.",
                                   describe(record)));
    } else {
      return true;
    }
    has_timestamp_error_ = true;
    return false;
  }

  /// Record.toString of the two classes that Kafka reads records into; they show null sizes differently.
  std::string describe(const ScannedRecord& record) const {
    const auto shown = [this](std::int32_t size) { return partial_ ? size : std::max(size, 0); };
    return fmt::format("{}(offset={}, timestamp={}, key={} bytes, value={} bytes)",
                       partial_ ? "PartialDefaultRecord" : "DefaultRecord", record.offset, record.timestamp,
                       shown(record.key_size), shown(record.value_size));
  }

  bool refuse_for_record_errors() {
    if (has_timestamp_error_) {
      verdict_.error_message = "One or more records have been rejected due to invalid timestamp";
      return refuse(ErrorCode::invalid_timestamp, *verdict_.error_message);
    }
    std::string shown;
    const std::size_t count = std::min(verdict_.record_errors.size(), errors_shown_in_message);
    for (std::size_t i = 0; i < count; ++i) {
      const BatchRecordError& error = verdict_.record_errors[i];
      shown += fmt::format("{}RecordError(batchIndex={}, message='{}')", i == 0 ? "" : ", ", error.batch_index,
                           error.message);
    }
    verdict_.error_message = fmt::format(
        "One or more records have been rejected due to {} record errors in total, and only showing the first three "
        "errors at most: [{}]",
        error_count_, shown);
    return refuse(ErrorCode::invalid_record, *verdict_.error_message);
  }

  bool accept() {
    if (policy_.timestamp_type == TimestampType::log_append_time) {
      max_timestamp_ = input_.now_ms;
      verdict_.log_append_time = input_.now_ms;
    }
    verdict_.max_timestamp = max_timestamp_;
    const bool in_place = source_ == codec::Compression::none && target_ == codec::Compression::none;
    if (!keeps_payload()) return rebuild();
    // Kafka means to rebuild such a batch, but has not kept its keys and values, and throws.
    if (!in_place && !consecutive_) {
      return refuse(ErrorCode::unknown_server_error, "inner offsets of a compressed batch are not consecutive");
    }
    MutableRecordBatch(verdict_.batch).set_max_timestamp(policy_.timestamp_type, max_timestamp_);
    return true;
  }

  bool rebuild() {
    RebuildOptions options;
    options.compression = target_;
    options.compression_level = policy_.compression_level;
    options.timestamp_type = policy_.timestamp_type;
    options.max_timestamp = max_timestamp_;
    options.size_bytes_max = static_cast<std::size_t>(std::max(policy_.max_message_bytes, 0));
    switch (rebuild_batch(verdict_.view(), options, verdict_.rebuilt)) {
      case RebuildOutcome::done:
        break;
      case RebuildOutcome::too_large:
        verdict_.rebuilt = {};
        return refuse_known(ErrorCode::message_too_large, "the recompressed batch is larger than max.message.bytes");
      case RebuildOutcome::refused:
        verdict_.rebuilt = {};
        return refuse(ErrorCode::unknown_server_error, "the batch cannot be rebuilt");
    }
    verdict_.batch = verdict_.rebuilt;
    return true;
  }

  const BatchInput& input_;
  const BatchPolicy& policy_;
  const ValidationBounds& bounds_;
  BatchVerdict verdict_;
  codec::Compression source_ = codec::Compression::none;
  codec::Compression target_ = codec::Compression::none;
  bool partial_ = false;
  bool consecutive_ = true;
  bool has_timestamp_error_ = false;
  std::size_t error_count_ = 0;
  std::int64_t max_timestamp_ = protocol::no_timestamp;
};

}  // namespace

BatchVerdict validate_batch(const BatchInput& input, const BatchPolicy& policy, const ValidationBounds& bounds) {
  return Validation(input, policy, bounds).run();
}

std::int64_t stamp_batch(codec::MutableBytes batch, std::int64_t next_offset, std::int32_t leader_epoch) {
  MutableRecordBatch stamped(batch);
  const std::int64_t end = next_offset + stamped.record_count();
  stamped.set_last_offset(end - 1);
  stamped.set_partition_leader_epoch(leader_epoch);
  return end;
}

}  // namespace dohle::log
