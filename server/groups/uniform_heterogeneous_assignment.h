// The `uniform` assignor for members with different subscriptions: everybody keeps what it has, the rest goes topic by
// topic to whoever has least, and then partitions move from those that have most to those that have least.
// Source: UniformHeterogeneousAssignmentBuilder.
#pragma once

#include "server/groups/partition_assignor.h"

namespace dohle::groups {

/// The group has members.
GroupAssignment assign_uniformly_across_subscriptions(const AssignableGroup& group);

}  // namespace dohle::groups
