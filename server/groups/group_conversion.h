// A classic group as a consumer group, and the other way round: online migration (KIP-848). Nothing here changes a
// group. Source: ConsumerGroup.fromClassicGroup, ClassicGroup.fromConsumerGroup.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "server/coordinator/record.h"
#include "server/groups/classic_group.h"
#include "server/groups/consumer_group.h"
#include "server/groups/group_failure.h"
#include "server/metadata/metadata_image.h"

namespace dohle::groups {

/// The group with all its members, who keep their classic protocol, their generation as epoch and their assignment both
/// as target and as what they have. GROUP_ID_NOT_FOUND where what the members wrote cannot be read, or where user data
/// of an assignor would be lost; UNKNOWN_SERVER_ERROR without a message where Kafka falls over an exception: the group
/// has no protocol yet, or a partition is assigned twice.
GroupResult<std::unique_ptr<ConsumerGroup>> consumer_group_of(const ClassicGroup& classic,
                                                              const metadata::MetadataImage& image);
/// The records that make a group of that state.
void append_group_records(const ConsumerGroup& group, std::vector<coordinator::Record>& records);

struct Downgrade {
  const ConsumerGroup& group;
  /// Ids of members that do not stay.
  std::set<std::string> leaving;
  /// Set: a static member that takes the place of the one with its instance id.
  const ConsumerGroupMember* joining = nullptr;
};

/// A stable classic group of the members that stay, all of them classic, each with its target assignment.
/// GROUP_ID_NOT_FOUND where a subscription cannot be read.
GroupResult<std::unique_ptr<ClassicGroup>> classic_group_of(const Downgrade& downgrade,
                                                            const metadata::MetadataImage& image, std::int64_t now_ms);
/// The tombstones of the consumer group, and the classic group.
void append_downgrade_records(const Downgrade& downgrade, const ClassicGroup& classic,
                              std::vector<coordinator::Record>& records);

}  // namespace dohle::groups
