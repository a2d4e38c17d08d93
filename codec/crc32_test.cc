#include "codec/crc32.h"

#include "gtest/gtest.h"

namespace dohle::codec {
namespace {

TEST(crc32, has_the_published_check_value) {
  EXPECT_EQ(crc32(as_bytes("123456789")), 0xcbf43926u);
  EXPECT_EQ(crc32({}), 0u);
}

}  // namespace
}  // namespace dohle::codec
