#include "server/runtime/open_files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace dohle::runtime {
namespace {

TEST(OpenFiles, the_soft_limit_becomes_the_hard_one) {
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit low{256, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  Result<std::uint64_t> raised = raise_open_file_limit();
  rlimit after;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &after), 0);
  ::setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_TRUE(raised);
  EXPECT_EQ(*raised, before.rlim_max);
  EXPECT_EQ(after.rlim_cur, before.rlim_max);
}

}  // namespace
}  // namespace dohle::runtime
