#include "server/runtime/lock_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

namespace dohle::runtime {
namespace {

class LockFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "dohle-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    top_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(top_); }

  /// Whether another process could take a record lock of the process kind, as Java's FileChannel.tryLock does.
  bool another_process_can_lock() {
    pid_t child = ::fork();
    if (child == 0) {
      int descriptor = ::open((top_ + "/.lock").c_str(), O_RDWR | O_CREAT, 0644);
      struct flock whole{};
      whole.l_type = F_WRLCK;
      whole.l_whence = SEEK_SET;
      ::_exit(::fcntl(descriptor, F_SETLK, &whole) == 0 ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WEXITSTATUS(status) == 0;
  }

  std::string top_;
};

TEST_F(LockFileTest, excludes_another_process_until_it_is_destroyed) {
  ASSERT_TRUE(another_process_can_lock());
  {
    auto lock = LockFile::acquire(top_);
    ASSERT_TRUE(lock);
    EXPECT_FALSE(another_process_can_lock());
    // A process lock would be lost here.
    ::close(::open((top_ + "/.lock").c_str(), O_RDWR));
    EXPECT_FALSE(another_process_can_lock());
  }
  EXPECT_TRUE(another_process_can_lock());
  EXPECT_TRUE(std::filesystem::exists(top_ + "/.lock"));
}

TEST_F(LockFileTest, is_refused_while_another_process_holds_a_process_lock) {
  int ready[2];
  int release[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(release), 0);
  pid_t child = ::fork();
  if (child == 0) {
    int descriptor = ::open((top_ + "/.lock").c_str(), O_RDWR | O_CREAT, 0644);
    struct flock whole{};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    ::fcntl(descriptor, F_SETLK, &whole);
    char byte = 'x';
    if (::write(ready[1], &byte, 1) != 1) ::_exit(1);
    ::_exit(::read(release[0], &byte, 1) == 1 ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  auto lock = LockFile::acquire(top_);
  ASSERT_EQ(::write(release[1], "x", 1), 1);
  ::waitpid(child, nullptr, 0);
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().kind, ErrorKind::busy);
  EXPECT_EQ(lock.error().message, "Failed to acquire lock on file .lock in " + top_ +
                                      ". A Kafka instance in another process or thread is using this directory.");
}

TEST_F(LockFileTest, is_refused_to_a_second_one_of_this_process) {
  auto first = LockFile::acquire(top_);
  ASSERT_TRUE(first);
  auto second = LockFile::acquire(top_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::busy);
}

TEST_F(LockFileTest, a_directory_that_is_not_there_is_named) {
  auto lock = LockFile::acquire(top_ + "/missing");
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace dohle::runtime
