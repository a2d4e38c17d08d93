#include "server/groups/uniform_heterogeneous_assignment.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "server/groups/load_balancer.h"
#include "server/groups/mutable_assignment.h"

namespace dohle::groups {

namespace {

/// Each halves the imbalance, roughly.
constexpr int rounds_max = 16;

struct Topic {
  codec::Uuid id;
  std::vector<std::int32_t> subscribers;  // members, ascending
  std::vector<std::int32_t> owners;       // by partition; -1: nobody
};

/// Topics with the most partitions for a subscriber come first.
bool before(const Topic& a, const Topic& b) {
  const auto load = [](const Topic& topic) {
    return static_cast<double>(topic.owners.size()) / static_cast<double>(topic.subscribers.size());
  };
  if (load(a) != load(b)) return load(a) > load(b);
  if (a.subscribers.size() != b.subscribers.size()) return a.subscribers.size() < b.subscribers.size();
  return java_uuid_less(a.id, b.id);
}

class HeterogeneousAssignment {
 public:
  explicit HeterogeneousAssignment(const AssignableGroup& group)
      : group_(group), counts_(group.members.size()), balancer_(counts_) {}

  GroupAssignment build() {
    std::vector<TopicPartitionSets> results(group_.members.size());
    if (auto missing = collect_topics()) return std::unexpected(*std::move(missing));
    if (topics_.empty()) return results;
    for (std::size_t member = 0; member < group_.members.size(); ++member) keep(member);
    std::ranges::sort(topics_, before);
    for (auto& topic : topics_) hand_out(topic);
    balance();
    for (std::size_t member = 0; member < results.size(); ++member) results[member] = assignments_[member].result();
    return results;
  }

 private:
  std::optional<std::string> collect_topics() {
    std::unordered_map<codec::Uuid, std::size_t> indices;
    for (std::size_t member = 0; member < group_.members.size(); ++member) {
      for (const auto& id : group_.members[member].subscribed_topics) {
        const auto [at, added] = indices.emplace(id, topics_.size());
        if (added) {
          const auto count = group_.partition_count(id);
          if (count < 0) {
            return "Members are subscribed to topic " + id.to_string() + " which doesn't exist in the topic metadata.";
          }
          topics_.push_back({id, {}, std::vector<std::int32_t>(static_cast<std::size_t>(count), -1)});
        }
        topics_[at->second].subscribers.push_back(static_cast<std::int32_t>(member));
      }
    }
    return std::nullopt;
  }

  /// Takes from the member what it does not subscribe to any more.
  void keep(std::size_t index) {
    const auto& member = group_.members[index];
    auto& assignment = assignments_.emplace_back(member.assignment);
    for (const auto& [id, partitions] : member.assignment) {
      if (std::ranges::find(member.subscribed_topics, id) == member.subscribed_topics.end()) {
        assignment.copy().erase(id);
        continue;
      }
      counts_[index] += static_cast<std::int32_t>(partitions.size());
      auto& owners = std::ranges::find(topics_, id, &Topic::id)->owners;
      for (const auto partition : partitions) {
        if (static_cast<std::size_t>(partition) < owners.size())
          owners[static_cast<std::size_t>(partition)] = static_cast<std::int32_t>(index);
      }
    }
  }

  void hand_out(Topic& topic) {
    if (std::ranges::find(topic.owners, -1) == topic.owners.end()) return;
    balancer_.start(topic.subscribers);
    for (std::size_t partition = 0; partition < topic.owners.size(); ++partition) {
      if (topic.owners[partition] == -1) move(topic, partition, balancer_.next_least_loaded());
    }
  }

  /// Goes round the topics until a whole round has moved nothing.
  void balance() {
    std::vector<Topic*> shared;
    for (auto& topic : topics_) {
      if (topic.subscribers.size() >= 2) shared.push_back(&topic);
    }
    std::optional<std::size_t> last_moved;
    for (int round = 0; round < rounds_max; ++round) {
      for (std::size_t index = 0; index < shared.size(); ++index) {
        if (index == last_moved) return;
        if (balance(*shared[index]) || !last_moved) last_moved = index;
      }
    }
  }

  /// Whether anything moved.
  bool balance(Topic& topic) {
    if (balancer_.start(topic.subscribers) <= 1) return false;
    // By owner, so that a member's last partition is found at once; ranges of owners are half open.
    std::vector<std::size_t> partitions(topic.owners.size());
    std::iota(partitions.begin(), partitions.end(), std::size_t{0});
    std::ranges::stable_sort(partitions, {}, [&topic](std::size_t partition) { return topic.owners[partition]; });
    std::unordered_map<std::int32_t, std::pair<std::size_t, std::size_t>> ranges;
    for (std::size_t i = 0; i < partitions.size(); ++i) {
      ranges.try_emplace(topic.owners[partitions[i]], i, i).first->second.second = i + 1;
    }
    bool moved = false;
    while (!balancer_.is_balanced()) {
      std::optional<std::int32_t> giver;
      while ((giver = balancer_.next_most_loaded())) {
        const auto range = ranges.find(*giver);
        if (range != ranges.end() && range->second.first < range->second.second) break;
        balancer_.exclude_most_loaded();
      }
      if (!giver) break;
      const auto partition = partitions[--ranges[*giver].second];
      const auto taker = balancer_.next_least_loaded();
      if (balancer_.is_balanced()) break;
      move(topic, partition, taker);
      moved = true;
    }
    return moved;
  }

  void move(Topic& topic, std::size_t partition, std::int32_t to) {
    auto& owner = topic.owners[partition];
    if (owner != -1) {
      assignments_[static_cast<std::size_t>(owner)].remove(topic.id, static_cast<std::int32_t>(partition));
      --counts_[static_cast<std::size_t>(owner)];
    }
    const auto estimated = (topic.owners.size() + topic.subscribers.size() - 1) / topic.subscribers.size();
    const auto capacity = JavaCapacity::initial(static_cast<std::size_t>(static_cast<float>(estimated) / 0.75F + 1.0F));
    assignments_[static_cast<std::size_t>(to)]
        .copy()
        .compute_if_absent(topic.id, [capacity] { return JavaHashSet<std::int32_t>(capacity); })
        .add(static_cast<std::int32_t>(partition));
    owner = to;
    ++counts_[static_cast<std::size_t>(to)];
  }

  const AssignableGroup& group_;
  std::vector<Topic> topics_;
  std::vector<MutableAssignment> assignments_;  // by member
  std::vector<std::int32_t> counts_;            // partitions by member
  LoadBalancer balancer_;
};

}  // namespace

GroupAssignment assign_uniformly_across_subscriptions(const AssignableGroup& group) {
  return HeterogeneousAssignment(group).build();
}

}  // namespace dohle::groups
