// The order of iteration of Kafka's TimelineHashMap, in which a coordinator keeps its groups' members.
// Source: org.apache.kafka.timeline.BaseHashTable.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "server/groups/java_hash_map.h"

namespace dohle::groups {

/// References to values live until the next insertion or removal.
template <typename Key, typename Value>
class TimelineHashMap {
 public:
  using Entry = std::pair<Key, Value>;

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  Value* find(const Key& key) {
    const auto at = locate(key);
    return at == entries_.end() || at->first != key ? nullptr : &at->second;
  }
  const Value* find(const Key& key) const { return const_cast<TimelineHashMap*>(this)->find(key); }
  bool contains(const Key& key) const { return find(key) != nullptr; }

  void put(const Key& key, Value value) {
    // Before it looks whether the key is there, as Kafka's.
    if (static_cast<double>(entries_.size() + 1) * 0.75 > static_cast<double>(slot_count_)) {
      slot_count_ *= 2;
      std::ranges::stable_sort(entries_, {}, [this](const Entry& entry) { return slot_of(entry.first); });
    }
    const auto at = locate(key);
    if (at != entries_.end() && at->first == key) {
      at->second = std::move(value);
    } else {
      entries_.insert(slot_begin(slot_of(key)), Entry{key, std::move(value)});
    }
  }

  bool erase(const Key& key) {
    const auto at = locate(key);
    if (at == entries_.end() || at->first != key) return false;
    entries_.erase(at);
    return true;
  }

 private:
  std::uint64_t slot_of(const Key& key) const {
    const auto hash = static_cast<std::int64_t>(static_cast<std::int32_t>(java_hash_code(key)));
    const auto spread = static_cast<std::uint64_t>(hash) * static_cast<std::uint64_t>(-7046029254386353131LL);
    return spread >> (65 - std::bit_width(slot_count_));
  }
  auto slot_begin(std::uint64_t slot) {
    return std::ranges::lower_bound(entries_, slot, {}, [this](const Entry& entry) { return slot_of(entry.first); });
  }
  /// The entry of that key, or another one.
  auto locate(const Key& key) {
    const auto slot = slot_of(key);
    auto at = slot_begin(slot);
    while (at != entries_.end() && at->first != key && slot_of(at->first) == slot) ++at;
    return at;
  }

  std::uint64_t slot_count_ = 2;
  /// In the order of iteration: by slot, and in a slot the youngest first.
  std::vector<Entry> entries_;
};

}  // namespace dohle::groups
