// What only a real disk can show; the contract that it shares with the fake one is in testing/disk_contract_test.cc.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "server/runtime/file.h"

namespace dohle::runtime {
namespace {

class RealDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "dohle-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    top_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(top_); }

  std::string top_;
};

TEST_F(RealDisk, a_directory_is_made_with_its_parents_only_if_asked) {
  std::string path = top_ + "/a/b/c";
  auto missing = open_directory(path, false);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::not_found);
  auto made = open_directory(path + "/", true);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ((*made)->path(), path);
  EXPECT_TRUE(open_directory(path, false));
  EXPECT_FALSE(open_directory("", true));
}

TEST_F(RealDisk, a_file_in_the_place_of_a_directory_is_named) {
  ASSERT_TRUE(open_directory(top_, false).value()->replace_file("f", ""));
  auto opened = open_directory(top_ + "/f", true);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message, "cannot open the directory " + top_ + "/f: Not a directory");
}

TEST_F(RealDisk, an_open_file_has_a_descriptor_for_sendfile) {
  auto file = open_directory(top_, false).value()->open("f", {.create = true}).value();
  EXPECT_GE(file->descriptor(), 0);
}

TEST_F(RealDisk, a_write_that_does_not_fit_says_why) {
  // The file size limit stands in for a full disk: the kernel writes what it allows and says why only to the next call.
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small{10, before.rlim_max};
  auto file = open_directory(top_, false).value()->open("f", {.create = true}).value();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  Status written = file->write_at(codec::as_bytes("more than ten bytes"), 0);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, ignored);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().system_error, EFBIG);
  EXPECT_EQ(file->size().value(), 10u);
}

TEST_F(RealDisk, a_full_device_is_no_space) {
  auto full = open_directory("/dev", false).value()->open("full", {});
  if (!full) GTEST_SKIP() << "there is no /dev/full here";
  Status written = (*full)->write_at(codec::as_bytes("x"), 0);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::no_space);
  EXPECT_EQ(written.error().message, "cannot write to /dev/full: No space left on device");
}

}  // namespace
}  // namespace dohle::runtime
