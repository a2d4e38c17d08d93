// All groups of a shard, of whatever type.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "server/groups/classic_group.h"
#include "server/groups/group.h"

namespace dohle::groups {

class GroupRegistry {
 public:
  using Groups = std::map<std::string, std::unique_ptr<Group>>;

  /// nullptr: there is none.
  Group* find(const std::string& id) const {
    const auto found = groups_.find(id);
    return found == groups_.end() ? nullptr : found->second.get();
  }
  /// nullptr: there is none, or it is of another type.
  ClassicGroup* find_classic(const std::string& id) const {
    auto* group = find(id);
    return group != nullptr && group->type() == GroupType::classic ? static_cast<ClassicGroup*>(group) : nullptr;
  }
  /// Replaces a group of the same id.
  Group& put(std::unique_ptr<Group> group) {
    auto& slot = groups_[group->id()];
    slot = std::move(group);
    return *slot;
  }
  void remove(const std::string& id) { groups_.erase(id); }
  /// nullptr: there is none.
  std::unique_ptr<Group> take(const std::string& id) {
    const auto found = groups_.find(id);
    if (found == groups_.end()) return nullptr;
    auto group = std::move(found->second);
    groups_.erase(found);
    return group;
  }
  const Groups& all() const { return groups_; }

 private:
  Groups groups_;
};

}  // namespace dohle::groups
