// The broker's configuration, typed and validated, as kafka.server.KafkaConfig gives it to the rest of the server.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/config/config_value.h"
#include "server/runtime/result.h"

namespace dohle::config {

/// The numbers are Kafka's SecurityProtocol ids.
enum class SecurityProtocol : std::int16_t { plaintext = 0, ssl = 1, sasl_plaintext = 2, sasl_ssl = 3 };
std::string_view to_string(SecurityProtocol protocol);

struct Listener {
  /// In capitals, as Kafka normalises it: "PLAINTEXT".
  std::string name;
  SecurityProtocol security_protocol = SecurityProtocol::plaintext;
  /// Empty: every address, IPv6 and IPv4. An IPv6 address has no brackets.
  std::string host;
  /// 0: any free one.
  std::int32_t port = 0;

  bool operator==(const Listener&) const = default;
};

struct HostAndPort {
  std::string host;
  std::int32_t port = 0;
  bool operator==(const HostAndPort&) const = default;
};

struct QuorumVoter {
  std::int32_t node_id = 0;
  HostAndPort address;
  bool operator==(const QuorumVoter&) const = default;
};

/// Every key is in `values`; the fields are those that the code reads often, or that are made of several keys.
/// Immutable once made, and cheap enough to copy when a dynamic config changes.
struct BrokerConfig {
  ConfigValues values;
  /// The layers below `values`: what DescribeConfigs calls static (file and --override), dynamic for the cluster and
  /// dynamic for this broker. Texts as they were given.
  ConfigMap static_configs;
  ConfigMap dynamic_default_configs;
  ConfigMap dynamic_broker_configs;

  // Identity and quorum.
  std::int32_t node_id = -1;
  bool is_broker = false;
  bool is_controller = false;
  std::optional<std::string> rack;
  std::vector<QuorumVoter> quorum_voters;
  std::vector<HostAndPort> quorum_bootstrap_servers;

  // Listeners. `listeners` has the controller's among them.
  std::vector<Listener> listeners;
  std::vector<Listener> broker_listeners() const;
  std::vector<Listener> controller_listeners() const;
  /// What Metadata tells clients: advertised.listeners, or listeners; without the controller's.
  std::vector<Listener> advertised_broker_listeners;
  /// What the controller registers; an empty host stands for this machine's name.
  std::vector<Listener> advertised_controller_listeners;
  std::vector<std::string> controller_listener_names;
  std::map<std::string, SecurityProtocol> listener_security_protocols;
  std::string inter_broker_listener_name;
  SecurityProtocol inter_broker_security_protocol = SecurityProtocol::plaintext;

  // Directories.
  std::vector<std::string> log_dirs;
  std::string metadata_log_dir;

  // Network.
  std::int32_t num_network_threads = 3;
  std::int32_t num_io_threads = 8;
  std::int32_t background_threads = 10;
  std::int32_t socket_send_buffer_bytes = 102'400;
  std::int32_t socket_receive_buffer_bytes = 102'400;
  std::int32_t socket_request_max_bytes = 104'857'600;
  std::int32_t socket_listen_backlog_size = 50;
  std::int32_t queued_max_requests = 500;
  std::int64_t queued_max_request_bytes = -1;
  std::int32_t max_connections = 2'147'483'647;
  std::int32_t max_connections_per_ip = 2'147'483'647;
  std::map<std::string, std::int32_t> max_connections_per_ip_overrides;
  std::int32_t max_connection_creation_rate = 2'147'483'647;
  std::int64_t connections_max_idle_ms = 600'000;
  std::int32_t request_timeout_ms = 30'000;

