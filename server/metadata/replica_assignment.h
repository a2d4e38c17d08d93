// New partitions out of a list of replicas, whether a person wrote it or the placer.
// Source: ReplicationControlManager.validateManualPartitionAssignment, buildPartitionRegistration.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "server/metadata/controller_result.h"
#include "server/metadata/metadata_image.h"

namespace dohle::metadata {

/// INVALID_REPLICA_ASSIGNMENT if it is empty, names a broker twice, one that is not registered or takes no replicas, or
/// has another size than the partitions before it.
ApiError check_manual_assignment(const ClusterImage& cluster, const std::vector<std::int32_t>& replicas,
                                 std::optional<std::size_t> replication_factor);

/// A new partition: in sync are the active brokers, and the first of them leads. nullopt if none is active.
std::optional<PartitionRegistration> new_partition(const ClusterImage& cluster,
                                                   const std::vector<std::int32_t>& replicas);

}  // namespace dohle::metadata
