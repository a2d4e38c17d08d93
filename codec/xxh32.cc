#include "codec/xxh32.h"

#include <array>
#include <bit>
#include <cstddef>

namespace dohle::codec {

namespace {

constexpr std::uint32_t prime1 = 0x9e3779b1;
constexpr std::uint32_t prime2 = 0x85ebca77;
constexpr std::uint32_t prime3 = 0xc2b2ae3d;
constexpr std::uint32_t prime4 = 0x27d4eb2f;
constexpr std::uint32_t prime5 = 0x165667b1;

std::uint32_t little_endian(const std::uint8_t* from) {
  return from[0] | static_cast<std::uint32_t>(from[1]) << 8 | static_cast<std::uint32_t>(from[2]) << 16 |
         static_cast<std::uint32_t>(from[3]) << 24;
}

}  // namespace

std::uint32_t xxh32(Bytes bytes) {
  const std::uint8_t* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint32_t hash = prime5;
  if (left >= 16) {
    std::array<std::uint32_t, 4> lanes = {prime1 + prime2, prime2, 0, 0U - prime1};
    for (; left >= 16; left -= 16) {
      for (std::uint32_t& lane : lanes) {
        lane = std::rotl(lane + little_endian(at) * prime2, 13) * prime1;
        at += 4;
      }
    }
    hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
  }
  hash += static_cast<std::uint32_t>(bytes.size());
  for (; left >= 4; left -= 4, at += 4) hash = std::rotl(hash + little_endian(at) * prime3, 17) * prime4;
  for (; left > 0; --left, ++at) hash = std::rotl(hash + *at * prime5, 11) * prime1;
  hash = (hash ^ (hash >> 15)) * prime2;
  hash = (hash ^ (hash >> 13)) * prime3;
  return hash ^ (hash >> 16);
}

}  // namespace dohle::codec
