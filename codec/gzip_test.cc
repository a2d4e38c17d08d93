#include "codec/gzip.h"

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
  static const CompressionVectors all = CompressionVectors::of(Compression::gzip);
  return all;
}

TEST(gzip, reads_and_refuses_what_kafka_reads_and_refuses) {
  ASSERT_GE(vectors().read.size(), 10u) << "testdata/compression_vectors.txt was not found";
  for (const auto& vector : vectors().read) {
    const auto output = inflate(Compression::gzip, vector.bytes, 1 << 20);
    ASSERT_EQ(output.has_value(), !vector.fails) << vector.name;
    if (!output) continue;
    EXPECT_EQ(output->size(), vector.size) << vector.name;
    EXPECT_EQ(crc32c(*output), vector.crc) << vector.name;
  }
}

TEST(gzip, reads_what_kafka_writes) {
  ASSERT_GE(vectors().written.size(), 5u);
  for (const auto& vector : vectors().written) {
    const auto output = inflate(Compression::gzip, vector.bytes, 1 << 20);
    ASSERT_TRUE(output) << vector.input_size;
    EXPECT_EQ(output->size(), vector.input_size);
    EXPECT_EQ(crc32c(*output), vector.input_crc);
  }
}

TEST(gzip, writes_what_kafka_writes) {
  for (const auto& vector : vectors().written) {
    EXPECT_EQ(compress(Compression::gzip, vector.level, vector_input(vector.input_size)), vector.bytes)
        << vector.input_size << " at level " << vector.level;
  }
}

TEST(gzip, a_member_larger_than_the_window_comes_in_pieces) {
  const Blob input(10'000'000, 'x');
  const Blob compressed = compress(Compression::gzip, -1, input);
  Inflater inflater(Compression::gzip, compressed);
  std::size_t size = 0;
  while (true) {
    const Bytes piece = inflater.next_chunk();
    if (piece.empty()) break;
    ASSERT_LE(piece.size(), 32u * 1024);
    size += piece.size();
  }
  EXPECT_FALSE(inflater.failed());
  EXPECT_EQ(size, input.size());
}

}  // namespace
}  // namespace dohle::codec
