#include "server/metadata/partition_changes.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace dohle::metadata {

std::optional<std::string> effective_topic_config(const MetadataImage& image, const std::string& topic,
                                                  const std::string& key, std::int32_t node_id) {
  for (const ConfigResource& resource : {ConfigResource{ConfigResourceType::topic, topic},
                                         ConfigResource{ConfigResourceType::broker, std::to_string(node_id)},
                                         ConfigResource{ConfigResourceType::broker, ""}}) {
    const ConfigMap& configs = image.configs->configs(resource);
    if (const auto found = configs.find(key); found != configs.end()) return found->second;
  }
  return std::nullopt;
}

std::int32_t effective_min_isr(const MetadataImage& image, const TopicImage& topic,
                               const ControllerSettings& settings) {
  std::int32_t min_isr = settings.default_min_insync_replicas;
  if (const auto text = effective_topic_config(image, topic.name, "min.insync.replicas", settings.node_id)) {
    // A value that cannot be read would have been refused when it was set.
    std::from_chars(text->data(), text->data() + text->size(), min_isr);
  }
  const PartitionRegistration* first = topic.partition(0);
  if (first == nullptr) return min_isr;
  return std::min(min_isr, static_cast<std::int32_t>(first->replicas.size()));
}

bool unclean_leader_election(const MetadataImage& image, const std::string& topic, const ControllerSettings& settings) {
  const auto text = effective_topic_config(image, topic, "unclean.leader.election.enable", settings.node_id);
  return text ? *text == "true" : settings.default_unclean_leader_election;
}

PartitionChangeBuilder change_partition(const MetadataImage& image, const TopicImage& topic, std::int32_t index,
                                        const PartitionRegistration& partition, const ControllerSettings& settings,
                                        std::function<bool(std::int32_t)> active) {
  const ClusterImage& cluster = *image.cluster;
  const auto acceptable = [&cluster, &partition, active = std::move(active)](std::int32_t broker_id) {
    if (!(active ? active(broker_id) : cluster.active(broker_id))) return false;
    const BrokerRegistration* broker = cluster.broker(broker_id);
    return broker != nullptr && broker->has_online_directory(partition.directory_of(broker_id));
  };
  const auto default_directory = [&cluster](std::int32_t broker_id) {
    const BrokerRegistration* broker = cluster.broker(broker_id);
    return broker == nullptr ? directory_unassigned : broker->default_directory();
  };
  return PartitionChangeBuilder(partition, topic.id, index, acceptable, *image.features,
                                effective_min_isr(image, topic, settings), default_directory);
}

void update_leaders_and_isrs(const MetadataImage& image, const ControllerSettings& settings, const BrokerUpdate& update,
                             const std::function<bool(const PartitionRegistration&)>& concerns,
                             std::vector<MetadataRecord>& records) {
  const ClusterImage& cluster = *image.cluster;
  const auto active = [&](std::int32_t broker_id) {
    if (broker_id == update.remove || broker_id == update.unclean_shutdown) return false;
    return broker_id == update.add || cluster.active(broker_id);
  };
  image.topics->for_each([&](const TopicImage& topic) {
    for (const auto& [index, partition] : topic.partitions) {
      if (!concerns(partition)) continue;
      auto builder = change_partition(image, topic, index, partition, settings, active);
      if (unclean_leader_election(image, topic.name, settings)) builder.set_election(Election::unclean);
      if (update.unclean_shutdown != no_leader) builder.set_unclean_shutdown(update.unclean_shutdown);
      std::vector<std::int32_t> isr;
      std::copy_if(partition.isr.begin(), partition.isr.end(), std::back_inserter(isr),
                   [&](std::int32_t id) { return id != update.remove && id != update.unclean_shutdown; });
      builder.set_target_isr(std::move(isr));
      if (auto record = builder.build()) records.push_back(std::move(*record));
    }
  });
}

}  // namespace dohle::metadata
