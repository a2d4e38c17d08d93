#include "codec/inflater.h"

#include <algorithm>

#include "codec/compression_vectors.h"
#include "gtest/gtest.h"

namespace dohle::codec {
namespace {

constexpr Compression all[] = {Compression::none, Compression::gzip, Compression::snappy, Compression::lz4,
                               Compression::zstd};

TEST(inflater, reads_across_its_pieces) {
  const Blob input = testing::vector_input(300'001);
  for (const Compression codec : all) {
    const Blob bytes = compress(codec, default_compression_level(codec), input);
    Inflater inflater(codec, bytes);
    Blob output(input.size());
    std::size_t at = 0;
    while (true) {
      const std::size_t size = std::min<std::size_t>(999, output.size() - at + 1);
      Blob piece(size);
      const auto read = inflater.read(piece);
      ASSERT_TRUE(read);
      std::copy(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(*read), output.begin() + at);
      at += *read;
      if (*read < size) break;
    }
    EXPECT_EQ(at, input.size());
    EXPECT_EQ(output, input) << compression_name(codec);
    Blob more(1);
    EXPECT_EQ(inflater.read(more), 0u) << "the end stays the end";
  }
}

TEST(inflater, mixes_pieces_and_reads) {
  const Blob bytes = compress(Compression::lz4, 9, as_bytes("abcdef"));
  Inflater inflater(Compression::lz4, bytes);
  Blob two(2);
  ASSERT_EQ(inflater.read(two), 2u);
  EXPECT_EQ(as_text(inflater.next_chunk()), "cdef");
  EXPECT_TRUE(inflater.next_chunk().empty());
  EXPECT_FALSE(inflater.failed());
}

TEST(inflater, a_failure_is_told_and_does_not_reach_the_next_stream) {
  const Blob input = testing::vector_input(100'000);
  for (const Compression codec : {Compression::gzip, Compression::snappy, Compression::lz4, Compression::zstd}) {
    Blob bytes = compress(codec, default_compression_level(codec), input);
    Blob cut(bytes.begin(), bytes.end() - 5);
    Blob room(input.size());
    {
      Inflater inflater(codec, cut);
      while (!inflater.next_chunk().empty()) {
      }
      EXPECT_TRUE(inflater.failed()) << compression_name(codec);
      EXPECT_FALSE(inflater.read(room));
    }
    Inflater inflater(codec, bytes);
    EXPECT_EQ(inflater.read(room), input.size());
    EXPECT_EQ(room, input);
  }
}

TEST(inflater, streams_may_be_nested) {
  const Blob inner = compress(Compression::zstd, 3, as_bytes("inner"));
  const Blob outer = compress(Compression::zstd, 3, inner);
  Inflater first(Compression::zstd, outer);
  const Bytes piece = first.next_chunk();
  Inflater second(Compression::zstd, piece);
  EXPECT_EQ(as_text(second.next_chunk()), "inner");
  EXPECT_TRUE(first.next_chunk().empty());
}

}  // namespace
}  // namespace dohle::codec
