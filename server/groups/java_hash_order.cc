#include "server/groups/java_hash_order.h"

#include <algorithm>
#include <cstdint>

#include "codec/java_string.h"

namespace dohle::groups {

std::vector<std::string> java_hash_order(std::vector<std::string> keys) {
  std::size_t buckets = 16;
  while (keys.size() * 4 > buckets * 3) buckets *= 2;
  const auto bucket_of = [buckets](const std::string& key) {
    const auto hash = static_cast<std::uint32_t>(codec::java_hash(key));
    return (hash ^ (hash >> 16)) & (buckets - 1);
  };
  std::ranges::stable_sort(keys, {}, bucket_of);
  return keys;
}

}  // namespace dohle::groups
