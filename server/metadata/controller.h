// What KRaft's active controller decides, as a pure function: each operation takes an image and answers with the
// records to append and the response to send once they are committed. It changes nothing, does no I/O, knows no clock
// and no thread; one Controller may be shared by all who have an image, but records must be made from the newest image
// and committed before the next operation (QuorumNode::commit), by one thread: the controller's home.
//
// The checks, their order, the error codes and the texts are those of Kafka's QuorumController and of the parts of
// ControllerApis that are not authorization. Source: org.apache.kafka.controller.*ControlManager,
// PartitionChangeBuilder.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "protocol/messages/create_partitions.h"
#include "protocol/messages/create_topics.h"
#include "protocol/messages/delete_topics.h"
#include "server/metadata/controller_result.h"
#include "server/metadata/metadata_image.h"
#include "server/metadata/metadata_record.h"
#include "server/metadata/supported_features.h"

namespace dohle::metadata {

/// One line of what a topic's configuration comes to, for CreateTopics v5 and above.
struct EffectiveConfig {
  std::string name;
  std::optional<std::string> value;  // nullopt also when sensitive
  bool read_only = false;
  std::int8_t source = 5;  // DescribeConfigs' ConfigSource
  bool sensitive = false;
};

/// What the controller must know of configuration keys. Implemented over the table of keys; outlives the controller.
/// Source: org.apache.kafka.metadata.KafkaConfigSchema, ControllerConfigurationValidator.
class ConfigSchema {
 public:
  virtual ~ConfigSchema() = default;
  /// Whether APPEND and SUBTRACT make sense for the key (type LIST).
  virtual bool is_list(ConfigResourceType type, const std::string& key) const = 0;
  /// The value that holds when nothing was set dynamically: for a topic's key the one of server.properties or the
  /// built-in default.
  virtual std::optional<std::string> default_value(ConfigResourceType type, const std::string& key) const = 0;
  /// Whether `configs`, all that `resource` would have, are good; `existing` is what it has. An unknown key, a bad
  /// value and a bad resource name (for a broker: not a number) are refused here, with Kafka's code and text. An empty
  /// name for a broker means the cluster-wide default.
  virtual ApiError validate(const ConfigResource& resource, const ConfigMap& configs,
                            const ConfigMap& existing) const = 0;
  /// A topic's configuration given what it sets itself and what brokers set dynamically (cluster-wide, and node's own).
  virtual std::vector<EffectiveConfig> effective_topic_configs(const ConfigMap& topic, const ConfigMap& cluster_default,
                                                               const ConfigMap& broker) const = 0;
};

struct ControllerSettings {
  std::int32_t node_id = 1;
  std::int32_t default_partitions = 1;           // num.partitions
  std::int16_t default_replication_factor = 1;   // default.replication.factor
  std::int32_t default_min_insync_replicas = 1;  // min.insync.replicas of server.properties
  bool default_unclean_leader_election = false;  // unclean.leader.election.enable of server.properties
  bool delete_topic_enable = true;               // delete.topic.enable
  std::function<codec::Uuid()> new_id;           // of topics; empty: Uuid::random
  std::optional<std::uint64_t> placement_seed;   // of replicas; without: random
};

/// What a broker says of itself when it registers. Source: BrokerRegistrationRequest.
struct BrokerRegistrationRequest {
  std::int32_t broker_id = -1;
  std::string cluster_id;
  codec::Uuid incarnation_id;
  std::vector<Endpoint> endpoints;
  FeatureRanges features;
  std::optional<std::string> rack;
  std::vector<codec::Uuid> log_directories;
  std::vector<codec::Uuid> cordoned_log_directories;
  /// From `.kafka_cleanshutdown`; -1 if there was none: an unclean stop.
  std::int64_t previous_broker_epoch = -1;
};

struct PartitionResult {
  std::string topic;
  std::int32_t partition = 0;
  ApiError error;
  bool operator==(const PartitionResult&) const = default;
};

struct ProducerIdsBlock {
  std::int64_t first_producer_id = 0;
  std::int32_t size = 1000;
};

/// One feature of an UpdateFeatures request. Source: FeatureUpdate.UpgradeType.
struct FeatureUpdate {
  enum class Kind : std::int8_t { upgrade = 1, safe_downgrade = 2, unsafe_downgrade = 3 };
  std::string name;
  std::int16_t level = 0;
  Kind kind = Kind::upgrade;
};

struct PartitionReassignment {
  std::string topic;
  std::int32_t partition = 0;
  /// nullopt cancels the one that is under way.
  std::optional<std::vector<std::int32_t>> replicas;
};

struct OngoingReassignment {
  std::string topic;
  std::int32_t partition = 0;
  std::vector<std::int32_t> replicas;
  std::vector<std::int32_t> adding_replicas;
  std::vector<std::int32_t> removing_replicas;
};

/// One resource of AlterConfigs (ops are then all SET, and what is not named goes) or IncrementalAlterConfigs.
struct ConfigAlteration {
  enum class Op : std::int8_t { set = 0, remove = 1, append = 2, subtract = 3 };
  struct Entry {
    std::string name;
    Op op = Op::set;
    std::optional<std::string> value;
  };
  ConfigResource resource;
  std::vector<Entry> entries;
};

struct ConfigAlterationResult {
  ConfigResource resource;
  ApiError error;
};

class Controller {
 public:
  /// `schema` outlives the controller.
  Controller(ControllerSettings settings, const ConfigSchema& schema);

