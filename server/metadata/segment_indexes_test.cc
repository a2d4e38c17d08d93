#include "server/metadata/segment_indexes.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "server/testing/fake_disk.h"

namespace dohle::metadata {
namespace {

class SegmentIndexesTest : public ::testing::Test {
 protected:
  std::string content(const std::string& name) { return *directory_->read_file(name); }

  testing::FakeDisk disk_;
  std::shared_ptr<runtime::Directory> directory_ = disk_.directory();
};

// An entry is due when more than 4096 bytes lie behind the last one, for the batch that comes then.
TEST_F(SegmentIndexesTest, EntriesFollowKafkasInterval) {
  SegmentIndexes indexes(100);
  indexes.collect(100, 0, 4097, 10);
  ASSERT_TRUE(indexes.open(*directory_));
  EXPECT_EQ(content("00000000000000000100.index"), "");
  ASSERT_TRUE(indexes.append(105, 4097, 200, 20));
  ASSERT_TRUE(indexes.append(106, 4297, 200, 30));
  EXPECT_EQ(content("00000000000000000100.index"), std::string("\0\0\0\x05\0\0\x10\x01", 8));
  EXPECT_EQ(content("00000000000000000100.timeindex"), std::string("\0\0\0\0\0\0\0\x14\0\0\0\x05", 12));
  ASSERT_TRUE(indexes.close());
  EXPECT_EQ(content("00000000000000000100.timeindex"),
            std::string("\0\0\0\0\0\0\0\x14\0\0\0\x05\0\0\0\0\0\0\0\x1e\0\0\0\x06", 24));
}

TEST_F(SegmentIndexesTest, OpenMakesTheFilesAnew) {
  ASSERT_TRUE(directory_->replace_file("00000000000000000000.index", "old entries"));
  SegmentIndexes indexes(0);
  ASSERT_TRUE(indexes.open(*directory_));
  EXPECT_EQ(content("00000000000000000000.index"), "");
}

TEST_F(SegmentIndexesTest, AFailingDiskIsAnError) {
  SegmentIndexes indexes(0);
  disk_.fail_all(EIO);
  EXPECT_FALSE(indexes.open(*directory_));
}

}  // namespace
}  // namespace dohle::metadata
