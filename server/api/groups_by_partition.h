// Group ids by the partition of __consumer_offsets that they belong to.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "server/groups/group_coordinator.h"

namespace dohle::api {

inline std::map<std::int32_t, std::vector<std::string>> groups_by_partition(groups::GroupCoordinator& coordinator,
                                                                            const std::vector<std::string>& ids) {
  std::map<std::int32_t, std::vector<std::string>> by_partition;
  for (const auto& id : ids) by_partition[coordinator.runtime().partition_for(id)].push_back(id);
  return by_partition;
}

}  // namespace dohle::api