  // Topics. Without records for validate_only.
  ControllerResult<protocol::CreateTopicsResponse> create_topics(const MetadataImage& image,
                                                                 const protocol::CreateTopicsRequest& request) const;
  /// All versions: by name (v0 to v5), by name or id (v6).
  ControllerResult<protocol::DeleteTopicsResponse> delete_topics(const MetadataImage& image,
                                                                 const protocol::DeleteTopicsRequest& request,
                                                                 std::int16_t version) const;
  ControllerResult<protocol::CreatePartitionsResponse> create_partitions(
      const MetadataImage& image, const protocol::CreatePartitionsRequest& request) const;

  // Configurations; every resource by itself is all or nothing. The caller drops the records for validate_only.
  ControllerResult<std::vector<ConfigAlterationResult>> incremental_alter_configs(
      const MetadataImage& image, const std::vector<ConfigAlteration>& alterations) const;
  ControllerResult<std::vector<ConfigAlterationResult>> legacy_alter_configs(
      const MetadataImage& image, const std::vector<ConfigAlteration>& alterations) const;

  // Brokers. `next_offset` is where the first of the records will lie: it becomes the broker's epoch.
  ControllerResult<std::int64_t> register_broker(const MetadataImage& image, const BrokerRegistrationRequest& request,
                                                 std::int64_t next_offset, const std::string& cluster_id) const;
  /// KIP-1066: what the broker says with its heartbeats, once it has caught up. No records if it is known.
  ControllerResult<std::monostate> set_cordoned_directories(const MetadataImage& image, std::int32_t broker_id,
                                                            const std::vector<codec::Uuid>& cordoned) const;
  ControllerResult<std::monostate> unfence_broker(const MetadataImage& image, std::int32_t broker_id) const;
  ControllerResult<std::monostate> fence_broker(const MetadataImage& image, std::int32_t broker_id) const;
  /// KIP-841: takes the broker out of ISRs and leaderships before it stops.
  ControllerResult<std::monostate> begin_controlled_shutdown(const MetadataImage& image, std::int32_t broker_id) const;
  /// The directories of `offline` are taken from the broker's registration, and their replicas from ISRs.
  ControllerResult<std::monostate> directories_offline(const MetadataImage& image, std::int32_t broker_id,
                                                       const std::vector<codec::Uuid>& offline) const;
  ControllerResult<std::monostate> unregister_broker(const MetadataImage& image, std::int32_t broker_id) const;

  /// The next 1000 ids, for a broker that is registered with `broker_epoch`; STALE_BROKER_EPOCH otherwise.
  ControllerResult<ProducerIdsBlock> allocate_producer_ids(const MetadataImage& image, std::int32_t broker_id,
                                                           std::int64_t broker_epoch) const;

  /// One error for all of them, in `error`, as v2 answers it; v0 and v1 repeat the success per feature. The caller
  /// drops the records for validate_only. `kraft_version` is QuorumNode::kraft_version(); to raise it is refused for
  /// now.
  ControllerResult<std::monostate> update_features(const MetadataImage& image, std::int16_t kraft_version,
                                                   const std::vector<FeatureUpdate>& updates) const;

  /// `partitions` of nullopt means all. `election_type`: 0 preferred, 1 unclean.
  ControllerResult<std::vector<PartitionResult>> elect_leaders(
      const MetadataImage& image, std::int8_t election_type,
      const std::optional<std::vector<std::pair<std::string, std::int32_t>>>& partitions) const;
  ControllerResult<std::vector<PartitionResult>> alter_partition_reassignments(
      const MetadataImage& image, const std::vector<PartitionReassignment>& reassignments,
      bool allow_replication_factor_change) const;
  /// `partitions` of nullopt means all that are under way.
  std::vector<OngoingReassignment> list_partition_reassignments(
      const MetadataImage& image,
      const std::optional<std::vector<std::pair<std::string, std::int32_t>>>& partitions) const;

  const ControllerSettings& settings() const { return settings_; }

 private:
  ControllerSettings settings_;
  const ConfigSchema* schema_;
};

}  // namespace dohle::metadata
