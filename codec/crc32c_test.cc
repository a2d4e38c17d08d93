#include "codec/crc32c.h"

#include "gtest/gtest.h"

namespace dohle::codec {
namespace {

// RFC 3720, appendix B.4, and the customary check value.
TEST(crc32c, has_the_published_values) {
  EXPECT_EQ(crc32c({}), 0u);
  EXPECT_EQ(crc32c(as_bytes("123456789")), 0xe3069283u);
  EXPECT_EQ(crc32c(Blob(32, 0x00)), 0x8a9136aau);
  EXPECT_EQ(crc32c(Blob(32, 0xff)), 0x62a8ab43u);
}

TEST(crc32c, extends_over_any_cut) {
  Blob bytes(5000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 131 >> 3);
  const std::uint32_t whole = crc32c(bytes);
  for (std::size_t cut : {0u, 1u, 7u, 64u, 1000u, 4999u, 5000u}) {
    EXPECT_EQ(crc32c_extend(crc32c(Bytes(bytes).first(cut)), Bytes(bytes).subspan(cut)), whole) << cut;
  }
}

}  // namespace
}  // namespace dohle::codec
