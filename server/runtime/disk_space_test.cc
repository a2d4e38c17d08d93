#include "server/runtime/disk_space.h"

#include <gtest/gtest.h>

namespace dohle::runtime {
namespace {

TEST(DiskSpace, a_file_system_has_a_size_and_not_more_free_than_that) {
  const auto space = disk_space("/");
  ASSERT_TRUE(space);
  EXPECT_GT(space->total_bytes, 0U);
  EXPECT_LE(space->free_bytes, space->total_bytes);
}

TEST(DiskSpace, a_path_that_is_not_there_is_an_error) {
  const auto space = disk_space("/nowhere/at/all");
  ASSERT_FALSE(space);
  EXPECT_EQ(space.error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace dohle::runtime
