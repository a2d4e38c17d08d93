#include "server/groups/group.h"

#include <gtest/gtest.h>

namespace dohle::groups {
namespace {

TEST(GroupType, IsReadInAnyCaseAndWrittenAsKafkaDoes) {
  for (const auto type : {GroupType::consumer, GroupType::classic, GroupType::share, GroupType::streams}) {
    EXPECT_EQ(parse_group_type(to_string(type)), type);
  }
  EXPECT_EQ(parse_group_type("cLASSic"), GroupType::classic);
  EXPECT_EQ(parse_group_type("nonsense"), GroupType::unknown);
  EXPECT_EQ(parse_group_type(""), GroupType::unknown);
  EXPECT_EQ(to_string(GroupType::consumer), "consumer");
}

}  // namespace
}  // namespace dohle::groups
