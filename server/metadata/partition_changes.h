// Changes of partitions that follow from something else: a broker that comes, goes or lost its disk.
// Source: ReplicationControlManager.generateLeaderAndIsrUpdates, getTopicEffectiveMinIsr, LeaderAcceptor.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "server/metadata/controller.h"
#include "server/metadata/metadata_image.h"
#include "server/metadata/metadata_record.h"
#include "server/metadata/partition_change_builder.h"

namespace dohle::metadata {

/// What holds for `key` of the topic: its own value, else the node's, the cluster's, or nullopt for the default of
/// server.properties.
std::optional<std::string> effective_topic_config(const MetadataImage& image, const std::string& topic,
                                                  const std::string& key, std::int32_t node_id);
/// min.insync.replicas, not above the replication factor.
std::int32_t effective_min_isr(const MetadataImage& image, const TopicImage& topic, const ControllerSettings& settings);
bool unclean_leader_election(const MetadataImage& image, const std::string& topic, const ControllerSettings& settings);

/// A builder that knows the rules of the topic. `active` says which brokers may lead; empty: those that are active in
/// the image. What is passed outlives the builder.
PartitionChangeBuilder change_partition(const MetadataImage& image, const TopicImage& topic, std::int32_t index,
                                        const PartitionRegistration& partition, const ControllerSettings& settings,
                                        std::function<bool(std::int32_t)> active = {});

/// Whom an update is about; no_leader where nobody.
struct BrokerUpdate {
  std::int32_t remove = no_leader;            // leaves ISR and leadership
  std::int32_t add = no_leader;               // may lead, though the image has it fenced
  std::int32_t unclean_shutdown = no_leader;  // leaves ISR, ELR and leadership: its disk may lack records
};

/// Appends the records for all partitions that `concerns` picks.
void update_leaders_and_isrs(const MetadataImage& image, const ControllerSettings& settings, const BrokerUpdate& update,
                             const std::function<bool(const PartitionRegistration&)>& concerns,
                             std::vector<MetadataRecord>& records);

}  // namespace dohle::metadata
