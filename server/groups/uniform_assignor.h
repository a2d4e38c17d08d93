// The `uniform` assignor for members that all subscribe to the same topics: sizes differ by one at most, and members
// keep what they have. Source: UniformHomogeneousAssignmentBuilder.
#pragma once

#include "server/groups/partition_assignor.h"

namespace dohle::groups {

/// The group has members, and is homogeneous.
GroupAssignment assign_uniformly(const AssignableGroup& group);

}  // namespace dohle::groups
