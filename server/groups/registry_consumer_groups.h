// The consumer groups among all groups of a shard.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "server/groups/consumer_coordinator.h"
#include "server/groups/group_registry.h"

namespace dohle::groups {

/// Both outlive it.
class RegistryConsumerGroups final : public ConsumerGroups {
 public:
  RegistryConsumerGroups(GroupRegistry& groups, coordinator::Timers& timers) : groups_(groups), timers_(timers) {}

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
  void remove(const std::string& id) override { groups_.remove(id); }
  void for_each(const std::function<void(ConsumerGroup&)>& visit) override {
    for (const auto& [id, group] : groups_.all()) {
      if (group->type() == GroupType::consumer) visit(static_cast<ConsumerGroup&>(*group));
    }
  }

 private:
  GroupRegistry& groups_;
  coordinator::Timers& timers_;
};

}  // namespace dohle::groups
