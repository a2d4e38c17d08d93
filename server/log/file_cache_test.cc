#include "server/log/file_cache.h"

#include <gtest/gtest.h>

#include "server/testing/fake_disk.h"

namespace dohle::log {
namespace {

class FileCacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b", "c"}) ASSERT_TRUE(directory_->open(name, {.create = true}));
  }
  dohle::testing::FakeDisk disk_;
  std::shared_ptr<runtime::Directory> directory_ = disk_.directory();
  FileCache cache_{2};
};

TEST_F(FileCacheTest, the_files_used_last_stay_open) {
  const auto a = *cache_.open(*directory_, "a");
  cache_.open(*directory_, "b").value();
  EXPECT_EQ(*cache_.open(*directory_, "a"), a);
  cache_.open(*directory_, "c").value();
  EXPECT_EQ(cache_.size(), 2U);
  EXPECT_EQ(*cache_.open(*directory_, "a"), a) << "b was used before it";
}

TEST_F(FileCacheTest, a_forgotten_file_is_opened_anew) {
  const auto a = *cache_.open(*directory_, "a");
  cache_.forget(*directory_, "a");
  cache_.forget(*directory_, "never");
  EXPECT_EQ(cache_.size(), 0U);
  EXPECT_NE(*cache_.open(*directory_, "a"), a);
}

TEST_F(FileCacheTest, a_file_that_is_not_there_is_told_and_not_kept) {
  EXPECT_EQ(cache_.open(*directory_, "x").error().kind, runtime::ErrorKind::not_found);
  EXPECT_EQ(cache_.size(), 0U);
}

}  // namespace
}  // namespace dohle::log
