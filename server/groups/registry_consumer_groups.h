// The consumer groups among all groups of a shard.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/groups/consumer_coordinator.h"
#include "server/groups/group_registry.h"

namespace dohle::groups {

/// All outlive it.
class RegistryConsumerGroups final : public ConsumerGroups {
 public:
  RegistryConsumerGroups(GroupRegistry& groups, coordinator::Timers& timers, ClassicCoordinator& classic)
      : groups_(groups), timers_(timers), classic_(classic) {}

  ConsumerGroup* find(const std::string& id) override {
    auto* group = groups_.find(id);
    return group != nullptr && group->type() == GroupType::consumer ? static_cast<ConsumerGroup*>(group) : nullptr;
  }
  bool is_of_another_type(const std::string& id) override {
    const auto* group = groups_.find(id);
    return group != nullptr && group->type() != GroupType::consumer;
  }
  bool replace_empty_classic(const std::string& id, std::vector<coordinator::Record>& records) override {
    const auto* group = groups_.find_classic(id);
    if (group == nullptr || !group->is_empty()) return false;
    group->append_tombstones(records);
    group->cancel_timers(timers_);
    return true;
  }
  ConsumerGroup* create(const std::string& id) override {
    const auto* former = groups_.find(id);
    const bool simple = former == nullptr || (former->type() == GroupType::classic && former->is_empty() &&
                                              former->protocol_type_name().empty());
    if (!simple) return nullptr;
    return static_cast<ConsumerGroup*>(&groups_.put(std::make_unique<ConsumerGroup>(id)));
  }
  ClassicGroup* find_classic(const std::string& id) override { return groups_.find_classic(id); }
  coordinator::Completion downgrade(std::unique_ptr<ClassicGroup> group, bool rebalance, std::int64_t now_ms) override {
    const auto id = group->id();
    // The records that are on their way still speak of the former group's members.
    auto former = groups_.take(id);
    classic_.adopted(static_cast<ClassicGroup&>(groups_.put(std::move(group))), rebalance, now_ms);
    return [this, id, former = std::move(former)](protocol::ErrorCode error) mutable {
      if (error == protocol::ErrorCode::none) return;
      classic_.discard(id, error);
      groups_.put(std::move(former));
    };
  }
  void remove(const std::string& id) override { groups_.remove(id); }
  void for_each(const std::function<void(ConsumerGroup&)>& visit) override {
    for (const auto& [id, group] : groups_.all()) {
      if (group->type() == GroupType::consumer) visit(static_cast<ConsumerGroup&>(*group));
    }
  }

 private:
  GroupRegistry& groups_;
  coordinator::Timers& timers_;
  ClassicCoordinator& classic_;
};

}  // namespace dohle::groups
