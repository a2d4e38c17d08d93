// Which of 50 partitions a group belongs to, against Java's answers: testdata/partitions_of_50.txt has a thousand names
// (UTF-8 in hex) with Utils.abs(name.hashCode()) % 50, astral characters and Integer.MIN_VALUE among them.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "codec/java_string.h"
#include "server/groups/test_hex.h"

namespace dohle::groups {
namespace {

TEST(GroupPartition, IsJavasForAThousandNames) {
  std::ifstream file("server/groups/testdata/partitions_of_50.txt");
  int names = 0;
  for (std::string line; std::getline(file, line); ++names) {
    const auto space = line.find(' ');
    const auto name = from_hex(line.substr(0, space));
    EXPECT_EQ(codec::java_abs(codec::java_hash(codec::as_text(name))) % 50, std::stoi(line.substr(space + 1))) << line;
  }
  EXPECT_EQ(names, 1000);
}

}  // namespace
}  // namespace dohle::groups
