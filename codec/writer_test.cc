#include "codec/writer.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace dohle::codec {
namespace {

TEST(writer, writes_fixed_types_big_endian) {
  Writer writer;
  writer.i8(-1);
  writer.i16(-2);
  writer.u16(65534);
  writer.i32(0x01020304);
  writer.u32(0xff020304U);
  writer.i64(std::numeric_limits<std::int64_t>::min() + 1);
  writer.f64(1.5);
  writer.boolean(true);
  writer.boolean(false);
  writer.uuid(Uuid::reserved(7));
  writer.raw("ab");
  const Blob expected = {0xff, 0xff, 0xfe, 0xff, 0xfe, 1,    2, 3, 4, 0xff, 2, 3, 4, 0x80, 0,  0, 0,
                         0,    0,    0,    1,    0x3f, 0xf8, 0, 0, 0, 0,    0, 0, 1, 0,    0,  0, 0,
                         0,    0,    0,    0,    0,    0,    0, 0, 0, 0,    0, 0, 7, 'a',  'b'};
  EXPECT_EQ(writer.release(), expected);
  EXPECT_EQ(writer.size(), 0u);
}

// What ByteUtils.writeVarint and writeVarlong of Kafka 4.4.0 write.
TEST(writer, writes_varints_as_kafka_does) {
  const std::vector<std::pair<std::int32_t, Blob>> varints = {
      {0, {0x00}},
      {-1, {0x01}},
      {1, {0x02}},
      {63, {0x7e}},
      {-64, {0x7f}},
      {64, {0x80, 0x01}},
      {-65, {0x81, 0x01}},
      {8191, {0xfe, 0x7f}},
      {-8192, {0xff, 0x7f}},
      {8192, {0x80, 0x80, 0x01}},
      {std::numeric_limits<std::int32_t>::max(), {0xfe, 0xff, 0xff, 0xff, 0x0f}},
      {std::numeric_limits<std::int32_t>::min(), {0xff, 0xff, 0xff, 0xff, 0x0f}},
  };
  for (const auto& [value, expected] : varints) {
    Writer writer;
    writer.varint(value);
    EXPECT_EQ(writer.release(), expected) << value;
  }
  const std::vector<std::pair<std::int64_t, Blob>> varlongs = {
      {-65, {0x81, 0x01}},
      {std::int64_t{1} << 35, {0x80, 0x80, 0x80, 0x80, 0x80, 0x02}},
      {-(std::int64_t{1} << 35), {0xff, 0xff, 0xff, 0xff, 0xff, 0x01}},
      {std::numeric_limits<std::int64_t>::max(), {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}},
      {std::numeric_limits<std::int64_t>::min(), {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}},
  };
  for (const auto& [value, expected] : varlongs) {
    Writer writer;
    writer.varlong(value);
    EXPECT_EQ(writer.release(), expected) << value;
  }
  Writer writer;
  writer.uvarint(0xffffffffU);
  EXPECT_EQ(writer.release(), (Blob{0xff, 0xff, 0xff, 0xff, 0x0f}));
}

TEST(writer, counts_gaps_but_does_not_hold_them) {
  Writer writer;
  writer.i16(1);
  writer.gap(100);
  writer.i8(2);
  writer.gap(20);
  EXPECT_EQ(writer.size(), 3u);
  EXPECT_EQ(writer.size_with_gaps(), 123u);
  ASSERT_EQ(writer.gaps().size(), 2u);
  EXPECT_EQ(writer.gaps()[0].position, 2u);
  EXPECT_EQ(writer.gaps()[1].position, 3u);
  EXPECT_EQ(writer.gaps()[1].size_bytes, 20u);
}

TEST(writer, patches_a_length_that_was_not_known_before) {
  Writer writer;
  writer.i8(9);
  writer.i32(0);
  writer.patch_i32(1, 0x01020304);
  EXPECT_EQ(writer.release(), (Blob{9, 1, 2, 3, 4}));
}

TEST(writer, a_patch_beyond_the_end_fails_and_writes_nothing) {
  Writer writer;
  writer.i32(0);
  writer.patch_i32(1, -1);
  EXPECT_FALSE(writer.ok());
  EXPECT_EQ(writer.size(), 4u);
}

TEST(writer, the_first_failure_wins_and_clear_forgets_it) {
  Writer writer;
  EXPECT_TRUE(writer.ok());
  writer.fail("one");
  writer.fail("two");
  EXPECT_EQ(writer.error(), "one");
  writer.clear();
  EXPECT_TRUE(writer.ok());
  writer.fail("");
  EXPECT_FALSE(writer.ok()) << "a failure without a reason is one too";
}

}  // namespace
}  // namespace dohle::codec
