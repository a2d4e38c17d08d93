#include "server/runtime/page_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace dohle::runtime {
namespace {

TEST(PageCache, tells_a_cold_range_from_a_warm_one) {
  std::string path = (std::filesystem::temp_directory_path() / "dohle-XXXXXX").string();
  int file = ::mkstemp(path.data());
  ASSERT_GE(file, 0);
  std::string content(8 << 20, 'x');
  ASSERT_EQ(::write(file, content.data(), content.size()), static_cast<ssize_t>(content.size()));
  EXPECT_TRUE(is_cached(file, 0, content.size()));
  EXPECT_TRUE(is_cached(file, 100, 0));
  ASSERT_EQ(::fsync(file), 0);
  ASSERT_EQ(::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED), 0);
  bool cold = !is_cached(file, 4096, 1 << 20);
  if (cold) {
    read_ahead(file, 4096, 1 << 20);
    EXPECT_TRUE(is_cached(file, 4096, 1 << 20));
  }
  ::close(file);
  std::filesystem::remove(path);
  if (!cold) GTEST_SKIP() << "this file system keeps everything in memory";
}

TEST(PageCache, a_range_past_the_end_is_no_endless_loop) {
  std::string path = (std::filesystem::temp_directory_path() / "dohle-XXXXXX").string();
  int file = ::mkstemp(path.data());
  ASSERT_GE(file, 0);
  read_ahead(file, 0, 10 << 20);
  (void)is_cached(file, 0, 10 << 20);
  (void)is_cached(-1, 0, 10);
  ::close(file);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace dohle::runtime
