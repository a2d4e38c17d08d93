// The cluster's metadata at one offset of `__cluster_metadata-0`: what a broker reads. An image never changes; the next
// one shares whatever did not change with the former (topics lie in buckets, so that one topic's change copies one
// bucket and that topic). It is built by MetadataDelta alone. Any thread may read an image that it holds.
// Source: org.apache.kafka.image.MetadataImage.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/bytes.h"
#include "codec/uuid.h"
#include "server/config/config_value.h"

namespace dohle::metadata {

inline constexpr std::int32_t no_leader = -1;

/// Reserved directory ids (org.apache.kafka.common.DirectoryId): no known directory, no directory yet, one that failed.
inline constexpr codec::Uuid directory_migrating = codec::Uuid::reserved(0);
inline constexpr codec::Uuid directory_unassigned = codec::Uuid::reserved(1);
inline constexpr codec::Uuid directory_lost = codec::Uuid::reserved(2);
/// One of the first hundred numbers, which no real directory has.
bool is_reserved_directory(const codec::Uuid& id);

enum class LeaderRecoveryState : std::int8_t {
  recovered = 0,
  recovering = 1,  // elected uncleanly, and has not said yet that it recovered
};

/// One partition as the controller knows it. `directories[i]` is where `replicas[i]` keeps it.
struct PartitionRegistration {
  std::vector<std::int32_t> replicas;
  std::vector<codec::Uuid> directories;
  std::vector<std::int32_t> isr;
  std::vector<std::int32_t> removing_replicas;
  std::vector<std::int32_t> adding_replicas;
  std::vector<std::int32_t> elr;             // eligible leader replicas, KIP-966
  std::vector<std::int32_t> last_known_elr;  // with one member: the last leader
  std::int32_t leader = no_leader;
  LeaderRecoveryState leader_recovery_state = LeaderRecoveryState::recovered;
  std::int32_t leader_epoch = 0;
  std::int32_t partition_epoch = 0;

  bool has_leader() const { return leader != no_leader; }
  std::int32_t preferred_replica() const { return replicas.empty() ? no_leader : replicas.front(); }
  bool is_reassigning() const { return !removing_replicas.empty() || !adding_replicas.empty(); }
  /// Where `broker_id` keeps its replica; MIGRATING if it has none.
  codec::Uuid directory_of(std::int32_t broker_id) const;
  bool has_replica(std::int32_t broker_id) const;
  bool operator==(const PartitionRegistration&) const = default;
};

struct TopicImage {
  std::string name;
  codec::Uuid id;
  std::map<std::int32_t, PartitionRegistration> partitions;

  /// nullptr if there is no such partition.
  const PartitionRegistration* partition(std::int32_t index) const;
  bool operator==(const TopicImage&) const = default;
};

using TopicPointer = std::shared_ptr<const TopicImage>;

/// All topics, by name and by id.
class TopicsImage {
 public:
  /// nullptr if there is none; valid for as long as the image.
  const TopicImage* find(std::string_view name) const;
  const TopicImage* find(const codec::Uuid& id) const;
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// In no particular order, the same one each time.
  void for_each(const std::function<void(const TopicImage&)>& visit) const;
  /// Sorted by name: for answers that people read.
  std::vector<TopicPointer> sorted_by_name() const;

  // For MetadataDelta only: what comes out shares everything but the bucket.
  void put(TopicPointer topic);
  void remove(const codec::Uuid& id);

 private:
  static constexpr std::size_t bucket_count = 256;
  using ById = std::map<codec::Uuid, TopicPointer>;
  using ByName = std::map<std::string, TopicPointer, std::less<>>;
  std::array<std::shared_ptr<const ById>, bucket_count> by_id_{};
  std::array<std::shared_ptr<const ByName>, bucket_count> by_name_{};
  std::size_t size_ = 0;
};

/// A listener as registered. `security_protocol` is Kafka's id: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL.
struct Endpoint {
  std::string name;
  std::string host;
  std::uint16_t port = 0;
  std::int16_t security_protocol = 0;
  bool operator==(const Endpoint&) const = default;
};

struct VersionRange {
  std::int16_t min = 0;
  std::int16_t max = 0;
  bool contains(std::int16_t level) const { return min <= level && level <= max; }
  bool operator==(const VersionRange&) const = default;
};
using FeatureRanges = std::map<std::string, VersionRange, std::less<>>;

struct BrokerRegistration {
  std::int32_t id = -1;
  std::int64_t epoch = -1;
  codec::Uuid incarnation_id;
  std::vector<Endpoint> endpoints;  // in the order of registration
  FeatureRanges features;
  std::optional<std::string> rack;
  bool fenced = true;
  bool in_controlled_shutdown = false;
  std::vector<codec::Uuid> directories;  // online, in Uuid.compareTo's order
  /// KIP-1066: those that take no new replicas; nullopt until the broker has said.
  std::optional<std::vector<codec::Uuid>> cordoned_directories;
  bool is_migrating_zk_broker = false;  // kept for directories that old releases wrote

