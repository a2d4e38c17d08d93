// java.util.HashMap's order of iteration. Where Kafka walks over such a map to decide who gets what, its order is part
// of the result, and it depends on the capacity that the map was made with and on the order of insertion. Not followed:
// bins of nine and more entries in tables of 64 and more, which Java turns into trees.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/java_string.h"
#include "codec/uuid.h"

namespace dohle::groups {

/// Object.hashCode of the types that are keys.
inline std::uint32_t java_hash_code(std::int32_t value) {
  return static_cast<std::uint32_t>(value);
}
inline std::uint32_t java_hash_code(std::string_view value) {
  return static_cast<std::uint32_t>(codec::java_hash(value));
}
/// The halves of org.apache.kafka.common.Uuid, as the signed numbers that it compares and hashes.
std::pair<std::int64_t, std::int64_t> java_uuid_halves(const codec::Uuid& id);
std::uint32_t java_hash_code(const codec::Uuid& id);
/// Uuid.compareTo: by signed halves.
bool java_uuid_less(const codec::Uuid& a, const codec::Uuid& b);

/// What `new HashMap(expected)` and `new HashMap(other)` come to.
struct JavaCapacity {
  /// Buckets; a power of two.
  std::size_t buckets = 16;

  /// new HashMap(capacity).
  static JavaCapacity initial(std::size_t capacity);
  /// new HashMap(map of that size).
  static JavaCapacity copy(std::size_t size);
  /// new HashSet(collection of that size).
  static JavaCapacity set_of_collection(std::size_t size);
};

/// Iterates as Java's would. References to values live until the next insertion or removal. Removal is linear.
template <typename Key, typename Value>
class JavaHashMap {
 public:
  using Entry = std::pair<Key, Value>;

  JavaHashMap() : JavaHashMap(JavaCapacity{}) {}
  explicit JavaHashMap(JavaCapacity capacity) : bucket_count_(capacity.buckets) {}

  /// new HashMap(map): the copy has a capacity of its own, and so another order.
  template <typename Map>
  static JavaHashMap copy_of(const Map& map) {
    JavaHashMap copy(JavaCapacity::copy(map.size()));
    for (const auto& [key, value] : map) copy.put(key, value);
    return copy;
  }

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  Value* find(const Key& key) {
    auto found = locate(key);
    return found == entries_.end() || found->first != key ? nullptr : &found->second;
  }
  const Value* find(const Key& key) const { return const_cast<JavaHashMap*>(this)->find(key); }
  bool contains(const Key& key) const { return find(key) != nullptr; }

  /// The value, a fresh one if there was none.
  Value& operator[](const Key& key) {
    auto found = locate(key);
    if (found != entries_.end() && found->first == key) return found->second;
    const auto position = found - entries_.begin();
    entries_.insert(found, Entry{key, Value{}});
    if (entries_.size() * 4 <= bucket_count_ * 3) return entries_[static_cast<std::size_t>(position)].second;
    grow();
    return *find(key);
  }
  void put(const Key& key, Value value) { (*this)[key] = std::move(value); }

  /// HashMap.computeIfAbsent: unlike put, it grows the table before it looks, and puts a new entry in front of its bin.
  template <typename Make>
  Value& compute_if_absent(const Key& key, const Make& make) {
    if (entries_.size() * 4 > bucket_count_ * 3) grow();
    auto found = locate(key);
    if (found != entries_.end() && found->first == key) return found->second;
    const auto bucket = bucket_of(key);
    while (found != entries_.begin() && bucket_of(std::prev(found)->first) == bucket) --found;
    return entries_.insert(found, Entry{key, make()})->second;
  }

  bool erase(const Key& key) {
    auto found = locate(key);
    if (found == entries_.end() || found->first != key) return false;
    entries_.erase(found);
    return true;
  }

  /// Equal as maps: neither order nor capacity counts.
  friend bool operator==(const JavaHashMap& a, const JavaHashMap& b) {
    return a.size() == b.size() && std::ranges::all_of(a, [&b](const Entry& entry) {
             const auto* other = b.find(entry.first);
             return other != nullptr && *other == entry.second;
           });
  }

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }

 private:
  std::size_t bucket_of(const Key& key) const {
    const auto hash = java_hash_code(key);
    return (hash ^ (hash >> 16)) & (bucket_count_ - 1);
  }
  /// The entry of that key, or where it would be put: at the end of its bucket.
  auto locate(const Key& key) {
    const auto bucket = bucket_of(key);
    auto at =
        std::ranges::lower_bound(entries_, bucket, {}, [this](const Entry& entry) { return bucket_of(entry.first); });
    while (at != entries_.end() && at->first != key && bucket_of(at->first) == bucket) ++at;
    return at;
  }
  void grow() {
    bucket_count_ *= 2;
    std::ranges::stable_sort(entries_, {}, [this](const Entry& entry) { return bucket_of(entry.first); });
  }

  std::size_t bucket_count_;
  /// In the order of iteration: by bucket, then by age.
  std::vector<Entry> entries_;
};

struct JavaNothing {
  bool operator==(const JavaNothing&) const = default;
};

/// java.util.HashSet.
template <typename Key>
class JavaHashSet {
 public:
  JavaHashSet() = default;
  explicit JavaHashSet(JavaCapacity capacity) : map_(capacity) {}
  /// new HashSet(collection), which is given in its own order.
  template <typename Range>
  static JavaHashSet of(const Range& keys) {
    JavaHashSet set(JavaCapacity::set_of_collection(static_cast<std::size_t>(std::size(keys))));
    for (const auto& key : keys) set.add(key);
    return set;
  }

  std::size_t size() const { return map_.size(); }
  bool empty() const { return map_.empty(); }
  bool contains(const Key& key) const { return map_.contains(key); }
  void add(const Key& key) { map_[key]; }
  bool erase(const Key& key) { return map_.erase(key); }
  bool operator==(const JavaHashSet&) const = default;
  /// In the order of iteration.
  std::vector<Key> keys() const {
    std::vector<Key> keys;
    keys.reserve(size());
    for (const auto& [key, nothing] : map_) keys.push_back(key);
    return keys;
  }

 private:
  JavaHashMap<Key, JavaNothing> map_;
};

}  // namespace dohle::groups
