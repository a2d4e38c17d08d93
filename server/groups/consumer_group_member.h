// A member of a consumer group (KIP-848), as its two records say it. Source: ConsumerGroupMember, ModernGroupMember.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codec/uuid.h"
#include "protocol/messages/consumer_group_current_member_assignment_value.h"
#include "protocol/messages/consumer_group_describe.h"
#include "protocol/messages/consumer_group_member_metadata_value.h"
#include "server/groups/java_hash_map.h"
#include "server/groups/partition_assignor.h"
#include "server/metadata/metadata_image.h"

namespace dohle::groups {

inline constexpr std::int32_t leave_epoch = -1;
inline constexpr std::int32_t static_leave_epoch = -2;

enum class MemberState : std::int8_t {
  stable = 0,
  unrevoked_partitions = 1,   // it has to give partitions back before it goes on to the next epoch
  unreleased_partitions = 2,  // it waits for partitions that others still have
  unknown = 127,              // of a later release
};

/// Partitions and the member epoch in which each was assigned.
using PartitionEpochs = JavaHashMap<std::int32_t, std::int32_t>;
using OwnedPartitions = JavaHashMap<codec::Uuid, PartitionEpochs>;

struct ConsumerGroupMember {
  using ClassicMetadata = protocol::ConsumerGroupMemberMetadataValue::ClassicMemberMetadata;

  std::string id;
  std::int32_t epoch = 0;
  std::int32_t previous_epoch = -1;
  MemberState state = MemberState::stable;
  std::optional<std::string> instance_id;
  std::optional<std::string> rack_id;
  std::int32_t rebalance_timeout_ms = -1;
  std::string client_id;
  /// With Java's slash.
  std::string client_host;
  JavaHashSet<std::string> topic_names;
  std::optional<std::string> topic_regex = "";
  std::optional<std::string> assignor_name;
  OwnedPartitions assigned;
  OwnedPartitions pending_revocation;
  /// Set: it speaks the classic protocol.
  std::optional<ClassicMetadata> classic;

  bool operator==(const ConsumerGroupMember&) const = default;

  bool is_reconciled_to(std::int32_t target_epoch) const {
    return state == MemberState::stable && epoch == target_epoch;
  }
  bool uses_regex() const { return topic_regex && !topic_regex->empty(); }
  void advance_to(std::int32_t next_epoch) {
    previous_epoch = epoch;
    epoch = next_epoch;
  }
  void apply(const protocol::ConsumerGroupMemberMetadataValue& value);
  void apply(const protocol::ConsumerGroupCurrentMemberAssignmentValue& value);
  /// What a static member that has left for a while keeps.
  void reset_assignment_epochs();
  /// The epoch in which the partition was assigned, also if it is to be revoked.
  std::optional<std::int32_t> assignment_epoch(const codec::Uuid& topic, std::int32_t partition) const;

  protocol::ConsumerGroupDescribeResponse::Member describe(const TopicPartitionSets& target,
                                                           const metadata::MetadataImage& image) const;
};

}  // namespace dohle::groups
