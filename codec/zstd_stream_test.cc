#include "codec/zstd_stream.h"

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
  static const CompressionVectors all = CompressionVectors::of(Compression::zstd);
  return all;
}

TEST(zstd_stream, reads_and_refuses_what_kafka_reads_and_refuses) {
  ASSERT_GE(vectors().read.size(), 10u) << "testdata/compression_vectors.txt was not found";
  for (const auto& vector : vectors().read) {
    const auto output = inflate(Compression::zstd, vector.bytes, 1 << 20);
    ASSERT_EQ(output.has_value(), !vector.fails) << vector.name;
    if (!output) continue;
    EXPECT_EQ(output->size(), vector.size) << vector.name;
    EXPECT_EQ(crc32c(*output), vector.crc) << vector.name;
  }
}

TEST(zstd_stream, reads_what_kafka_writes) {
  ASSERT_GE(vectors().written.size(), 5u);
  for (const auto& vector : vectors().written) {
    const auto output = inflate(Compression::zstd, vector.bytes, 1 << 20);
    ASSERT_TRUE(output) << vector.input_size;
    EXPECT_EQ(output->size(), vector.input_size);
    EXPECT_EQ(crc32c(*output), vector.input_crc);
  }
}

// zstd-jni has a newer library, whose choices may differ; the frame's head must not.
TEST(zstd_stream, writes_frames_like_kafkas) {
  for (const auto& vector : vectors().written) {
    const Blob input = vector_input(vector.input_size);
    const Blob bytes = compress(Compression::zstd, vector.level == 0 ? 3 : vector.level, input);
    ASSERT_GE(bytes.size(), 6u);
    EXPECT_EQ(Blob(bytes.begin(), bytes.begin() + 6), Blob(vector.bytes.begin(), vector.bytes.begin() + 6))
        << vector.input_size << " at level " << vector.level;
    EXPECT_EQ(inflate(Compression::zstd, bytes, input.size()), input);
  }
}

TEST(zstd_stream, levels_out_of_range_are_clamped) {
  const Blob input = vector_input(5000);
  EXPECT_EQ(inflate(Compression::zstd, compress(Compression::zstd, 1000, input), 5000), input);
  EXPECT_EQ(inflate(Compression::zstd, compress(Compression::zstd, -1'000'000, input), 5000), input);
}

}  // namespace
}  // namespace dohle::codec