  /// Neither fenced nor in controlled shutdown: it may lead and be in an ISR.
  bool active() const { return !fenced && !in_controlled_shutdown; }
  /// nullptr if the broker has no listener of this name.
  const Endpoint* endpoint(std::string_view listener_name) const;
  /// Whether a replica in `directory` can be used: an online directory, or MIGRATING/UNASSIGNED (DirectoryId.isOnline).
  bool has_online_directory(const codec::Uuid& directory) const;
  /// Whether it can take new replicas.
  bool has_uncordoned_directory() const;
  /// Where a new replica goes: the only directory, else UNASSIGNED, and MIGRATING without any (ClusterControlManager).
  codec::Uuid default_directory() const;
  bool operator==(const BrokerRegistration&) const = default;
};

struct ControllerRegistration {
  std::int32_t id = -1;
  codec::Uuid incarnation_id;
  bool zk_migration_ready = false;
  std::vector<Endpoint> endpoints;
  FeatureRanges features;
  bool operator==(const ControllerRegistration&) const = default;
};

struct ClusterImage {
  std::map<std::int32_t, BrokerRegistration> brokers;
  std::map<std::int32_t, ControllerRegistration> controllers;

  const BrokerRegistration* broker(std::int32_t id) const;
  bool active(std::int32_t broker_id) const;
  bool operator==(const ClusterImage&) const = default;
};

/// Finalized levels. kraft.version is not here: it lives in control records (QuorumNode::kraft_version).
struct FeaturesImage {
  /// nullopt only before the bootstrap records have been written.
  std::optional<std::int16_t> metadata_version;
  /// Without metadata.version and without zero levels.
  std::map<std::string, std::int16_t, std::less<>> levels;

  std::int16_t level(std::string_view feature) const;
  bool elr_enabled() const { return level("eligible.leader.replicas.version") > 0; }
  bool operator==(const FeaturesImage&) const = default;
};

/// Source: org.apache.kafka.common.config.ConfigResource.Type.
enum class ConfigResourceType : std::int8_t {
  unknown = 0,
  topic = 2,
  broker = 4,
  broker_logger = 8,
  client_metrics = 16,
  group = 32,
};

/// `name` is empty for the cluster-wide default of brokers (and of groups).
struct ConfigResource {
  ConfigResourceType type = ConfigResourceType::unknown;
  std::string name;
  auto operator<=>(const ConfigResource&) const = default;
};

using ConfigMap = config::ConfigMap;

struct ConfigurationsImage {
  std::map<ConfigResource, ConfigMap> resources;

  /// Only what was set for this very resource; an empty map if nothing was.
  const ConfigMap& configs(const ConfigResource& resource) const;
  bool operator==(const ConfigurationsImage&) const = default;
};

/// Entity types ("user", "client-id", "ip") to names; nullopt is the default entity.
using ClientQuotaEntity = std::map<std::string, std::optional<std::string>>;

struct ClientQuotasImage {
  std::map<ClientQuotaEntity, std::map<std::string, double>> entities;
  bool operator==(const ClientQuotasImage&) const = default;
};

struct ProducerIdsImage {
  /// The first id of the next block.
  std::int64_t next_producer_id = -1;
  bool operator==(const ProducerIdsImage&) const = default;
};

struct AccessControlEntry {
  std::int8_t resource_type = 0;
  std::string resource_name;
  std::int8_t pattern_type = 0;
  std::string principal;
  std::string host;
  std::int8_t operation = 0;
  std::int8_t permission_type = 0;
  bool operator==(const AccessControlEntry&) const = default;
};

struct AclsImage {
  std::map<codec::Uuid, AccessControlEntry> acls;
  bool operator==(const AclsImage&) const = default;
};

struct ScramCredential {
  codec::Blob salt;
  codec::Blob stored_key;
  codec::Blob server_key;
  std::int32_t iterations = 0;
  bool operator==(const ScramCredential&) const = default;
};

struct ScramImage {
  /// By mechanism (1 SCRAM-SHA-256, 2 SCRAM-SHA-512) and user.
  std::map<std::int8_t, std::map<std::string, ScramCredential>> mechanisms;
  bool operator==(const ScramImage&) const = default;
};

struct DelegationToken {
  std::string owner;
  std::string requester;
  std::vector<std::string> renewers;
  std::int64_t issue_timestamp_ms = 0;
  std::int64_t max_timestamp_ms = 0;
  std::int64_t expiration_timestamp_ms = 0;
  bool operator==(const DelegationToken&) const = default;
};

struct DelegationTokenImage {
  std::map<std::string, DelegationToken> tokens;  // by token id
  bool operator==(const DelegationTokenImage&) const = default;
};

/// How far an image goes.
struct MetadataProvenance {
  std::int64_t last_contained_offset = -1;
  std::int32_t last_contained_epoch = -1;
  std::int64_t last_contained_timestamp_ms = -1;
  bool operator==(const MetadataProvenance&) const = default;
};

/// A part that a delta has not touched is the same object in both images: compare the pointers to see what changed.
struct MetadataImage {
  MetadataProvenance provenance;
  std::shared_ptr<const FeaturesImage> features = std::make_shared<FeaturesImage>();
  std::shared_ptr<const ClusterImage> cluster = std::make_shared<ClusterImage>();
  std::shared_ptr<const TopicsImage> topics = std::make_shared<TopicsImage>();
  std::shared_ptr<const ConfigurationsImage> configs = std::make_shared<ConfigurationsImage>();
  std::shared_ptr<const ClientQuotasImage> client_quotas = std::make_shared<ClientQuotasImage>();
  std::shared_ptr<const ProducerIdsImage> producer_ids = std::make_shared<ProducerIdsImage>();
  std::shared_ptr<const AclsImage> acls = std::make_shared<AclsImage>();
  std::shared_ptr<const ScramImage> scram = std::make_shared<ScramImage>();
  std::shared_ptr<const DelegationTokenImage> delegation_tokens = std::make_shared<DelegationTokenImage>();
};

using ImagePointer = std::shared_ptr<const MetadataImage>;

}  // namespace dohle::metadata
