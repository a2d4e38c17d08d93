#include "server/config/effective_config.h"

#include <algorithm>
#include <limits>

#include "server/config/broker_rules.h"
#include "server/config/java_numbers.h"
#include "server/config/listeners.h"
#include "server/config/validators.h"

namespace dohle::config {
namespace {

std::unexpected<ValueError> failed(std::string message) {
  return std::unexpected(ValueError{std::move(message)});
}

void lay_over(ConfigMap& configs, const ConfigMap& above) {
  for (const auto& [name, text] : above) {
    // Synonyms by listener prefix stay: other listeners may use the base key.
    if (!without_listener_prefix(name)) {
      for (const std::string& synonym : broker_config_synonyms(name)) configs.erase(synonym);
    }
    configs[name] = text;
  }
}

void populate_synonyms(ConfigMap& configs) {
  auto broker_id = configs.find("broker.id");
  auto node_id = configs.find("node.id");
  if (broker_id == configs.end() && node_id != configs.end()) {
    configs["broker.id"] = node_id->second;
  } else if (broker_id != configs.end() && node_id == configs.end()) {
    configs["node.id"] = broker_id->second;
  }
}

Parsed<void> fill_quorum(BrokerConfig& config) {
  for (const std::string& entry : config.values.get_list("controller.quorum.voters")) {
    auto voter = parse_voter(entry);
    if (!voter) return std::unexpected(voter.error());
    config.quorum_voters.push_back({voter->node_id, {voter->address.host, voter->address.port}});
  }
  for (const std::string& entry : config.values.get_list("controller.quorum.bootstrap.servers")) {
    auto server = parse_bootstrap_server(entry);
    if (!server) return std::unexpected(server.error());
    config.quorum_bootstrap_servers.push_back({server->host, server->port});
  }
  return {};
}

Parsed<void> fill_connection_overrides(BrokerConfig& config) {
  constexpr std::string_view name = "max.connections.per.ip.overrides";
  auto texts = parse_csv_map(name, config.values.get_string(name));
  if (!texts) return std::unexpected(texts.error());
  for (const auto& [host, text] : *texts) {
    auto limit =
        parse_java_integer(text, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
    if (!limit) return failed("For input string: \"" + text + "\"");
    config.max_connections_per_ip_overrides[host] = static_cast<std::int32_t>(*limit);
  }
  return {};
}

void fill_identity(BrokerConfig& config) {
  const ConfigValues& values = config.values;
  config.node_id = values.get_int("node.id");
  StringList roles = values.get_list("process.roles");
  config.is_broker = std::find(roles.begin(), roles.end(), "broker") != roles.end();
  config.is_controller = std::find(roles.begin(), roles.end(), "controller") != roles.end();
  if (!values.is_null("broker.rack")) config.rack = values.get_string("broker.rack");
  config.log_dirs = values.get_list(values.is_null("log.dirs") ? "log.dir" : "log.dirs");
  if (!values.is_null("metadata.log.dir")) {
    config.metadata_log_dir = values.get_string("metadata.log.dir");
  } else if (!config.log_dirs.empty()) {
    config.metadata_log_dir = config.log_dirs.front();
  }
}

template <typename Number>
struct Field {
  std::string_view name;
  Number BrokerConfig::* field;
};

constexpr Field<std::int32_t> int_fields[] = {
    {"num.network.threads", &BrokerConfig::num_network_threads},
    {"num.io.threads", &BrokerConfig::num_io_threads},
    {"background.threads", &BrokerConfig::background_threads},
    {"socket.send.buffer.bytes", &BrokerConfig::socket_send_buffer_bytes},
    {"socket.receive.buffer.bytes", &BrokerConfig::socket_receive_buffer_bytes},
    {"socket.request.max.bytes", &BrokerConfig::socket_request_max_bytes},
    {"socket.listen.backlog.size", &BrokerConfig::socket_listen_backlog_size},
    {"queued.max.requests", &BrokerConfig::queued_max_requests},
    {"max.connections", &BrokerConfig::max_connections},
    {"max.connections.per.ip", &BrokerConfig::max_connections_per_ip},
    {"max.connection.creation.rate", &BrokerConfig::max_connection_creation_rate},
    {"request.timeout.ms", &BrokerConfig::request_timeout_ms},
    {"num.partitions", &BrokerConfig::num_partitions},
    {"default.replication.factor", &BrokerConfig::default_replication_factor},
    {"message.max.bytes", &BrokerConfig::message_max_bytes},
    {"min.insync.replicas", &BrokerConfig::min_insync_replicas},
    {"num.recovery.threads.per.data.dir", &BrokerConfig::num_recovery_threads_per_data_dir},
    {"log.flush.offset.checkpoint.interval.ms", &BrokerConfig::log_flush_offset_checkpoint_interval_ms},
    {"log.flush.start.offset.checkpoint.interval.ms", &BrokerConfig::log_flush_start_offset_checkpoint_interval_ms},
    {"fetch.max.bytes", &BrokerConfig::fetch_max_bytes},
    {"max.incremental.fetch.session.cache.slots", &BrokerConfig::max_incremental_fetch_session_cache_slots},
    {"max.request.partition.size.limit", &BrokerConfig::max_request_partition_size_limit},
    {"log.cleaner.threads", &BrokerConfig::log_cleaner_threads},
    {"producer.id.expiration.ms", &BrokerConfig::producer_id_expiration_ms},
    {"producer.id.expiration.check.interval.ms", &BrokerConfig::producer_id_expiration_check_interval_ms},
    {"transaction.max.timeout.ms", &BrokerConfig::transaction_max_timeout_ms},
    {"transactional.id.expiration.ms", &BrokerConfig::transactional_id_expiration_ms},
    {"transaction.state.log.num.partitions", &BrokerConfig::transaction_state_log_num_partitions},
    {"transaction.state.log.min.isr", &BrokerConfig::transaction_state_log_min_isr},
    {"transaction.state.log.segment.bytes", &BrokerConfig::transaction_state_log_segment_bytes},
    {"offsets.topic.num.partitions", &BrokerConfig::offsets_topic_num_partitions},
    {"offsets.topic.segment.bytes", &BrokerConfig::offsets_topic_segment_bytes},
    {"offsets.topic.compression.codec", &BrokerConfig::offsets_topic_compression_codec},
    {"offsets.retention.minutes", &BrokerConfig::offsets_retention_minutes},
    {"offset.metadata.max.bytes", &BrokerConfig::offset_metadata_max_bytes},
    {"offsets.commit.timeout.ms", &BrokerConfig::offsets_commit_timeout_ms},
    {"group.min.session.timeout.ms", &BrokerConfig::group_min_session_timeout_ms},
    {"group.max.session.timeout.ms", &BrokerConfig::group_max_session_timeout_ms},
    {"group.initial.rebalance.delay.ms", &BrokerConfig::group_initial_rebalance_delay_ms},
    {"group.max.size", &BrokerConfig::group_max_size},
    {"metadata.log.segment.bytes", &BrokerConfig::metadata_log_segment_bytes},
    {"metadata.max.idle.interval.ms", &BrokerConfig::metadata_max_idle_interval_ms},
    {"broker.heartbeat.interval.ms", &BrokerConfig::broker_heartbeat_interval_ms},
    {"broker.session.timeout.ms", &BrokerConfig::broker_session_timeout_ms},
};

constexpr Field<std::int64_t> long_fields[] = {
    {"queued.max.request.bytes", &BrokerConfig::queued_max_request_bytes},
    {"connections.max.idle.ms", &BrokerConfig::connections_max_idle_ms},
    {"log.retention.check.interval.ms", &BrokerConfig::log_retention_check_interval_ms},
    {"log.flush.scheduler.interval.ms", &BrokerConfig::log_flush_scheduler_interval_ms},
    {"log.initial.task.delay.ms", &BrokerConfig::log_initial_task_delay_ms},
    {"replica.high.watermark.checkpoint.interval.ms", &BrokerConfig::replica_high_watermark_checkpoint_interval_ms},
    {"replica.lag.time.max.ms", &BrokerConfig::replica_lag_time_max_ms},
    {"offsets.retention.check.interval.ms", &BrokerConfig::offsets_retention_check_interval_ms},
    {"metadata.log.segment.ms", &BrokerConfig::metadata_log_segment_ms},
    {"metadata.max.retention.bytes", &BrokerConfig::metadata_max_retention_bytes},
    {"metadata.max.retention.ms", &BrokerConfig::metadata_max_retention_ms},
    {"metadata.log.max.record.bytes.between.snapshots", &BrokerConfig::metadata_log_max_record_bytes_between_snapshots},
    {"metadata.log.max.snapshot.interval.ms", &BrokerConfig::metadata_log_max_snapshot_interval_ms},
};

void fill_numbers(BrokerConfig& config) {
  for (const auto& [name, field] : int_fields) config.*field = config.values.get_int(name);
  for (const auto& [name, field] : long_fields) config.*field = config.values.get_long(name);
  auto short_value = [&](std::string_view name) { return static_cast<std::int16_t>(config.values.get_int(name)); };
  config.transaction_state_log_replication_factor = short_value("transaction.state.log.replication.factor");
  config.offsets_topic_replication_factor = short_value("offsets.topic.replication.factor");
  config.auto_create_topics_enable = config.values.get_bool("auto.create.topics.enable");
  config.delete_topic_enable = config.values.get_bool("delete.topic.enable");
  // This one is for tests, and stands over the public key as KafkaRaftLog has it.
  if (!config.values.is_null("internal.metadata.log.segment.bytes")) {
    config.metadata_log_segment_bytes = config.values.get_int("internal.metadata.log.segment.bytes");
  }
}

// SslConfigs.RECONFIGURABLE_CONFIGS.
constexpr std::string_view prefixed_security_keys[] = {"ssl.key.password",
                                                       "ssl.keystore.certificate.chain",
                                                       "ssl.keystore.key",
                                                       "ssl.keystore.location",
                                                       "ssl.keystore.password",
                                                       "ssl.keystore.type",
                                                       "ssl.truststore.certificates",
                                                       "ssl.truststore.location",
                                                       "ssl.truststore.password",
                                                       "ssl.truststore.type"};

void clamp_assignment_intervals(ConfigMap& configs) {
  auto number = [&](const std::string& name) -> std::optional<std::int64_t> {
    auto text = configs.find(name);
    auto value = parse_value(*find_key(Scope::broker, name), text == configs.end()
                                                                 ? std::optional<std::string_view>()
                                                                 : std::optional<std::string_view>(text->second));
    if (!value) return std::nullopt;
    return std::get<std::int64_t>(*value);
  };
  for (std::string_view kind : {"consumer", "share", "streams"}) {
    std::string prefix = "group." + std::string(kind);
    auto given = number(prefix + ".assignment.interval.ms");
    auto low = number(prefix + ".min.assignment.interval.ms");
    auto high = number(prefix + ".max.assignment.interval.ms");
    if (!given || !low || !high || (*given >= *low && *given <= *high)) continue;
    configs[prefix + ".assignment.interval.ms"] = std::to_string(*given < *low ? *low : *high);
  }
}

}  // namespace

bool needs_listener_prefix(std::string_view name) {
  return std::find(std::begin(prefixed_security_keys), std::end(prefixed_security_keys), name) !=
         std::end(prefixed_security_keys);
}

bool is_per_broker(std::string_view name) {
  const ConfigKey* key = find_key(Scope::broker, name);
  if (key != nullptr && key->update_mode == UpdateMode::per_broker) return true;
  auto base = without_listener_prefix(name);
  return base && *base != "max.connections" && *base != "max.connection.creation.rate" &&
         *base != "num.network.threads";
}

std::optional<std::string> dynamic_config_problem(const std::string& name, const std::string& text, bool per_broker) {
  const ConfigKey* own = find_key(Scope::broker, name);
  if (own != nullptr && own->update_mode == UpdateMode::read_only) return "it cannot be changed while the broker runs";
  if (needs_listener_prefix(name)) return "it needs the prefix of a listener";
  if (!per_broker && is_per_broker(name)) return "it must be set for a single broker";
  const ConfigKey* key = find_broker_key(name);
  if (key == nullptr) return std::nullopt;
  auto value = parse_value(*key, text);
  return value ? std::nullopt : std::optional<std::string>(value.error().message);
}

Parsed<BrokerConfig> make_effective_config(const ConfigMap& static_configs, const ConfigMap& dynamic_defaults,
                                           const ConfigMap& dynamic_broker, OutOfBounds out_of_bounds,
                                           std::vector<std::string>& warnings) {
  BrokerConfig config;
  config.static_configs = static_configs;
  populate_synonyms(config.static_configs);
  config.dynamic_default_configs = dynamic_defaults;
  config.dynamic_broker_configs = dynamic_broker;
  ConfigMap merged = config.static_configs;
  lay_over(merged, dynamic_defaults);
  lay_over(merged, dynamic_broker);
  if (out_of_bounds == OutOfBounds::clamped) clamp_assignment_intervals(merged);
  auto values = ConfigValues::parse(Scope::broker, std::move(merged));
  if (!values) return std::unexpected(values.error());
  config.values = std::move(*values);
  if (auto checked = check_group_rules(config.values); !checked) return std::unexpected(checked.error());
  fill_identity(config);
  fill_numbers(config);
  if (auto filled = fill_quorum(config); !filled) return std::unexpected(filled.error());
  if (auto filled = fill_listeners(config); !filled) return std::unexpected(filled.error());
  if (auto filled = fill_connection_overrides(config); !filled) return std::unexpected(filled.error());
  if (auto checked = check_broker_rules(config, warnings); !checked) return std::unexpected(checked.error());
  return config;
}

}  // namespace dohle::config
