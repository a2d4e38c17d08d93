#include "server/metadata/replica_assignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace dohle::metadata {

ApiError check_manual_assignment(const ClusterImage& cluster, const std::vector<std::int32_t>& replicas,
                                 std::optional<std::size_t> replication_factor) {
  const auto refuse = [](std::string message) {
    return ApiError{protocol::ErrorCode::invalid_replica_assignment, std::move(message)};
  };
  if (replicas.empty()) return refuse("The manual partition assignment includes an empty replica list.");
  std::vector<std::int32_t> sorted = replicas;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const BrokerRegistration* broker = cluster.broker(sorted[i]);
    if (broker == nullptr) {
      return refuse(fmt::format("The manual partition assignment includes broker {}, but no such broker is registered.",
                                sorted[i]));
    }
    if (!broker->has_uncordoned_directory()) {
      return refuse(fmt::format(
          "The manual partition assignment includes broker {}, but all its log directories are cordoned.", sorted[i]));
    }
    if (i > 0 && sorted[i] == sorted[i - 1]) {
      return refuse(fmt::format("The manual partition assignment includes the broker {} more than once.", sorted[i]));
    }
  }
  if (replication_factor && *replication_factor != replicas.size()) {
    return refuse(
        fmt::format("The manual partition assignment includes a partition with {} replica(s), but this is not "
                    "consistent with previous partitions, which have {} replica(s).",
                    replicas.size(), *replication_factor));
  }
  return {};
}

std::optional<PartitionRegistration> new_partition(const ClusterImage& cluster,
                                                   const std::vector<std::int32_t>& replicas) {
  PartitionRegistration partition;
  partition.replicas = replicas;
  for (const std::int32_t id : replicas) {
    const BrokerRegistration* broker = cluster.broker(id);
    partition.directories.push_back(broker == nullptr ? directory_unassigned : broker->default_directory());
    if (cluster.active(id)) partition.isr.push_back(id);
  }
  if (partition.isr.empty()) return std::nullopt;
  partition.leader = partition.isr.front();
  return partition;
}

}  // namespace dohle::metadata
