#include "server/groups/java_hash_map.h"

#include <bit>

namespace dohle::groups {

std::pair<std::int64_t, std::int64_t> java_uuid_halves(const codec::Uuid& id) {
  std::uint64_t most = 0;
  std::uint64_t least = 0;
  for (std::size_t i = 0; i < 8; ++i) most = most << 8 | id.bytes[i];
  for (std::size_t i = 8; i < 16; ++i) least = least << 8 | id.bytes[i];
  return {static_cast<std::int64_t>(most), static_cast<std::int64_t>(least)};
}

std::uint32_t java_hash_code(const codec::Uuid& id) {
  const auto [most, least] = java_uuid_halves(id);
  const auto mixed = static_cast<std::uint64_t>(most ^ least);
  return static_cast<std::uint32_t>(mixed >> 32) ^ static_cast<std::uint32_t>(mixed);
}

bool java_uuid_less(const codec::Uuid& a, const codec::Uuid& b) {
  return java_uuid_halves(a) < java_uuid_halves(b);
}

JavaCapacity JavaCapacity::initial(std::size_t capacity) {
  return {std::bit_ceil(std::max<std::size_t>(capacity, 1))};
}

JavaCapacity JavaCapacity::copy(std::size_t size) {
  return size == 0 ? JavaCapacity{} : initial(static_cast<std::size_t>(static_cast<float>(size) / 0.75F + 1.0F));
}

JavaCapacity JavaCapacity::set_of_collection(std::size_t size) {
  const auto wanted = static_cast<std::size_t>(static_cast<float>(size) / 0.75F + 1.0F);
  return initial(std::max<std::size_t>(wanted, 16));
}

}  // namespace dohle::groups