  // Topics and logs. What a topic key can override is in LogConfig.
  std::int32_t num_partitions = 1;
  std::int32_t default_replication_factor = 1;
  bool auto_create_topics_enable = true;
  bool delete_topic_enable = true;
  std::int32_t message_max_bytes = 1'048'588;
  std::int32_t min_insync_replicas = 1;
  std::int32_t num_recovery_threads_per_data_dir = 2;
  std::int64_t log_retention_check_interval_ms = 300'000;
  std::int64_t log_flush_scheduler_interval_ms = 9'223'372'036'854'775'807;
  std::int32_t log_flush_offset_checkpoint_interval_ms = 60'000;
  std::int32_t log_flush_start_offset_checkpoint_interval_ms = 60'000;
  std::int64_t log_initial_task_delay_ms = 30'000;
  std::int64_t replica_high_watermark_checkpoint_interval_ms = 5'000;
  std::int64_t replica_lag_time_max_ms = 30'000;
  std::int32_t fetch_max_bytes = 57'671'680;
  std::int32_t max_incremental_fetch_session_cache_slots = 1'000;
  std::int32_t max_request_partition_size_limit = 2'000;
  std::int32_t log_cleaner_threads = 1;

  // Producers and transactions.
  std::int32_t producer_id_expiration_ms = 86'400'000;
  std::int32_t producer_id_expiration_check_interval_ms = 600'000;
  std::int32_t transaction_max_timeout_ms = 900'000;
  std::int32_t transactional_id_expiration_ms = 604'800'000;
  std::int32_t transaction_state_log_num_partitions = 50;
  std::int16_t transaction_state_log_replication_factor = 3;
  std::int32_t transaction_state_log_min_isr = 2;
  std::int32_t transaction_state_log_segment_bytes = 104'857'600;

  // Groups and their topic.
  std::int32_t offsets_topic_num_partitions = 50;
  std::int16_t offsets_topic_replication_factor = 3;
  std::int32_t offsets_topic_segment_bytes = 104'857'600;
  std::int32_t offsets_topic_compression_codec = 0;
  std::int32_t offsets_retention_minutes = 10'080;
  std::int64_t offsets_retention_check_interval_ms = 600'000;
  std::int32_t offset_metadata_max_bytes = 4'096;
  std::int32_t offsets_commit_timeout_ms = 5'000;
  std::int32_t group_min_session_timeout_ms = 6'000;
  std::int32_t group_max_session_timeout_ms = 1'800'000;
  std::int32_t group_initial_rebalance_delay_ms = 3'000;
  std::int32_t group_max_size = 2'147'483'647;

  // The metadata log.
  std::int32_t metadata_log_segment_bytes = 1 << 30;
  std::int64_t metadata_log_segment_ms = 604'800'000;
  std::int64_t metadata_max_retention_bytes = 104'857'600;
  std::int64_t metadata_max_retention_ms = 604'800'000;
  std::int64_t metadata_log_max_record_bytes_between_snapshots = 20'971'520;
  std::int64_t metadata_log_max_snapshot_interval_ms = 3'600'000;
  std::int32_t metadata_max_idle_interval_ms = 500;
  std::int32_t broker_heartbeat_interval_ms = 2'000;
  std::int32_t broker_session_timeout_ms = 9'000;
};

/// A configuration that can start, and what a user should know about it: one line each, for WARN.
struct LoadedConfig {
  BrokerConfig config;
  std::vector<std::string> warnings;
};

/// What holds without a file: the values of Kafka's own config/server.properties (combined mode, node 1, localhost),
/// with the data in ./data.
ConfigMap sample_properties();

/// Makes the configuration of the start-up from what file and overrides say. An impossible one is ErrorKind::invalid
/// with one clear line, Kafka's own where Kafka has one. Without process.roles it is combined mode, with node.id 1 and
/// a quorum of this node alone where those are not set either. Unknown keys are warnings, or errors with
/// config.unknown=error; keys whose Support is fatal are errors.
runtime::Result<LoadedConfig> load_broker_config(const ConfigMap& properties);

/// `config` with the dynamic configs of the metadata image laid over it: cluster default, then this broker's.
/// Values that cannot be read are left out, as Kafka does, and named in the warnings.
LoadedConfig with_dynamic_configs(const BrokerConfig& config, const ConfigMap& cluster_default,
                                  const ConfigMap& this_broker);

}  // namespace dohle::config
