// The settings of one partition's log, resolved: topic override, else broker value, else Kafka's default.
// Names and defaults follow Kafka's org.apache.kafka.storage.internals.log.LogConfig.
#pragma once

#include <cstdint>
#include <limits>

namespace dohle::log {

enum class TimestampType : std::uint8_t { create_time, log_append_time };

struct LogConfig {
  std::int32_t segment_bytes = 1073741824;                                 // segment.bytes
  std::int64_t segment_ms = 604800000;                                     // segment.ms
  std::int64_t segment_jitter_ms = 0;                                      // segment.jitter.ms
  std::int32_t segment_index_bytes = 10485760;                             // segment.index.bytes
  std::int32_t index_interval_bytes = 4096;                                // index.interval.bytes
  std::int64_t flush_messages = std::numeric_limits<std::int64_t>::max();  // flush.messages
  std::int64_t flush_ms = std::numeric_limits<std::int64_t>::max();        // flush.ms
  std::int64_t retention_ms = 604800000;                                   // retention.ms; -1 keeps for ever
  std::int64_t retention_bytes = -1;                                       // retention.bytes; -1 keeps everything
  std::int64_t file_delete_delay_ms = 60000;                               // file.delete.delay.ms
  std::int32_t max_message_bytes = 1048588;                                // max.message.bytes
  bool cleanup_delete = true;                                              // cleanup.policy contains delete
  bool cleanup_compact = false;                                            // cleanup.policy contains compact
  bool preallocate = false;                                                // preallocate
  TimestampType timestamp_type = TimestampType::create_time;               // message.timestamp.type
  std::int64_t timestamp_before_max_ms = std::numeric_limits<std::int64_t>::max();  // message.timestamp.before.max.ms
  std::int64_t timestamp_after_max_ms = 3600000;                                    // message.timestamp.after.max.ms
};

/// Broker-wide settings of the idempotent producers' state.
struct ProducerStateConfig {
  std::int64_t producer_id_expiration_ms = 86400000;  // producer.id.expiration.ms
  bool transaction_verification = true;               // transaction.partition.verification.enable
  std::int32_t max_transaction_timeout_ms = 900000;   // transaction.max.timeout.ms
};

}  // namespace dohle::log
