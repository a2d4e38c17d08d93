#include "server/config/log_config.h"

#include <algorithm>

#include "server/config/broker_config.h"

namespace dohle::config {
namespace {

CompressionType compression_named(std::string_view name) {
  constexpr std::string_view names[] = {"producer", "uncompressed", "gzip", "snappy", "lz4", "zstd"};
  auto found = std::find(std::begin(names), std::end(names), name);
  return found == std::end(names) ? CompressionType::producer : static_cast<CompressionType>(found - std::begin(names));
}

template <typename Number>
struct Field {
  std::string_view name;
  Number LogConfig::* field;
};

constexpr Field<std::int32_t> int_fields[] = {
    {"segment.bytes", &LogConfig::segment_bytes},
    {"segment.index.bytes", &LogConfig::segment_index_bytes},
    {"max.message.bytes", &LogConfig::max_message_bytes},
    {"max.decompressed.message.bytes", &LogConfig::max_decompressed_message_bytes},
    {"index.interval.bytes", &LogConfig::index_interval_bytes},
    {"min.insync.replicas", &LogConfig::min_insync_replicas},
    {"compression.gzip.level", &LogConfig::compression_gzip_level},
    {"compression.lz4.level", &LogConfig::compression_lz4_level},
    {"compression.zstd.level", &LogConfig::compression_zstd_level},
};

constexpr Field<std::int64_t> long_fields[] = {
    {"segment.ms", &LogConfig::segment_ms},
    {"segment.jitter.ms", &LogConfig::segment_jitter_ms},
    {"flush.messages", &LogConfig::flush_messages},
    {"flush.ms", &LogConfig::flush_ms},
    {"retention.bytes", &LogConfig::retention_bytes},
    {"retention.ms", &LogConfig::retention_ms},
    {"delete.retention.ms", &LogConfig::delete_retention_ms},
    {"min.compaction.lag.ms", &LogConfig::min_compaction_lag_ms},
    {"max.compaction.lag.ms", &LogConfig::max_compaction_lag_ms},
    {"file.delete.delay.ms", &LogConfig::file_delete_delay_ms},
    {"message.timestamp.before.max.ms", &LogConfig::message_timestamp_before_max_ms},
    {"message.timestamp.after.max.ms", &LogConfig::message_timestamp_after_max_ms},
    {"local.retention.ms", &LogConfig::local_retention_ms},
    {"local.retention.bytes", &LogConfig::local_retention_bytes},
    {"remote.copy.lag.ms", &LogConfig::remote_copy_lag_ms},
    {"remote.copy.lag.bytes", &LogConfig::remote_copy_lag_bytes},
};

constexpr Field<bool> bool_fields[] = {
    {"unclean.leader.election.enable", &LogConfig::unclean_leader_election_enable},
    {"preallocate", &LogConfig::preallocate},
    {"remote.storage.enable", &LogConfig::remote_storage_enable},
    {"remote.log.copy.disable", &LogConfig::remote_log_copy_disable},
    {"remote.log.delete.on.disable", &LogConfig::remote_log_delete_on_disable},
    {"errors.deadletterqueue.group.enable", &LogConfig::errors_deadletterqueue_group_enable},
};

std::string default_of(const BrokerConfig& broker, const ConfigKey& key, const std::vector<BrokerSynonym>& synonyms) {
  for (const BrokerSynonym& synonym : synonyms) {
    const Value* value = broker.values.find(synonym.name);
    if (value == nullptr || std::holds_alternative<std::monostate>(*value)) continue;
    if (auto* number = std::get_if<std::int64_t>(value)) {
      std::int64_t scaled = *number * synonym.factor;
      // Any negative retention of the broker means no limit.
      if (key.name == "retention.ms" && scaled < 0) scaled = -1;
      return std::to_string(scaled);
    }
    return to_text(*value, key.type).value_or("");
  }
  return "";
}

}  // namespace

std::int64_t LogConfig::max_segment_ms() const {
  if (cleanup_policy_compact && max_compaction_lag_ms > 0) return std::min(max_compaction_lag_ms, segment_ms);
  return segment_ms;
}

ConfigMap topic_defaults(const BrokerConfig& broker) {
  ConfigMap defaults;
  for (const ConfigKey& key : keys_of(Scope::topic)) {
    std::vector<BrokerSynonym> synonyms = broker_synonyms_of(key);
    if (!synonyms.empty()) defaults[std::string(key.name)] = default_of(broker, key, synonyms);
  }
  return defaults;
}

Parsed<LogConfig> make_log_config(const BrokerConfig& broker, const ConfigMap& overrides) {
  ConfigMap texts = topic_defaults(broker);
  for (const auto& [name, text] : overrides) texts[name] = text;
  auto parsed = ConfigValues::parse(Scope::topic, std::move(texts));
  if (!parsed) return std::unexpected(parsed.error());
  const ConfigValues& values = *parsed;
  LogConfig config;
  for (const auto& [name, field] : int_fields) config.*field = values.get_int(name);
  for (const auto& [name, field] : long_fields) config.*field = values.get_long(name);
  for (const auto& [name, field] : bool_fields) config.*field = values.get_bool(name);
  if (!values.is_null("internal.segment.bytes")) config.segment_bytes = values.get_int("internal.segment.bytes");
  config.min_cleanable_dirty_ratio = values.get_double("min.cleanable.dirty.ratio");
  StringList policy = values.get_list("cleanup.policy");
  config.cleanup_policy_compact = std::find(policy.begin(), policy.end(), "compact") != policy.end();
  config.cleanup_policy_delete = std::find(policy.begin(), policy.end(), "delete") != policy.end();
  config.compression_type = compression_named(values.get_string("compression.type"));
  config.message_timestamp_type = values.get_string("message.timestamp.type") == "LogAppendTime"
                                      ? TimestampType::log_append_time
                                      : TimestampType::create_time;
  config.leader_replication_throttled_replicas = values.get_list("leader.replication.throttled.replicas");
  config.follower_replication_throttled_replicas = values.get_list("follower.replication.throttled.replicas");
  return config;
}

}  // namespace dohle::config
