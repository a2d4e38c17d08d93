#include "codec/snappy_block.h"

#include <snappy.h>

#include <algorithm>
#include <string>

#include "codec/compression_vectors.h"
#include "gtest/gtest.h"

namespace dohle::codec {
namespace {

using testing::vector_input;

std::string pack(const Blob& input) {
  std::string packed;
  snappy::Compress(reinterpret_cast<const char*>(input.data()), input.size(), &packed);
  return packed;
}

/// What comes out, with the largest piece.
struct Outcome {
  Blob bytes;
  std::size_t largest = 0;
  bool failed = false;
};

Outcome unpack(Bytes input) {
  SnappyBlock block;
  block.reset(input);
  Outcome outcome;
  for (Bytes piece = block.next(); !piece.empty(); piece = block.next()) {
    outcome.bytes.insert(outcome.bytes.end(), piece.begin(), piece.end());
    outcome.largest = std::max(outcome.largest, piece.size());
  }
  outcome.failed = block.failed();
  return outcome;
}

Blob noise(std::size_t size) {
  Blob bytes(size);
  std::uint32_t state = 7;
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  return bytes;
}

TEST(snappy_block, large_blocks_come_in_small_pieces_and_are_the_same) {
  Blob mixed = noise(1'500'000);
  const Blob text = vector_input(1'500'000);
  mixed.insert(mixed.end(), text.begin(), text.end());
  mixed.insert(mixed.end(), 500'000, 'x');
  for (const Blob& input : {mixed, noise(2'000'000), Blob(5'000'000, 'y'), vector_input(1'048'577)}) {
    const std::string packed = pack(input);
    const Outcome outcome = unpack(as_bytes(packed));
    EXPECT_FALSE(outcome.failed);
    EXPECT_EQ(outcome.bytes, input);
    EXPECT_LE(outcome.largest, 128u * 1024);
  }
}

TEST(snappy_block, large_blocks_that_are_malformed_fail) {
  const std::string packed = pack(vector_input(2'000'000));
  const Bytes bytes = as_bytes(packed);
  EXPECT_TRUE(unpack(bytes.first(bytes.size() - 1)).failed);
  EXPECT_TRUE(unpack(bytes.first(5)).failed);
  Blob longer(bytes.begin(), bytes.end());
  longer.push_back(0);
  longer.push_back('a');
  EXPECT_TRUE(unpack(longer).failed) << "more than the head says";
  // The head says 2,000,000; then a copy from before the beginning, and one from nowhere.
  EXPECT_TRUE(unpack(Blob{0x80, 0x89, 0x7a, 0x01, 0x01}).failed);
  EXPECT_TRUE(unpack(Blob{0x80, 0x89, 0x7a, 0x00, 'a', 0x01, 0x00}).failed);
  // A literal that claims four gigabytes.
  EXPECT_TRUE(unpack(Blob{0x80, 0x89, 0x7a, 0xfc, 0xff, 0xff, 0xff, 0xff}).failed);
  EXPECT_TRUE(unpack(Blob{0x80, 0x89, 0x7a, 0xfc, 0xff}).failed);
}

TEST(snappy_block, a_copy_from_beyond_the_window_fails_in_a_large_block) {
  // 70,000 bytes of literal, then a copy from 66,000 back.
  Blob block = {0x80, 0x89, 0x7a, 0xf8, 0x6f, 0x11, 0x01};
  block.resize(block.size() + 70'000);
  const Blob copy = {0xff, 0xd0, 0x01, 0x01, 0x00};
  for (int i = 0; i < 40'000; ++i) block.insert(block.end(), copy.begin(), copy.end());
  EXPECT_TRUE(unpack(block).failed);
}

TEST(snappy_block, no_head_is_a_failure) {
  EXPECT_TRUE(unpack({}).failed);
}

}  // namespace
}  // namespace dohle::codec
