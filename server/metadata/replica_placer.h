// Where the replicas of new partitions go: striped over racks and brokers, leaders spread evenly, fenced brokers only
// where there are not enough others, and never first. Source: org.apache.kafka.metadata.placement.StripedReplicaPlacer.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "server/metadata/controller_result.h"
#include "server/metadata/metadata_image.h"

namespace dohle::metadata {

struct Placement {
  /// INVALID_REPLICATION_FACTOR with Kafka's text, or none.
  ApiError error;
  std::vector<std::vector<std::int32_t>> partitions;
};

/// For `count` partitions of `replication_factor` replicas. Brokers whose directories are all cordoned are not used.
Placement place_replicas(const ClusterImage& cluster, std::int32_t count, std::int32_t replication_factor,
                         std::mt19937_64& random);

}  // namespace dohle::metadata
