#include "codec/snappy_frame.h"

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
  static const CompressionVectors all = CompressionVectors::of(Compression::snappy);
  return all;
}

TEST(snappy_frame, reads_and_refuses_what_kafka_reads_and_refuses) {
  ASSERT_GE(vectors().read.size(), 10u) << "testdata/compression_vectors.txt was not found";
  for (const auto& vector : vectors().read) {
    const auto output = inflate(Compression::snappy, vector.bytes, 1 << 20);
    ASSERT_EQ(output.has_value(), !vector.fails) << vector.name;
    if (!output) continue;
    EXPECT_EQ(output->size(), vector.size) << vector.name;
    EXPECT_EQ(crc32c(*output), vector.crc) << vector.name;
  }
}

TEST(snappy_frame, reads_what_kafka_writes) {
  ASSERT_GE(vectors().written.size(), 5u);
  for (const auto& vector : vectors().written) {
    const auto output = inflate(Compression::snappy, vector.bytes, 1 << 20);
    ASSERT_TRUE(output) << vector.input_size;
    EXPECT_EQ(output->size(), vector.input_size);
    EXPECT_EQ(crc32c(*output), vector.input_crc);
  }
}

TEST(snappy_frame, writes_what_kafka_writes) {
  for (const auto& vector : vectors().written) {
    EXPECT_EQ(compress(Compression::snappy, 0, vector_input(vector.input_size)), vector.bytes) << vector.input_size;
  }
}

}  // namespace
}  // namespace dohle::codec
