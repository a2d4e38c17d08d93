// How a member goes on from what it has to what it is meant to have: first it gives back what it must, then it gets
// what nobody else has any more. Source: CurrentAssignmentBuilder.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "protocol/messages/consumer_group_heartbeat.h"
#include "server/groups/consumer_group_member.h"

namespace dohle::groups {

using HeartbeatPartitions = std::optional<std::vector<protocol::ConsumerGroupHeartbeatRequest::TopicPartitions>>;

struct Reconciliation {
  std::int32_t target_epoch = 0;
  const TopicPartitionSets& target;
  bool subscription_changed = false;
  /// Topics that the member subscribes to and that exist.
  const std::set<codec::Uuid>& subscribed_topics;
  /// Nothing: the member did not say.
  const HeartbeatPartitions& owned;
  /// In which epoch somebody has the partition; -1: nobody has.
  std::function<std::int32_t(const codec::Uuid& topic, std::int32_t partition)> partition_epoch;
};

/// The member after the next step, which may be the same. Nothing: it must be fenced (FENCED_MEMBER_EPOCH), because its
/// state is of a later release and it has not given everything back.
std::optional<ConsumerGroupMember> reconcile(const ConsumerGroupMember& member, const Reconciliation& reconciliation);

}  // namespace dohle::groups
