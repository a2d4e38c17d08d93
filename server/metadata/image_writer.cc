#include "server/metadata/image_writer.h"

#include <utility>

namespace dohle::metadata {

namespace {

constexpr std::int16_t scram_version = 11;
constexpr std::int16_t delegation_token_version = 14;
constexpr std::int16_t controller_registration_version = 15;
constexpr std::int16_t directory_assignment_version = 17;
constexpr std::int16_t cordoned_directories_version = 30;

using Records = std::vector<MetadataRecord>;

template <typename Message>
void add(Records& records, Message message, std::int16_t version = 0) {
  records.push_back({std::move(message), version});
}

template <typename Wire>
std::vector<Wire> endpoints_to_wire(const std::vector<Endpoint>& endpoints) {
  std::vector<Wire> wire;
  for (const Endpoint& endpoint : endpoints) {
    Wire one;
    one.name = endpoint.name;
    one.host = endpoint.host;
    one.port = endpoint.port;
    one.security_protocol = endpoint.security_protocol;
    wire.push_back(std::move(one));
  }
  return wire;
}

template <typename Wire>
std::vector<Wire> features_to_wire(const FeatureRanges& features) {
  std::vector<Wire> wire;
  for (const auto& [name, range] : features) {
    Wire one;
    one.name = name;
    one.min_supported_version = range.min;
    one.max_supported_version = range.max;
    wire.push_back(std::move(one));
  }
  return wire;
}

void write_features(Records& records, const FeaturesImage& features) {
  protocol::FeatureLevelRecord first;
  first.name = "metadata.version";
  first.feature_level = features.metadata_version.value_or(0);
  add(records, std::move(first));
  for (const auto& [name, level] : features.levels) {
    protocol::FeatureLevelRecord record;
    record.name = name;
    record.feature_level = level;
    add(records, std::move(record));
  }
}

void write_broker(Records& records, const BrokerRegistration& broker, std::int16_t metadata_version) {
  protocol::RegisterBrokerRecord record;
  record.broker_id = broker.id;
  record.is_migrating_zk_broker = broker.is_migrating_zk_broker;
  record.incarnation_id = broker.incarnation_id;
  record.broker_epoch = broker.epoch;
  record.end_points = endpoints_to_wire<protocol::RegisterBrokerRecord::BrokerEndpoint>(broker.endpoints);
  record.features = features_to_wire<protocol::RegisterBrokerRecord::BrokerFeature>(broker.features);
  record.rack = broker.rack;
  record.fenced = broker.fenced;
  record.in_controlled_shutdown = broker.in_controlled_shutdown;
  if (metadata_version >= directory_assignment_version) record.log_dirs = broker.directories;
  if (metadata_version >= cordoned_directories_version) record.cordoned_log_dirs = broker.cordoned_directories;
  add(records, std::move(record), register_broker_record_version(metadata_version));
}

void write_cluster(Records& records, const ClusterImage& cluster, std::int16_t metadata_version) {
  for (const auto& [id, broker] : cluster.brokers) write_broker(records, broker, metadata_version);
  if (metadata_version < controller_registration_version) return;
  for (const auto& [id, controller] : cluster.controllers) {
    protocol::RegisterControllerRecord record;
    record.controller_id = controller.id;
    record.incarnation_id = controller.incarnation_id;
    record.zk_migration_ready = controller.zk_migration_ready;
    record.end_points = endpoints_to_wire<protocol::RegisterControllerRecord::ControllerEndpoint>(controller.endpoints);
    record.features = features_to_wire<protocol::RegisterControllerRecord::ControllerFeature>(controller.features);
    add(records, std::move(record));
  }
}

void write_configs(Records& records, const ConfigurationsImage& configs) {
  for (const auto& [resource, values] : configs.resources) {
    for (const auto& [name, value] : values) {
      protocol::ConfigRecord record;
      record.resource_type = static_cast<std::int8_t>(resource.type);
      record.resource_name = resource.name;
      record.name = name;
      record.value = value;
      add(records, std::move(record));
    }
  }
}

void write_quotas(Records& records, const ClientQuotasImage& quotas) {
  for (const auto& [entity, values] : quotas.entities) {
    for (const auto& [key, value] : values) {
      protocol::ClientQuotaRecord record;
      for (const auto& [type, name] : entity) {
        protocol::ClientQuotaRecord::EntityData part;
        part.entity_type = type;
        part.entity_name = name;
        record.entity.push_back(std::move(part));
      }
      record.key = key;
      record.value = value;
      add(records, std::move(record));
    }
  }
}

void write_security(Records& records, const MetadataImage& image, std::int16_t metadata_version) {
  for (const auto& [id, acl] : image.acls->acls) {
    protocol::AccessControlEntryRecord record;
    record.id = id;
    record.resource_type = acl.resource_type;
    record.resource_name = acl.resource_name;
    record.pattern_type = acl.pattern_type;
    record.principal = acl.principal;
    record.host = acl.host;
    record.operation = acl.operation;
    record.permission_type = acl.permission_type;
    add(records, std::move(record));
  }
  if (metadata_version >= scram_version) {
    for (const auto& [mechanism, users] : image.scram->mechanisms) {
      for (const auto& [name, credential] : users) {
        protocol::UserScramCredentialRecord record;
        record.name = name;
        record.mechanism = mechanism;
        record.salt = credential.salt;
        record.stored_key = credential.stored_key;
        record.server_key = credential.server_key;
        record.iterations = credential.iterations;
        add(records, std::move(record));
      }
    }
  }
  if (metadata_version < delegation_token_version) return;
  for (const auto& [id, token] : image.delegation_tokens->tokens) {
    protocol::DelegationTokenRecord record;
    record.owner = token.owner;
    record.requester = token.requester;
    record.renewers = token.renewers;
    record.issue_timestamp = token.issue_timestamp_ms;
    record.max_timestamp = token.max_timestamp_ms;
    record.expiration_timestamp = token.expiration_timestamp_ms;
    record.token_id = id;
    add(records, std::move(record));
  }
}

}  // namespace

MetadataRecord partition_to_record(const codec::Uuid& topic_id, std::int32_t index,
                                   const PartitionRegistration& partition, const FeaturesImage& features) {
  const std::int16_t metadata_version = features.metadata_version.value_or(0);
  protocol::PartitionRecord record;
  record.partition_id = index;
  record.topic_id = topic_id;
  record.replicas = partition.replicas;
  record.isr = partition.isr;
  record.removing_replicas = partition.removing_replicas;
  record.adding_replicas = partition.adding_replicas;
  record.leader = partition.leader;
  record.leader_recovery_state = static_cast<std::int8_t>(partition.leader_recovery_state);
  record.leader_epoch = partition.leader_epoch;
  record.partition_epoch = partition.partition_epoch;
  if (features.elr_enabled()) {
    if (!partition.elr.empty()) record.eligible_leader_replicas = partition.elr;
    if (!partition.last_known_elr.empty()) record.last_known_elr = partition.last_known_elr;
  }
  if (metadata_version >= directory_assignment_version) record.directories = partition.directories;
  return {std::move(record), partition_record_version(metadata_version)};
}

std::vector<MetadataRecord> image_to_records(const MetadataImage& image) {
  Records records;
  const FeaturesImage& features = *image.features;
  const std::int16_t metadata_version = features.metadata_version.value_or(0);
  write_features(records, features);
  write_cluster(records, *image.cluster, metadata_version);
  image.topics->for_each([&](const TopicImage& topic) {
    protocol::TopicRecord record;
    record.name = topic.name;
    record.topic_id = topic.id;
    add(records, std::move(record));
    for (const auto& [index, partition] : topic.partitions) {
      records.push_back(partition_to_record(topic.id, index, partition, features));
    }
  });
  write_configs(records, *image.configs);
  write_quotas(records, *image.client_quotas);
  if (image.producer_ids->next_producer_id >= 0) {
    protocol::ProducerIdsRecord record;
    record.broker_id = -1;
    record.broker_epoch = -1;
    record.next_producer_id = image.producer_ids->next_producer_id;
    add(records, std::move(record));
  }
  write_security(records, image, metadata_version);
  return records;
}

}  // namespace dohle::metadata
