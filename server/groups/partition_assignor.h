// What a server-side assignor (KIP-848) is given, and what it gives back. Everything is in the order in which Kafka's
// collections iterate, because that order decides the results. Source: the package group.api.assignor of 4.4.0.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/uuid.h"

namespace dohle::groups {

/// A Map<Uuid, Set<Integer>> in its order of iteration.
using TopicPartitionSets = std::vector<std::pair<codec::Uuid, std::vector<std::int32_t>>>;

/// Equal as maps of sets: order does not count.
bool same_partitions(const TopicPartitionSets& a, const TopicPartitionSets& b);

struct AssignableMember {
  std::string id;
  std::optional<std::string> instance_id;
  std::optional<std::string> rack_id;
  /// Topics that exist.
  std::vector<codec::Uuid> subscribed_topics;
  /// Names in the subscription, with those of topics that do not exist.
  std::size_t subscribed_name_count = 0;
  /// The target assignment so far.
  TopicPartitionSets assignment;
};

struct AssignableGroup {
  /// In the order of groupSpec.memberIds().
  std::vector<AssignableMember> members;
  /// All members have the same subscription.
  bool homogeneous = true;
  /// Whether somebody's target assignment has the partition now.
  std::function<bool(const codec::Uuid& topic, std::int32_t partition)> is_assigned;
  /// -1: no such topic.
  std::function<std::int32_t(const codec::Uuid& topic)> partition_count;
};

/// One for each member, in the members' order; or the message of Kafka's PartitionAssignorException.
using GroupAssignment = std::expected<std::vector<TopicPartitionSets>, std::string>;

enum class AssignorKind : std::uint8_t { uniform, range };

/// "uniform" or "range"; nothing for another name.
std::optional<AssignorKind> parse_assignor(std::string_view name);
std::string_view assignor_name(AssignorKind kind);

/// Kafka's `uniform` (UniformAssignor) or `range` (RangeAssignor). Neither looks at racks in 4.4.0.
GroupAssignment assign_partitions(AssignorKind kind, const AssignableGroup& group);

}  // namespace dohle::groups
