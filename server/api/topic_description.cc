#include "server/api/topic_description.h"

namespace dohle::api {

namespace {

const metadata::Endpoint* endpoint_of(const metadata::MetadataImage& image, std::int32_t broker_id,
                                      std::string_view listener) {
  const auto* broker = image.cluster->broker(broker_id);
  return broker == nullptr ? nullptr : broker->endpoint(listener);
}

std::vector<std::int32_t> reachable(const metadata::MetadataImage& image, const std::vector<std::int32_t>& brokers,
                                    std::string_view listener) {
  std::vector<std::int32_t> result;
  for (const auto id : brokers) {
    const auto* broker = image.cluster->broker(id);
    if (broker != nullptr && !broker->fenced && broker->endpoint(listener) != nullptr) result.push_back(id);
  }
  return result;
}

bool is_offline(const metadata::MetadataImage& image, const metadata::PartitionRegistration& partition,
                std::int32_t broker_id, std::string_view listener) {
  const auto* broker = image.cluster->broker(broker_id);
  return broker == nullptr || broker->fenced || broker->endpoint(listener) == nullptr ||
         !broker->has_online_directory(partition.directory_of(broker_id));
}

}  // namespace

PartitionDescription describe_partition(const metadata::MetadataImage& image,
                                        const metadata::PartitionRegistration& partition, std::string_view listener,
                                        DescriptionOptions options) {
  PartitionDescription description;
  const bool filter = options.error_unavailable_endpoints;
  description.replicas = filter ? reachable(image, partition.replicas, listener) : partition.replicas;
  description.isr = filter ? reachable(image, partition.isr, listener) : partition.isr;
  for (const auto id : partition.replicas) {
    if (is_offline(image, partition, id, listener)) description.offline_replicas.push_back(id);
  }

  if (endpoint_of(image, partition.leader, listener) != nullptr) {
    description.leader_id = partition.leader;
    if (description.replicas.size() < partition.replicas.size() || description.isr.size() < partition.isr.size()) {
      description.error = protocol::ErrorCode::replica_not_available;
    }
  } else if (image.cluster->broker(partition.leader) != nullptr && options.error_unavailable_listeners) {
    description.error = protocol::ErrorCode::listener_not_found;
  } else {
    description.error = protocol::ErrorCode::leader_not_available;
  }
  return description;
}

std::int32_t alive_broker(const metadata::MetadataImage& image) {
  for (const auto& [id, broker] : image.cluster->brokers) {
    if (!broker.fenced) return id;
  }
  return -1;
}

}  // namespace dohle::api
