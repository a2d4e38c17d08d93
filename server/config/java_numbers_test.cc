#include "server/config/java_numbers.h"

#include <gtest/gtest.h>

#include "server/config/testing_tables.h"

namespace dohle::config {
namespace {

TEST(JavaNumbers, ReadAndPrintDoublesAsJavaDoes) {
  std::size_t cases = 0;
  for (const std::string& line : testing_lines("doubles.tsv")) {
    std::vector<std::string> columns = testing_columns(line);
    auto value = parse_java_double(columns[0]);
    EXPECT_EQ(value ? java_double(*value) : "<none>", columns[1]) << columns[0];
    ++cases;
  }
  EXPECT_GT(cases, 30u);
}

TEST(JavaNumbers, ReadDurationsAsJavaDoes) {
  std::size_t cases = 0;
  for (const std::string& line : testing_lines("durations.tsv")) {
    std::vector<std::string> columns = testing_columns(line);
    auto negative = parse_java_duration(columns[0]);
    EXPECT_EQ(!negative ? "<none>" : *negative ? "negative" : "positive", columns[1]) << columns[0];
    ++cases;
  }
  EXPECT_GT(cases, 20u);
}

TEST(JavaNumbers, ReadIntegersWithinTheirRange) {
  auto parse = [](std::string_view text) { return parse_java_integer(text, -128, 127); };
  EXPECT_EQ(parse("127"), 127);
  EXPECT_EQ(parse("-128"), -128);
  EXPECT_EQ(parse("+5"), 5);
  EXPECT_EQ(parse("007"), 7);
  for (const char* text : {"128", "-129", "", "+", "-", "+-5", "5 ", "0x5", "1_0", "99999999999999999999"}) {
    EXPECT_EQ(parse(text), std::nullopt) << text;
  }
}

TEST(JavaNumbers, TrimControlCharactersToo) {
  EXPECT_EQ(java_trim("\x01 \t a b\r\n\x1f"), "a b");
  EXPECT_EQ(java_trim(" \n"), "");
  EXPECT_EQ(java_trim("\xc2\xa0x"), "\xc2\xa0x");
}

// jshell: int h = "retention.ms".hashCode(); h ^ (h >>> 16)
TEST(JavaNumbers, HashAsHashMapDoes) {
  EXPECT_EQ(java_hash(""), 0u);
  EXPECT_EQ(java_hash("a"), 97u);
  EXPECT_EQ(java_hash("retention.ms"), 2955783771u);
}

}  // namespace
}  // namespace dohle::config
