#include "codec/lz4_frame.h"

#include "codec/compression.h"
#include "codec/compression_vectors.h"
#include "codec/crc32c.h"
#include "codec/inflater.h"
#include "gtest/gtest.h"

namespace dohle::codec {
namespace {

using testing::CompressionVectors;
using testing::vector_input;

const CompressionVectors& vectors() {
  static const CompressionVectors all = CompressionVectors::of(Compression::lz4);
  return all;
}

TEST(lz4_frame, reads_and_refuses_what_kafka_reads_and_refuses) {
  ASSERT_GE(vectors().read.size(), 10u) << "testdata/compression_vectors.txt was not found";
  for (const auto& vector : vectors().read) {
    const auto output = inflate(Compression::lz4, vector.bytes, 1 << 20);
    ASSERT_EQ(output.has_value(), !vector.fails) << vector.name;
    if (!output) continue;
    EXPECT_EQ(output->size(), vector.size) << vector.name;
    EXPECT_EQ(crc32c(*output), vector.crc) << vector.name;
  }
}

TEST(lz4_frame, reads_what_kafka_writes) {
  ASSERT_GE(vectors().written.size(), 5u);
  for (const auto& vector : vectors().written) {
    const auto output = inflate(Compression::lz4, vector.bytes, 1 << 20);
    ASSERT_TRUE(output) << vector.input_size;
    EXPECT_EQ(output->size(), vector.input_size);
    EXPECT_EQ(crc32c(*output), vector.input_crc);
  }
}

// The compressor of lz4-java is a newer release, whose choices may differ; the fast one's have not changed.
TEST(lz4_frame, writes_what_kafka_writes_at_the_default_level) {
  int compared = 0;
  for (const auto& vector : vectors().written) {
    if (vector.level != 9) continue;
    EXPECT_EQ(compress(Compression::lz4, vector.level, vector_input(vector.input_size)), vector.bytes)
        << vector.input_size;
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

TEST(lz4_frame, other_levels_read_back_and_have_kafkas_head_and_end_mark) {
  const Blob input = vector_input(200'000);
  for (const int level : {-3, 1, 5, 12, 17, 99}) {
    const Blob bytes = compress(Compression::lz4, level, input);
    ASSERT_GT(bytes.size(), 11u);
    EXPECT_EQ(Blob(bytes.begin(), bytes.begin() + 7), (Blob{0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82}));
    EXPECT_EQ(Blob(bytes.end() - 4, bytes.end()), (Blob{0, 0, 0, 0}));
    EXPECT_EQ(inflate(Compression::lz4, bytes, input.size()), input) << level;
  }
}

TEST(lz4_frame, refuses_a_block_above_the_maximum_of_the_frame) {
  Blob frame = {0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, 0x01, 0x00, 0x01, 0x80};
  frame.resize(frame.size() + 65537);
  frame.resize(frame.size() + 4);
  EXPECT_FALSE(inflate(Compression::lz4, frame, 1 << 20));
  frame[7] = 0;  // 65,536, and one byte too many before the end mark
  frame.erase(frame.end() - 1);
  EXPECT_TRUE(inflate(Compression::lz4, frame, 1 << 20));
}

}  // namespace
}  // namespace dohle::codec
