// One request of a member on its way through a consumer group. For the files of ConsumerCoordinator alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/groups/consumer_coordinator.h"

namespace dohle::groups {

struct ConsumerCoordinator::Beat {
  const Context& context;
  /// What the member says that it has.
  const HeartbeatPartitions& owned;
  ConsumerGroupSettings settings;
  /// May be one that is not there yet.
  ConsumerGroup& group;
  ConsumerGroupMember before;
  ConsumerGroupMember after;
  std::int32_t group_epoch;
  bool homogeneous;
  std::int32_t target_epoch = 0;
  TopicPartitionSets target;
};

/// The member under a new id, which has nothing yet but the place of the former one; and the records of it.
ConsumerGroupMember replace_static_member(const ConsumerGroup& group, const ConsumerGroupMember& former,
                                          const std::string& member_id, std::vector<coordinator::Record>& records);

}  // namespace dohle::groups
