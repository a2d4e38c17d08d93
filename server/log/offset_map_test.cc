#include "server/log/offset_map.h"

#include <gtest/gtest.h>

#include <string>

namespace dohle::log {
namespace {

std::int64_t get(const OffsetMap& map, const std::string& key) {
  return map.get(codec::as_bytes(key));
}

TEST(OffsetMap, hashes_as_the_authors_of_siphash_do) {
  // vectors_sip128 of the reference implementation: key 00 01 .. 0f, input the first bytes of 00 01 02 ...
  const std::uint64_t key_low = 0x0706050403020100;
  const std::uint64_t key_high = 0x0f0e0d0c0b0a0908;
  const std::array<std::uint64_t, 2> empty = {0xe6a825ba047f81a3, 0x930255c71472f66d};
  EXPECT_EQ(siphash128({}, key_low, key_high), empty);
  const std::uint8_t zero[] = {0};
  const std::array<std::uint64_t, 2> one = {0x44af996bd8c187da, 0x45fc229b11597634};
  EXPECT_EQ(siphash128(zero, key_low, key_high), one);
}

TEST(OffsetMap, the_last_offset_of_a_key_counts) {
  OffsetMap map(1 << 20, 0.9);
  EXPECT_EQ(get(map, "a"), -1);
  EXPECT_EQ(map.latest_offset(), -1);
  map.put(codec::as_bytes(std::string("a")), 1);
  map.put(codec::as_bytes(std::string("b")), 2);
  map.put(codec::as_bytes(std::string("a")), 3);
  map.put(codec::as_bytes(std::string("")), 4);
  EXPECT_EQ(get(map, "a"), 3);
  EXPECT_EQ(get(map, "b"), 2);
  EXPECT_EQ(get(map, ""), 4);
  EXPECT_EQ(get(map, "c"), -1);
  EXPECT_EQ(map.size(), 3U);
  EXPECT_EQ(map.latest_offset(), 4);
}

TEST(OffsetMap, is_full_when_the_configured_memory_is_used_as_far_as_the_load_factor_says) {
  // 1000 slots of 24 bytes, as Kafka counts them.
  OffsetMap map(24'000, 0.9);
  EXPECT_EQ(map.entries_max(), 900U);
  int keys = 0;
  for (; !map.full(); ++keys) map.put(codec::as_bytes(std::to_string(keys)), keys);
  EXPECT_EQ(keys, 900);
  EXPECT_LE(map.memory_bytes(), 24'000U);
  for (int key = 0; key < keys; ++key) EXPECT_EQ(get(map, std::to_string(key)), key);
  EXPECT_EQ(get(map, "900"), -1);
}

TEST(OffsetMap, takes_memory_as_it_needs_it_and_gives_it_back) {
  OffsetMap map(128 << 20, 0.9);
  EXPECT_EQ(map.memory_bytes(), 0U);
  map.put(codec::as_bytes(std::string("a")), 1);
  EXPECT_LT(map.memory_bytes(), 100'000U);
  for (int key = 0; key < 50'000; ++key) map.put(codec::as_bytes(std::to_string(key)), key);
  EXPECT_LT(map.memory_bytes(), 4U << 20);
  for (int key = 0; key < 50'000; ++key) ASSERT_EQ(get(map, std::to_string(key)), key);
  map.clear();
  EXPECT_EQ(map.memory_bytes(), 0U);
  EXPECT_EQ(get(map, "1"), -1);
  EXPECT_EQ(map.latest_offset(), -1);
}

}  // namespace
}  // namespace dohle::log
