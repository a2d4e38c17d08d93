#include "protocol/byte_stream.h"

#include "codec/writer.h"
#include "gtest/gtest.h"

namespace dohle::protocol {
namespace {

using Failure = ByteStream::Failure;

/// More than one window of every format, so that numbers lie across its pieces.
codec::Blob numbers() {
  codec::Writer writer;
  for (std::int64_t i = 0; i < 100'000; ++i) {
    writer.varint(static_cast<std::int32_t>(i * 7919));
    writer.varlong(i * -1'000'000'007);
    writer.i8(static_cast<std::int8_t>(i));
  }
  return writer.release();
}

constexpr codec::Compression all[] = {codec::Compression::none, codec::Compression::gzip, codec::Compression::snappy,
                                      codec::Compression::lz4, codec::Compression::zstd};

TEST(byte_stream, reads_numbers_across_the_pieces_of_every_codec) {
  const codec::Blob input = numbers();
  for (const auto codec : all) {
    const codec::Blob payload = codec::compress(codec, codec::default_compression_level(codec), input);
    ByteStream stream(codec, payload);
    for (std::int64_t i = 0; i < 100'000; ++i) {
      ASSERT_EQ(stream.varint(), static_cast<std::int32_t>(i * 7919));
      ASSERT_EQ(stream.varlong(), i * -1'000'000'007);
      ASSERT_EQ(stream.byte(), static_cast<std::uint8_t>(i));
    }
    EXPECT_EQ(stream.position(), input.size());
    EXPECT_TRUE(stream.at_end()) << codec::compression_name(codec);
  }
}

TEST(byte_stream, skips_and_copies_across_pieces) {
  const codec::Blob input = numbers();
  for (const auto codec : all) {
    const codec::Blob payload = codec::compress(codec, codec::default_compression_level(codec), input);
    ByteStream stream(codec, payload);
    stream.skip(-5);
    stream.skip(70'000);
    codec::Blob copied;
    codec::Deflater to(codec::Compression::none, 0, copied);
    stream.copy(200'000, to);
    EXPECT_EQ(copied, codec::Blob(input.begin() + 70'000, input.begin() + 270'000));
    EXPECT_EQ(stream.position(), 270'000u);
    EXPECT_FALSE(stream.at_end());
    stream.skip(static_cast<std::int64_t>(input.size()));
    EXPECT_EQ(stream.failure(), Failure::ended);
  }
}

TEST(byte_stream, failures_are_told_apart_and_sticky) {
  const codec::Blob too_long = {0xff, 0xff, 0xff, 0xff, 0xff, 1, 2};
  ByteStream stream(codec::Compression::none, too_long);
  EXPECT_EQ(stream.varint(), 0);
  EXPECT_EQ(stream.failure(), Failure::too_long);
  EXPECT_EQ(stream.byte(), 0);
  EXPECT_FALSE(stream.at_end());
  ByteStream cut(codec::Compression::none, codec::Bytes(too_long).first(2));
  cut.varint();
  EXPECT_EQ(cut.failure(), Failure::ended);
  ByteStream garbage(codec::Compression::zstd, too_long);
  garbage.byte();
  EXPECT_EQ(garbage.failure(), Failure::inflate);
}

}  // namespace
}  // namespace dohle::protocol
