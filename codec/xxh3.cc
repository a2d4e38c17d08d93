#include "codec/xxh3.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace dohle::codec {

namespace {

constexpr std::uint64_t prime32_1 = 0x9E3779B1U;
constexpr std::uint64_t prime32_2 = 0x85EBCA77U;
constexpr std::uint64_t prime32_3 = 0xC2B2AE3DU;
constexpr std::uint64_t prime64_1 = 0x9E3779B185EBCA87U;
constexpr std::uint64_t prime64_2 = 0xC2B2AE3D27D4EB4FU;
constexpr std::uint64_t prime64_3 = 0x165667B19E3779F9U;
constexpr std::uint64_t prime64_4 = 0x85EBCA77C2B2AE63U;
constexpr std::uint64_t prime64_5 = 0x27D4EB2F165667C5U;

constexpr std::size_t stripe_bytes = 64;
constexpr std::size_t stripes_per_block = 16;
constexpr std::size_t block_bytes = stripe_bytes * stripes_per_block;

// The algorithm's published constant.
constexpr std::array<std::uint8_t, 192> secret = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4,
    0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e,
    0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21, 0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43,
    0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb,
    0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19,
    0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8, 0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7,
    0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78,
    0x73, 0x64, 0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e, 0x2b, 0x16,
    0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45, 0xcb, 0x3a, 0x8f,
    0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e};

template <typename T>
T read(const std::uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}
std::uint64_t read64(const std::uint8_t* bytes) {
  return read<std::uint64_t>(bytes);
}
std::uint64_t secret64(std::size_t at) {
  return read64(secret.data() + at);
}

std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const auto product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t avalanche(std::uint64_t hash) {
  hash ^= hash >> 37;
  hash *= 0x165667919E3779F9U;
  return hash ^ hash >> 32;
}

std::uint64_t avalanche_of_xxh64(std::uint64_t hash) {
  hash ^= hash >> 33;
  hash *= prime64_2;
  hash ^= hash >> 29;
  hash *= prime64_3;
  return hash ^ hash >> 32;
}

std::uint64_t mix(const std::uint8_t* bytes, std::size_t secret_at) {
  return fold(read64(bytes) ^ secret64(secret_at), read64(bytes + 8) ^ secret64(secret_at + 8));
}

std::uint64_t hash_up_to_16(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return avalanche_of_xxh64(secret64(56) ^ secret64(64));
  if (size <= 3) {
    const auto combined = static_cast<std::uint32_t>(bytes[0]) << 16 |
                          static_cast<std::uint32_t>(bytes[size / 2]) << 24 | bytes[size - 1] |
                          static_cast<std::uint32_t>(size) << 8;
    const auto flip = read<std::uint32_t>(secret.data()) ^ read<std::uint32_t>(secret.data() + 4);
    return avalanche_of_xxh64(combined ^ flip);
  }
  if (size <= 8) {
    const std::uint64_t first = read<std::uint32_t>(bytes);
    const std::uint64_t last = read<std::uint32_t>(bytes + size - 4);
    auto hash = (last + (first << 32)) ^ (secret64(8) ^ secret64(16));
    hash ^= std::rotl(hash, 49) ^ std::rotl(hash, 24);
    hash *= 0x9FB21C651E98DF25U;
    hash ^= (hash >> 35) + size;
    hash *= 0x9FB21C651E98DF25U;
    return hash ^ hash >> 28;
  }
  const auto low = read64(bytes) ^ (secret64(24) ^ secret64(32));
  const auto high = read64(bytes + size - 8) ^ (secret64(40) ^ secret64(48));
  return avalanche(size + __builtin_bswap64(low) + high + fold(low, high));
}

std::uint64_t hash_up_to_240(const std::uint8_t* bytes, std::size_t size) {
  auto hash = size * prime64_1;
  if (size <= 128) {
    for (std::size_t i = (size - 1) / 32 + 1; i-- > 0;) {
      hash += mix(bytes + 16 * i, 32 * i) + mix(bytes + size - 16 * (i + 1), 32 * i + 16);
    }
    return avalanche(hash);
  }
  for (std::size_t i = 0; i < 8; ++i) hash += mix(bytes + 16 * i, 16 * i);
  hash = avalanche(hash);
  for (std::size_t i = 8; i < size / 16; ++i) hash += mix(bytes + 16 * i, 16 * (i - 8) + 3);
  return avalanche(hash + mix(bytes + size - 16, 136 - 17));
}

using Lanes = std::array<std::uint64_t, 8>;

void accumulate(Lanes& lanes, const std::uint8_t* stripe, std::size_t secret_at) {
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const auto value = read64(stripe + 8 * i);
    const auto key = value ^ secret64(secret_at + 8 * i);
    lanes[i ^ 1U] += value;
    lanes[i] += (key & 0xFFFFFFFFU) * (key >> 32);
  }
}

std::uint64_t hash_long(const std::uint8_t* bytes, std::size_t size) {
  Lanes lanes = {prime32_3, prime64_1, prime64_2, prime64_3, prime64_4, prime32_2, prime64_5, prime32_1};
  const auto stripes = (size - 1) / stripe_bytes;
  for (std::size_t n = 0; n < stripes; ++n) {
    accumulate(lanes, bytes + n * stripe_bytes, n % stripes_per_block * 8);
    if ((n + 1) % stripes_per_block != 0 || (n + 1) / stripes_per_block > (size - 1) / block_bytes) continue;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      lanes[i] = (lanes[i] ^ lanes[i] >> 47 ^ secret64(secret.size() - stripe_bytes + 8 * i)) * prime32_1;
    }
  }
  accumulate(lanes, bytes + size - stripe_bytes, secret.size() - stripe_bytes - 7);
  auto hash = size * prime64_1;
  for (std::size_t i = 0; i < 4; ++i) {
    hash += fold(lanes[2 * i] ^ secret64(11 + 16 * i), lanes[2 * i + 1] ^ secret64(19 + 16 * i));
  }
  return avalanche(hash);
}

}  // namespace

std::uint64_t xxh3_64(Bytes bytes) {
  static_assert(std::endian::native == std::endian::little);
  if (bytes.size() <= 16) return hash_up_to_16(bytes.data(), bytes.size());
  if (bytes.size() <= 240) return hash_up_to_240(bytes.data(), bytes.size());
  return hash_long(bytes.data(), bytes.size());
}

}  // namespace dohle::codec
