#include "codec/deflater.h"

#include "codec/compression_vectors.h"
#include "gtest/gtest.h"

namespace dohle::codec {
namespace {

TEST(deflater, how_the_input_is_cut_does_not_show) {
  const Blob input = testing::vector_input(300'000);
  for (const Compression codec :
       {Compression::none, Compression::gzip, Compression::snappy, Compression::lz4, Compression::zstd}) {
    const int level = default_compression_level(codec);
    Blob output = {1, 2, 3};
    Deflater deflater(codec, level, output);
    Bytes rest = input;
    for (std::size_t size = 1; !rest.empty(); size = size * 3 + 1) {
      const Bytes piece = rest.first(std::min(size, rest.size()));
      deflater.write(piece);
      rest = rest.subspan(piece.size());
    }
    deflater.finish();
    Blob expected = compress(codec, level, input);
    expected.insert(expected.begin(), {1, 2, 3});
    EXPECT_EQ(output, expected) << compression_name(codec);
  }
}

}  // namespace
}  // namespace dohle::codec
