// The configuration of one topic's logs, typed: broker values with the topic's overrides laid over them.
// Follows org.apache.kafka.storage.internals.log.LogConfig; fields are named after the topic keys.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "server/config/config_value.h"

namespace dohle::config {

struct BrokerConfig;

enum class CompressionType : std::uint8_t { producer, uncompressed, gzip, snappy, lz4, zstd };
enum class TimestampType : std::uint8_t { create_time = 0, log_append_time = 1 };

/// The initial values are Kafka's defaults.
struct LogConfig {
  /// Also what internal.segment.bytes says, where it is set.
  std::int32_t segment_bytes = 1 << 30;
  std::int64_t segment_ms = 604'800'000;
  std::int64_t segment_jitter_ms = 0;
  std::int32_t segment_index_bytes = 10 << 20;
  std::int64_t flush_messages = std::numeric_limits<std::int64_t>::max();
  std::int64_t flush_ms = std::numeric_limits<std::int64_t>::max();
  /// -1: no limit.
  std::int64_t retention_bytes = -1;
  /// -1: no limit.
  std::int64_t retention_ms = 604'800'000;
  std::int32_t max_message_bytes = 1'048'588;
  std::int32_t max_decompressed_message_bytes = 2'147'483'639;
  std::int32_t index_interval_bytes = 4096;
  std::int64_t delete_retention_ms = 86'400'000;
  std::int64_t min_compaction_lag_ms = 0;
  std::int64_t max_compaction_lag_ms = std::numeric_limits<std::int64_t>::max();
  std::int64_t file_delete_delay_ms = 60'000;
  double min_cleanable_dirty_ratio = 0.5;
  /// cleanup.policy is a set; neither (KIP-1139: an empty list) keeps everything for ever.
  bool cleanup_policy_compact = false;
  bool cleanup_policy_delete = true;
  bool unclean_leader_election_enable = false;
  std::int32_t min_insync_replicas = 1;
  CompressionType compression_type = CompressionType::producer;
  std::int32_t compression_gzip_level = -1;
  std::int32_t compression_lz4_level = 9;
  std::int32_t compression_zstd_level = 3;
  bool preallocate = false;
  TimestampType message_timestamp_type = TimestampType::create_time;
  std::int64_t message_timestamp_before_max_ms = std::numeric_limits<std::int64_t>::max();
  std::int64_t message_timestamp_after_max_ms = 3'600'000;
  std::vector<std::string> leader_replication_throttled_replicas;
  std::vector<std::string> follower_replication_throttled_replicas;
  bool remote_storage_enable = false;
  /// -2: as retention_ms; see local_retention_ms_effective().
  std::int64_t local_retention_ms = -2;
  std::int64_t local_retention_bytes = -2;
  bool remote_log_copy_disable = false;
  std::int64_t remote_copy_lag_ms = 0;
  std::int64_t remote_copy_lag_bytes = -1;
  bool remote_log_delete_on_disable = false;
  bool errors_deadletterqueue_group_enable = false;

  /// A compacted log rolls early enough that max.compaction.lag.ms can be kept (LogConfig.maxSegmentMs).
  std::int64_t max_segment_ms() const;
  std::int64_t local_retention_ms_effective() const {
    return local_retention_ms == -2 ? retention_ms : local_retention_ms;
  }
  std::int64_t local_retention_bytes_effective() const {
    return local_retention_bytes == -2 ? retention_bytes : local_retention_bytes;
  }

  bool operator==(const LogConfig&) const = default;
};

/// What the broker's own keys say for every topic key that has a synonym, as texts (KafkaConfig.extractLogConfigMap).
ConfigMap topic_defaults(const BrokerConfig& broker);

/// The defaults with `overrides` (the topic's configs in the metadata image) laid over them. A bad override,
/// which validation would not have let in, is the error; unknown names are passed over.
Parsed<LogConfig> make_log_config(const BrokerConfig& broker, const ConfigMap& overrides);

}  // namespace dohle::config
