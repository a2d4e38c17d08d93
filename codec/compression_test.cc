#include "codec/compression.h"

#include "codec/compression_vectors.h"
#include "gtest/gtest.h"

namespace dohle::codec {
namespace {

constexpr Compression all[] = {Compression::none, Compression::gzip, Compression::snappy, Compression::lz4,
                               Compression::zstd};

TEST(compression, ids_and_names_are_kafkas) {
  EXPECT_EQ(compression_from_id(0), Compression::none);
  EXPECT_EQ(compression_from_id(4), Compression::zstd);
  EXPECT_FALSE(compression_from_id(5));
  EXPECT_FALSE(compression_from_id(-1));
  for (const Compression codec : all) EXPECT_EQ(compression_from_name(compression_name(codec)), codec);
  EXPECT_FALSE(compression_from_name("GZIP"));
  EXPECT_FALSE(compression_from_name("producer"));
}

TEST(compression, the_default_levels_are_kafkas) {
  EXPECT_EQ(default_compression_level(Compression::gzip), -1);
  EXPECT_EQ(default_compression_level(Compression::lz4), 9);
  EXPECT_EQ(default_compression_level(Compression::zstd), 3);
}

TEST(compression, inflate_stops_at_the_size_that_is_allowed) {
  const Blob input = testing::vector_input(100'000);
  for (const Compression codec : all) {
    const Blob bytes = compress(codec, default_compression_level(codec), input);
    EXPECT_EQ(inflate(codec, bytes, 100'000), input);
    EXPECT_FALSE(inflate(codec, bytes, 99'999)) << compression_name(codec);
  }
}

}  // namespace
}  // namespace dohle::codec
