#include "server/metadata/metadata_delta.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "server/metadata/supported_features.h"

namespace dohle::metadata {

using runtime::ErrorKind;
using runtime::Status;

namespace {

constexpr std::int32_t no_leader_change = -2;

std::unexpected<runtime::Error> corrupt(std::string message) {
  return runtime::failure(ErrorKind::corrupt, std::move(message));
}

/// The part to change: the delta's own copy, made from the base at the first use.
template <typename Part>
Part& changing(std::shared_ptr<Part>& own, const std::shared_ptr<const Part>& base) {
  if (!own) own = std::make_shared<Part>(*base);
  return *own;
}

template <typename Part>
std::shared_ptr<const Part> result_of(const std::shared_ptr<Part>& own, const std::shared_ptr<const Part>& base) {
  return own ? std::shared_ptr<const Part>(own) : base;
}

template <typename Endpoints>
std::vector<Endpoint> endpoints_of(const Endpoints& endpoints) {
  std::vector<Endpoint> result;
  result.reserve(endpoints.size());
  for (const auto& endpoint : endpoints) {
    result.push_back({endpoint.name, endpoint.host, endpoint.port, endpoint.security_protocol});
  }
  return result;
}

template <typename Features>
FeatureRanges features_of(const Features& features) {
  FeatureRanges ranges;
  for (const auto& feature : features) {
    ranges[feature.name] = {feature.min_supported_version, feature.max_supported_version};
  }
  return ranges;
}

/// Uuid.compareTo: two signed longs.
bool java_less(const codec::Uuid& a, const codec::Uuid& b) {
  const auto flipped = [](codec::Uuid id) {
    id.bytes[0] ^= 0x80;
    id.bytes[8] ^= 0x80;
    return id;
  };
  return flipped(a) < flipped(b);
}

std::vector<codec::Uuid> sorted(std::vector<codec::Uuid> ids) {
  std::sort(ids.begin(), ids.end(), java_less);
  return ids;
}

/// Directories that say nothing (a record from before metadata.version 17) become MIGRATING, one for each replica.
std::vector<codec::Uuid> default_to_migrating(std::vector<codec::Uuid> directories, std::size_t replicas) {
  const bool unknown =
      std::all_of(directories.begin(), directories.end(), [](const auto& id) { return id == directory_migrating; });
  if (unknown) return std::vector<codec::Uuid>(replicas, directory_migrating);
  return directories;
}

bool clear_elr(PartitionRegistration& partition) {
  if (partition.elr.empty() && partition.last_known_elr.empty()) return false;
  partition.elr.clear();
  partition.last_known_elr.clear();
  ++partition.partition_epoch;
  return true;
}

bool has_elr(const TopicImage& topic) {
  return std::any_of(topic.partitions.begin(), topic.partitions.end(), [](const auto& entry) {
    return !entry.second.elr.empty() || !entry.second.last_known_elr.empty();
  });
}

}  // namespace

PartitionRegistration merge(const PartitionRegistration& partition, const protocol::PartitionChangeRecord& change) {
  PartitionRegistration merged = partition;
  if (change.replicas) merged.replicas = *change.replicas;
  if (change.directories) merged.directories = *change.directories;
  merged.directories = default_to_migrating(std::move(merged.directories), merged.replicas.size());
  if (change.isr) merged.isr = *change.isr;
  if (change.removing_replicas) merged.removing_replicas = *change.removing_replicas;
  if (change.adding_replicas) merged.adding_replicas = *change.adding_replicas;
  if (change.leader != no_leader_change) {
    merged.leader = change.leader;
    ++merged.leader_epoch;
  }
  if (change.leader_recovery_state >= 0) {
    merged.leader_recovery_state = static_cast<LeaderRecoveryState>(change.leader_recovery_state);
  }
  if (change.eligible_leader_replicas) merged.elr = *change.eligible_leader_replicas;
  if (change.last_known_elr) merged.last_known_elr = *change.last_known_elr;
  ++merged.partition_epoch;
  return merged;
}

MetadataDelta::MetadataDelta(ImagePointer base) : base_(std::move(base)) {}

Status MetadataDelta::replay(const MetadataRecord& record) {
  return std::visit([this](const auto& message) { return apply_record(message); }, record.message);
}

ImagePointer MetadataDelta::apply(const MetadataProvenance& provenance) {
  if (!changed_topics_.empty()) {
    TopicsImage& topics = changing(topics_, base_->topics);
    for (auto& [id, topic] : changed_topics_) topics.put(std::move(topic));
    changed_topics_.clear();
  }
  auto image = std::make_shared<MetadataImage>();
  image->provenance = provenance;
  image->features = result_of(features_, base_->features);
  image->cluster = result_of(cluster_, base_->cluster);
  image->topics = result_of(topics_, base_->topics);
  image->configs = result_of(configs_, base_->configs);
  image->client_quotas = result_of(client_quotas_, base_->client_quotas);
  image->producer_ids = result_of(producer_ids_, base_->producer_ids);
  image->acls = result_of(acls_, base_->acls);
  image->scram = result_of(scram_, base_->scram);
  image->delegation_tokens = result_of(delegation_tokens_, base_->delegation_tokens);
  return image;
}

// --- Brokers and controllers ---------------------------------------------------------------------------------------

Status MetadataDelta::apply_record(const protocol::RegisterBrokerRecord& record) {
  BrokerRegistration registration;
  registration.id = record.broker_id;
  registration.epoch = record.broker_epoch;
  registration.incarnation_id = record.incarnation_id;
  registration.endpoints = endpoints_of(record.end_points);
  registration.features = features_of(record.features);
  registration.rack = record.rack;
  registration.fenced = record.fenced;
  registration.in_controlled_shutdown = record.in_controlled_shutdown;
  registration.is_migrating_zk_broker = record.is_migrating_zk_broker;
  registration.directories = sorted(record.log_dirs);
  registration.cordoned_directories = record.cordoned_log_dirs;
  changing(cluster_, base_->cluster).brokers[record.broker_id] = std::move(registration);
  return {};
}

Status MetadataDelta::apply_record(const protocol::UnregisterBrokerRecord& record) {
  changing(cluster_, base_->cluster).brokers.erase(record.broker_id);
  return {};
}

runtime::Result<BrokerRegistration*> MetadataDelta::broker(std::int32_t id, std::int64_t epoch, const char* action) {
  ClusterImage& cluster = changing(cluster_, base_->cluster);
  const auto found = cluster.brokers.find(id);
  if (found == cluster.brokers.end()) {
    return corrupt(fmt::format("a record tries to {} broker {}, which is not registered", action, id));
  }
  if (found->second.epoch != epoch) {
    return corrupt(fmt::format("a record tries to {} broker {} with epoch {}, but its epoch is {}", action, id, epoch,
                               found->second.epoch));
  }
  return &found->second;
}

Status MetadataDelta::apply_record(const protocol::FenceBrokerRecord& record) {
  const auto registration = broker(record.id, record.epoch, "fence");
  if (!registration) return std::unexpected(registration.error());
  (*registration)->fenced = true;
  return {};
}

Status MetadataDelta::apply_record(const protocol::UnfenceBrokerRecord& record) {
  const auto registration = broker(record.id, record.epoch, "unfence");
  if (!registration) return std::unexpected(registration.error());
  (*registration)->fenced = false;
  return {};
}

Status MetadataDelta::apply_record(const protocol::BrokerRegistrationChangeRecord& record) {
  const auto found = broker(record.broker_id, record.broker_epoch, "change");
  if (!found) return std::unexpected(found.error());
  BrokerRegistration& registration = **found;
  if (record.fenced < -1 || record.fenced > 1 || record.in_controlled_shutdown < 0 ||
      record.in_controlled_shutdown > 1) {
    return corrupt(fmt::format("a change of broker {}'s registration has an unknown value", record.broker_id));
  }
  if (record.fenced != 0) registration.fenced = record.fenced == 1;
  if (record.in_controlled_shutdown == 1) registration.in_controlled_shutdown = true;
  if (!record.log_dirs.empty()) registration.directories = sorted(record.log_dirs);
  if (record.cordoned_log_dirs) registration.cordoned_directories = record.cordoned_log_dirs;
  return {};
}

Status MetadataDelta::apply_record(const protocol::RegisterControllerRecord& record) {
  ControllerRegistration registration;
  registration.id = record.controller_id;
  registration.incarnation_id = record.incarnation_id;
  registration.zk_migration_ready = record.zk_migration_ready;
  registration.endpoints = endpoints_of(record.end_points);
  registration.features = features_of(record.features);
  changing(cluster_, base_->cluster).controllers[record.controller_id] = std::move(registration);
  return {};
}

Status MetadataDelta::apply_record(const protocol::UnregisterControllerRecord& record) {
  changing(cluster_, base_->cluster).controllers.erase(record.controller_id);
  return {};
}

// --- Topics --------------------------------------------------------------------------------------------------------

TopicImage* MetadataDelta::topic(const codec::Uuid& id) {
  if (const auto found = changed_topics_.find(id); found != changed_topics_.end()) return found->second.get();
  const TopicImage* existing = (topics_ ? topics_.get() : base_->topics.get())->find(id);
  if (existing == nullptr) return nullptr;
  return (changed_topics_[id] = std::make_shared<TopicImage>(*existing)).get();
}

Status MetadataDelta::apply_record(const protocol::TopicRecord& record) {
  auto fresh = std::make_shared<TopicImage>();
  fresh->name = record.name;
  fresh->id = record.topic_id;
  changed_topics_[record.topic_id] = std::move(fresh);
  return {};
}

Status MetadataDelta::apply_record(const protocol::PartitionRecord& record) {
  TopicImage* owner = topic(record.topic_id);
  if (owner == nullptr) {
    return corrupt(fmt::format("a partition of topic {}, which does not exist", record.topic_id.to_string()));
  }
  if (!record.directories.empty() && record.directories.size() != record.replicas.size()) {
    return corrupt(fmt::format("partition {}-{} has {} replicas and {} directories", owner->name, record.partition_id,
                               record.replicas.size(), record.directories.size()));
  }
  PartitionRegistration partition;
  partition.replicas = record.replicas;
  partition.directories = default_to_migrating(record.directories, record.replicas.size());
  partition.isr = record.isr;
  partition.removing_replicas = record.removing_replicas;
  partition.adding_replicas = record.adding_replicas;
  partition.elr = record.eligible_leader_replicas.value_or(std::vector<std::int32_t>{});
  partition.last_known_elr = record.last_known_elr.value_or(std::vector<std::int32_t>{});
  partition.leader = record.leader;
  partition.leader_recovery_state = static_cast<LeaderRecoveryState>(record.leader_recovery_state);
  partition.leader_epoch = record.leader_epoch;
  partition.partition_epoch = record.partition_epoch;
  owner->partitions[record.partition_id] = std::move(partition);
  return {};
}

Status MetadataDelta::apply_record(const protocol::PartitionChangeRecord& record) {
  TopicImage* owner = topic(record.topic_id);
  const auto found = owner == nullptr ? std::map<std::int32_t, PartitionRegistration>::iterator{}
                                      : owner->partitions.find(record.partition_id);
  if (owner == nullptr || found == owner->partitions.end()) {
    return corrupt(fmt::format("a change of partition {}:{}, which does not exist", record.topic_id.to_string(),
                               record.partition_id));
  }
  found->second = merge(found->second, record);
  if (found->second.directories.size() != found->second.replicas.size()) {
    return corrupt(fmt::format("partition {}-{} changes to {} replicas and {} directories", owner->name,
                               record.partition_id, found->second.replicas.size(), found->second.directories.size()));
  }
  return {};
}

Status MetadataDelta::apply_record(const protocol::RemoveTopicRecord& record) {
  const TopicImage* doomed = topic(record.topic_id);
  if (doomed == nullptr) {
    return corrupt(fmt::format("the removal of topic {}, which does not exist", record.topic_id.to_string()));
  }
  // The topic's configuration goes with it; there is no record of its own for that.
  changing(configs_, base_->configs).resources.erase({ConfigResourceType::topic, doomed->name});
  changed_topics_.erase(record.topic_id);
  changing(topics_, base_->topics).remove(record.topic_id);
  return {};
}

Status MetadataDelta::apply_record(const protocol::ClearElrRecord& record) {
  std::vector<codec::Uuid> affected;
  bool found = false;
  const auto consider = [&](const TopicImage& candidate) {
    if (!record.topic_name.empty() && candidate.name != record.topic_name) return;
    found = true;
    if (has_elr(candidate)) affected.push_back(candidate.id);
  };
  for (const auto& [id, changed] : changed_topics_) consider(*changed);
  const TopicsImage& topics = topics_ ? *topics_ : *base_->topics;
  topics.for_each([&](const TopicImage& candidate) {
    if (!changed_topics_.contains(candidate.id)) consider(candidate);
  });
  if (!record.topic_name.empty() && !found) {
    return corrupt(fmt::format("ClearElrRecord for topic {}, which does not exist", record.topic_name));
  }
  for (const codec::Uuid& id : affected) {
    for (auto& [index, partition] : topic(id)->partitions) clear_elr(partition);
  }
  return {};
}

// --- The rest ------------------------------------------------------------------------------------------------------

Status MetadataDelta::apply_record(const protocol::ConfigRecord& record) {
  auto& resources = changing(configs_, base_->configs).resources;
  const ConfigResource resource{static_cast<ConfigResourceType>(record.resource_type), record.resource_name};
  if (record.value) {
    resources[resource][record.name] = *record.value;
    return {};
  }
  const auto found = resources.find(resource);
  if (found == resources.end()) return {};
  found->second.erase(record.name);
  if (found->second.empty()) resources.erase(found);
  return {};
}

Status MetadataDelta::apply_record(const protocol::ClientQuotaRecord& record) {
  ClientQuotaEntity entity;
  for (const auto& part : record.entity) entity[part.entity_type] = part.entity_name;
  auto& entities = changing(client_quotas_, base_->client_quotas).entities;
  if (!record.remove) {
    entities[entity][record.key] = record.value;
    return {};
  }
  const auto found = entities.find(entity);
  if (found == entities.end()) return {};
  found->second.erase(record.key);
  if (found->second.empty()) entities.erase(found);
  return {};
}

Status MetadataDelta::apply_record(const protocol::ProducerIdsRecord& record) {
  changing(producer_ids_, base_->producer_ids).next_producer_id = record.next_producer_id;
  return {};
}

Status MetadataDelta::apply_record(const protocol::FeatureLevelRecord& record) {
  // KAFKA-18979: kraft.version lives in control records, a stray FeatureLevelRecord for it is skipped.
  if (record.name == "kraft.version") return {};
  const auto known = supported_features().find(record.name);
  const VersionRange range = known == supported_features().end() ? VersionRange{} : known->second;
  if (!range.contains(record.feature_level)) {
    return corrupt(fmt::format("feature {} is at level {}, but this server supports {} to {} only", record.name,
                               record.feature_level, range.min, range.max));
  }
  FeaturesImage& features = changing(features_, base_->features);
  if (record.name == "metadata.version") {
    features.metadata_version = record.feature_level;
  } else if (record.feature_level == 0) {
    features.levels.erase(record.name);
  } else {
    features.levels[record.name] = record.feature_level;
  }
  return {};
}

Status MetadataDelta::apply_record(const protocol::AccessControlEntryRecord& record) {
  changing(acls_, base_->acls).acls[record.id] = {record.resource_type,  record.resource_name, record.pattern_type,
                                                  record.principal,      record.host,          record.operation,
                                                  record.permission_type};
  return {};
}

Status MetadataDelta::apply_record(const protocol::RemoveAccessControlEntryRecord& record) {
  if (changing(acls_, base_->acls).acls.erase(record.id) == 0) {
    return corrupt(fmt::format("the removal of ACL {}, which does not exist", record.id.to_string()));
  }
  return {};
}

Status MetadataDelta::apply_record(const protocol::UserScramCredentialRecord& record) {
  changing(scram_, base_->scram).mechanisms[record.mechanism][record.name] = {record.salt, record.stored_key,
                                                                              record.server_key, record.iterations};
  return {};
}

Status MetadataDelta::apply_record(const protocol::RemoveUserScramCredentialRecord& record) {
  auto& mechanisms = changing(scram_, base_->scram).mechanisms;
  const auto found = mechanisms.find(record.mechanism);
  if (found == mechanisms.end()) return {};
  found->second.erase(record.name);
  if (found->second.empty()) mechanisms.erase(found);
  return {};
}

Status MetadataDelta::apply_record(const protocol::DelegationTokenRecord& record) {
  changing(delegation_tokens_, base_->delegation_tokens).tokens[record.token_id] = {
      record.owner,           record.requester,     record.renewers,
      record.issue_timestamp, record.max_timestamp, record.expiration_timestamp};
  return {};
}

Status MetadataDelta::apply_record(const protocol::RemoveDelegationTokenRecord& record) {
  changing(delegation_tokens_, base_->delegation_tokens).tokens.erase(record.token_id);
  return {};
}

}  // namespace dohle::metadata
