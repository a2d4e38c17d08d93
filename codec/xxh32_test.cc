#include "codec/xxh32.h"

#include "gtest/gtest.h"

namespace dohle::codec {
namespace {

// The published values of the reference implementation.
TEST(xxh32, has_the_published_values) {
  EXPECT_EQ(xxh32({}), 0x02cc5d05u);
  EXPECT_EQ(xxh32(as_bytes("a")), 0x550d7456u);
  EXPECT_EQ(xxh32(as_bytes("abc")), 0x32d153ffu);
  EXPECT_EQ(xxh32(as_bytes("Nobody inspects the spammish repetition")), 0xe2293b2fu);
}

}  // namespace
}  // namespace dohle::codec
