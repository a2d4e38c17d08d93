// The values are those of hash4j, with which Kafka hashes.
#include "codec/xxh3.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace dohle::codec {

namespace {

TEST(Xxh3, HashesAsHash4jDoes) {
  const std::vector<std::pair<std::size_t, std::uint64_t>> vectors = {
      {0, 0x2d06800538d394c2},    {1, 0x13e608bc156defed},    {3, 0xa9088dda485b481c},    {4, 0x6d9253b16c8b1ed3},
      {8, 0x60539db630471163},    {9, 0xfeff668361d723a8},    {16, 0xb8c859b0f030b585},   {17, 0x714a04408e79b80f},
      {32, 0x19ff4ee1d6ba1a55},   {64, 0x287eb1fa9e4be2c1},   {65, 0x829218de4d798646},   {100, 0xb5937857f0d78c9f},
      {128, 0x67425a03650261bf},  {129, 0xc664bf3311c6abc4},  {160, 0xd70dea8de694b883},  {200, 0x746cd0025327bf5b},
      {240, 0x64556dc6b462a6cf},  {241, 0x8beadd3a8874fe17},  {256, 0x3c38817f6d79c0da},  {512, 0xf58202b8d9019d1d},
      {1000, 0x6c4f14bd97bd9e82}, {1024, 0x9b81661c641c72b1}, {1025, 0x806c2072ed713576}, {2000, 0x71f8268c6d856c4a},
      {4096, 0xd7428746842be37e}, {10000, 0xfcd0ecba1a48462d}};
  for (const auto& [size, expected] : vectors) {
    Blob bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + 3);
    EXPECT_EQ(xxh3_64(bytes), expected) << size;
  }
}

}  // namespace

}  // namespace dohle::codec
