#include "protocol/records.h"

#include "gtest/gtest.h"

namespace dohle::protocol {
namespace {

TEST(records, are_equal_by_content_not_by_place) {
  const codec::Blob one = {1, 2};
  const codec::Blob two = {1, 2};
  EXPECT_EQ(Records::of(one), Records::of(two));
  EXPECT_NE(Records::of(one), Records::of(codec::Bytes(one).first(1)));
  EXPECT_NE(Records::null(), Records{});
  EXPECT_NE(Records::external(1), Records::external(2));
}

TEST(records, count_what_comes_from_a_file) {
  EXPECT_EQ(Records::external(10).size_bytes(), 10u);
  EXPECT_EQ(Records::null().size_bytes(), 0u);
}

}  // namespace
}  // namespace dohle::protocol
