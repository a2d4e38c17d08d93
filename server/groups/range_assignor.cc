#include "server/groups/range_assignor.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "server/groups/java_hash_map.h"

namespace dohle::groups {

namespace {

struct TopicShare {
  std::int32_t partitions = 0;
  std::int32_t subscribers = 0;
  std::int32_t extra_left = -1;
  std::int32_t next = 0;

  /// The next range, half open.
  std::pair<std::int32_t, std::int32_t> take() {
    if (extra_left < 0) extra_left = partitions % subscribers;
    auto quota = partitions / subscribers;
    if (extra_left > 0) {
      ++quota;
      --extra_left;
    }
    const auto begin = next;
    next = std::min(begin + quota, partitions);
    return {begin, next};
  }
};

/// Static members by instance id, then the others by member id.
std::vector<std::size_t> in_order(const AssignableGroup& group) {
  std::vector<std::size_t> order(group.members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&group](std::size_t a, std::size_t b) {
    const auto& first = group.members[a];
    const auto& second = group.members[b];
    if (first.instance_id && second.instance_id) return *first.instance_id < *second.instance_id;
    if (first.instance_id || second.instance_id) return first.instance_id.has_value();
    return first.id < second.id;
  });
  return order;
}

}  // namespace

GroupAssignment assign_ranges(const AssignableGroup& group) {
  std::unordered_map<codec::Uuid, TopicShare> shares;
  for (const auto& member : group.members) {
    for (const auto& topic : member.subscribed_topics) {
      auto& share = shares[topic];
      if (share.subscribers++ > 0) continue;
      share.partitions = group.partition_count(topic);
      if (share.partitions < 0) return std::unexpected("Member is subscribed to a non-existent topic");
    }
  }
  std::vector<TopicPartitionSets> results(group.members.size());
  for (const auto index : in_order(group)) {
    const auto& member = group.members[index];
    const auto names = group.homogeneous ? member.subscribed_topics.size() : member.subscribed_name_count;
    JavaHashMap<codec::Uuid, std::vector<std::int32_t>> assignment(
        JavaCapacity::initial(static_cast<std::size_t>(static_cast<float>(names) / 0.75F + 1.0F)));
    for (const auto& topic : member.subscribed_topics) {
      const auto [begin, end] = shares[topic].take();
      if (begin == end) continue;
      std::vector<std::int32_t> range(static_cast<std::size_t>(end - begin));
      std::iota(range.begin(), range.end(), begin);
      assignment.put(topic, std::move(range));
    }
    results[index].assign(assignment.begin(), assignment.end());
  }
  return results;
}

}  // namespace dohle::groups
