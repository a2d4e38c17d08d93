// The `range` assignor: of every topic each subscriber gets one range of partitions, static members first.
// Source: RangeAssignor.
#pragma once

#include "server/groups/partition_assignor.h"

namespace dohle::groups {

/// The group has members.
GroupAssignment assign_ranges(const AssignableGroup& group);

}  // namespace dohle::groups
