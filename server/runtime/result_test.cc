#include "server/runtime/result.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace dohle::runtime {
namespace {

TEST(Result, a_system_error_becomes_a_kind_and_one_line) {
  struct Row {
    int system_error;
    ErrorKind kind;
  };
  for (Row row : {Row{ENOSPC, ErrorKind::no_space}, Row{EDQUOT, ErrorKind::no_space}, Row{ENOENT, ErrorKind::not_found},
                  Row{EADDRINUSE, ErrorKind::busy}, Row{EIO, ErrorKind::io}, Row{EACCES, ErrorKind::io}}) {
    Status status = system_failure(row.system_error, "open", "/data/x");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, row.kind) << row.system_error;
    EXPECT_EQ(status.error().system_error, row.system_error);
  }
  Status status = system_failure(ENOENT, "open", "/data/x");
  EXPECT_EQ(status.error().message, "cannot open /data/x: No such file or directory");
}

Status second_step(bool* reached) {
  *reached = true;
  return {};
}

Result<int> two_steps(Status first, bool* reached) {
  DOHLE_RETURN_IF_ERROR(first);
  DOHLE_RETURN_IF_ERROR(second_step(reached));
  return 7;
}

TEST(Result, return_if_error_leaves_with_the_error_and_goes_on_without_one) {
  bool reached = false;
  Result<int> failed = two_steps(failure(ErrorKind::corrupt, "bad"), &reached);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::corrupt);
  EXPECT_EQ(failed.error().message, "bad");
  EXPECT_FALSE(reached);
  EXPECT_EQ(two_steps({}, &reached), 7);
  EXPECT_TRUE(reached);
}

}  // namespace
}  // namespace dohle::runtime
