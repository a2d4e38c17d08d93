// A new target assignment for a group of which one member changes, and its records.
// Source: TargetAssignmentBuilder, UpdatedMembersAndTargetAssignmentView.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "server/coordinator/record.h"
#include "server/groups/consumer_group.h"
#include "server/groups/partition_assignor.h"
#include "server/metadata/metadata_image.h"

namespace dohle::groups {

struct TargetAssignment {
  /// Those members whose target changes, then the new epoch.
  std::vector<coordinator::Record> records;
  /// Of the member that changes.
  TopicPartitionSets target;
};

struct TargetRequest {
  const ConsumerGroup& group;
  /// New, or in the place of the one with its id, or of the one with its instance id.
  const ConsumerGroupMember& member;
  AssignorKind assignor = AssignorKind::uniform;
  std::int32_t epoch = 0;
  bool homogeneous = true;
  std::int64_t now_ms = 0;
  const metadata::MetadataImage& image;
};

/// The message of Kafka's PartitionAssignorException if there is none.
std::expected<TargetAssignment, std::string> build_target(const TargetRequest& request);

}  // namespace dohle::groups
