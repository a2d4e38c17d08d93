#include "codec/java_string.h"

#include <limits>
#include <string_view>
#include <utility>

#include "gtest/gtest.h"

namespace dohle::codec {
namespace {

// Expected values come from `new String(bytes, UTF_8).hashCode()` of OpenJDK 17.

TEST(java_string, hashes_utf16_units_of_valid_text) {
  EXPECT_EQ(java_hash(""), 0);
  EXPECT_EQ(java_hash("a"), 97);
  EXPECT_EQ(java_hash("test-group"), 627841412);
  EXPECT_EQ(java_hash("my-group"), -1906497762);
  EXPECT_EQ(java_hash("polygenelubricants"), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(java_hash("g:AAAAAAAAAAAAAAAAAAAAAQ:0"), -92966823);
  EXPECT_EQ(java_hash("grp-\xc3\xa9"), 98628097);
  EXPECT_EQ(java_hash("\xe2\x82\xac"), 8364);
  EXPECT_EQ(java_hash("\xf0\x9f\x98\x80"), 1772899) << "a surrogate pair";
}

TEST(java_string, replaces_malformed_bytes_as_java_does) {
  const std::pair<std::string_view, std::int32_t> cases[] = {
      {"\xc0\xaf", 2097056},
      {"\xed\xa0\x80", 65533},
      {std::string_view("\xf0\x80\x80\x80", 4), 2017367872},
      {"a\xe2\x82"
       "b",
       2124838},
      {"\xf0\x9f\x98", 65533},
      {"\xff\x61", 2031620},
      {"\xf4\x90\x80\x80", 2017367872},
      {"\xe0\xa0", 65533},
      {"\xc3", 65533},
      {"\xed\xbf\xbf\x61", 2031620},
  };
  for (const auto& [text, hash] : cases) EXPECT_EQ(java_hash(text), hash) << text.size();
}

TEST(java_string, abs_of_the_smallest_int_is_zero) {
  EXPECT_EQ(java_abs(std::numeric_limits<std::int32_t>::min()), 0);
  EXPECT_EQ(java_abs(-5), 5);
  EXPECT_EQ(java_abs(5), 5);
}

}  // namespace
}  // namespace dohle::codec
