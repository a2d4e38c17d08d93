#include "server/runtime/check.h"

#include <gtest/gtest.h>

namespace dohle::runtime {
namespace {

TEST(Check, a_true_expression_does_nothing) {
  CHECK(1 + 1 == 2);
}

TEST(CheckDeathTest, a_false_expression_ends_the_process_and_says_where) {
  int two = 2;
  EXPECT_DEATH(CHECK(two == 3), "check_test.cc:[0-9]+: CHECK failed: two == 3");
}

}  // namespace
}  // namespace dohle::runtime
