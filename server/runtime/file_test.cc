// Directory's three composed calls are tested on both disks in testing/disk_contract_test.cc and with failures at every
// step in testing/fake_disk_test.cc. Here: what a file that shrinks under the reader gives.
#include "server/runtime/file.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

namespace dohle::runtime {
namespace {

TEST(File, proc_files_that_claim_no_size_read_as_empty_and_not_as_garbage) {
  auto proc = open_directory("/proc/self", false);
  ASSERT_TRUE(proc);
  EXPECT_EQ((*proc)->read_file("status").value(), "");
}

TEST(File, a_large_file_is_refused_before_anything_is_allocated) {
  std::string pattern = (std::filesystem::temp_directory_path() / "dohle-XXXXXX").string();
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  auto directory = open_directory(pattern, false).value();
  ASSERT_TRUE(directory->open("large", {.create = true}).value()->truncate(std::uint64_t{1} << 40));
  auto read = directory->read_file("large");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::invalid);
  std::filesystem::remove_all(pattern);
}

}  // namespace
}  // namespace dohle::runtime
