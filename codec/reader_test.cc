#include "codec/reader.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace dohle::codec {
namespace {

// The expected values of all varint tables are what ByteUtils of Kafka 4.4.0 reads from these bytes.

template <typename Value>
struct Varint {
  Blob bytes;
  std::optional<Value> value;  // nothing: Kafka throws
};

TEST(reader, reads_fixed_types_big_endian) {
  const Blob bytes = {0xff, 0xff, 0xfe, 0xff, 0xfe, 1, 2, 3, 4, 0xff, 2, 3, 4, 0x80, 0, 0, 0, 0, 0, 0, 1};
  Reader reader(bytes);
  EXPECT_EQ(reader.i8(), -1);
  EXPECT_EQ(reader.i16(), -2);
  EXPECT_EQ(reader.u16(), 65534);
  EXPECT_EQ(reader.i32(), 0x01020304);
  EXPECT_EQ(reader.u32(), 0xff020304U);
  EXPECT_EQ(reader.i64(), std::numeric_limits<std::int64_t>::min() + 1);
  EXPECT_EQ(reader.remaining(), 0u);
  EXPECT_TRUE(reader.ok());
}

TEST(reader, reads_doubles_booleans_and_ids) {
  const Blob bytes = {0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0, 1, 7, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  Reader reader(bytes);
  EXPECT_EQ(reader.f64(), 1.5);
  EXPECT_FALSE(reader.boolean());
  EXPECT_TRUE(reader.boolean());
  EXPECT_TRUE(reader.boolean()) << "any byte but zero is true";
  const Uuid id = reader.uuid();
  for (std::uint8_t i = 0; i < 16; ++i) EXPECT_EQ(id.bytes[i], i);
}

TEST(reader, reads_unsigned_varints_as_kafka_does) {
  const std::vector<Varint<std::uint32_t>> cases = {
      {{0x00}, 0},
      {{0x80, 0x01}, 128},
      {{0xff, 0xff, 0xff, 0xff, 0x0f}, 0xffffffffU},
      {{0xff, 0xff, 0xff, 0xff, 0x7f}, 0xffffffffU},
      {{0xff, 0xff, 0xff, 0xff, 0x1f}, 0xffffffffU},
      {{0x80, 0x80, 0x80, 0x80, 0x00}, 0},
      {{0xff, 0xff, 0xff, 0xff, 0xff}, std::nullopt},
      {{0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, std::nullopt},
      {{0xff}, std::nullopt},
      {{}, std::nullopt},
  };
  for (const auto& [bytes, value] : cases) {
    Reader reader(bytes);
    EXPECT_EQ(reader.uvarint(), value.value_or(0));
    EXPECT_EQ(reader.ok(), value.has_value());
  }
}

TEST(reader, reads_signed_varints_as_kafka_does) {
  const std::vector<Varint<std::int32_t>> cases = {
      {{0x00}, 0},
      {{0x01}, -1},
      {{0x02}, 1},
      {{0x7e}, 63},
      {{0x7f}, -64},
      {{0x80, 0x01}, 64},
      {{0x81, 0x01}, -65},
      {{0xfe, 0xff, 0xff, 0xff, 0x0f}, std::numeric_limits<std::int32_t>::max()},
      {{0xff, 0xff, 0xff, 0xff, 0x0f}, std::numeric_limits<std::int32_t>::min()},
      {{0xff, 0xff, 0xff, 0xff, 0x7f}, std::numeric_limits<std::int32_t>::min()},
      {{0x80, 0x80, 0x80, 0x80, 0x80}, std::nullopt},
  };
  for (const auto& [bytes, value] : cases) {
    Reader reader(bytes);
    EXPECT_EQ(reader.varint(), value.value_or(0));
    EXPECT_EQ(reader.ok(), value.has_value());
  }
}

TEST(reader, reads_varlongs_as_kafka_does) {
  const std::vector<Varint<std::int64_t>> cases = {
      {{0x81, 0x01}, -65},
      {{0x80, 0x80, 0x80, 0x80, 0x80, 0x02}, std::int64_t{1} << 35},
      {{0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, -(std::int64_t{1} << 35)},
      {{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, std::numeric_limits<std::int64_t>::max()},
      {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, std::numeric_limits<std::int64_t>::min()},
      {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}, -4611686018427387904},
      {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, std::nullopt},
      {{0xff, 0xff}, std::nullopt},
  };
  for (const auto& [bytes, value] : cases) {
    Reader reader(bytes);
    EXPECT_EQ(reader.varlong(), value.value_or(0));
    EXPECT_EQ(reader.ok(), value.has_value());
  }
}

TEST(reader, a_failure_is_sticky_and_nothing_moves_after_it) {
  const Blob bytes = {1, 2, 3};
  Reader reader(bytes);
  EXPECT_EQ(reader.i8(), 1);
  EXPECT_EQ(reader.i32(), 0);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.i8(), 0);
  EXPECT_EQ(reader.position(), 1u);
  EXPECT_EQ(reader.remaining(), 0u);
}

TEST(reader, views_are_bounded_by_what_is_left) {
  const Blob bytes = {1, 2, 3};
  Reader reader(bytes);
  reader.skip(1);
  EXPECT_EQ(reader.view(2).data(), bytes.data() + 1);
  EXPECT_TRUE(reader.view(0).empty());
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(reader.view(std::numeric_limits<std::size_t>::max()).empty());
  EXPECT_FALSE(reader.ok());
}

TEST(reader, the_caller_can_fail_it) {
  const Blob bytes = {1};
  Reader reader(bytes);
  reader.fail();
  EXPECT_EQ(reader.i8(), 0);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace dohle::codec
