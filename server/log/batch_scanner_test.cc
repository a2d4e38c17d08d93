#include "server/log/batch_scanner.h"

#include <gtest/gtest.h>

#include "server/log/batch_samples.h"
#include "server/testing/fake_disk.h"

namespace dohle::log {
namespace {

class BatchScannerTest : public ::testing::Test {
 protected:
  void write(codec::Bytes bytes) {
    ASSERT_TRUE(file_->write_at(bytes, size_));
    size_ += bytes.size();
  }

  dohle::testing::FakeDisk disk_;
  std::shared_ptr<runtime::File> file_ = *disk_.directory()->open("file", {.create = true});
  std::uint64_t size_ = 0;
};

TEST_F(BatchScannerTest, batches_come_one_after_another_whatever_the_window) {
  for (int i = 0; i < 20; ++i) {
    write(samples::batch({.records = 1, .value_bytes = static_cast<std::size_t>(i * 37), .base_offset = i}));
  }
  for (const std::size_t window : {61U, 100U, 1000U, 100'000U}) {
    BatchScanner scanner(*file_, 0, size_, window);
    for (int i = 0; i < 20; ++i) {
      const auto header = scanner.next();
      ASSERT_TRUE(header && *header);
      EXPECT_EQ((*header)->base_offset, i);
      EXPECT_TRUE(*scanner.crc_is_right());
      EXPECT_EQ(scanner.bytes()->size(), (*header)->size_bytes);
    }
    EXPECT_FALSE(*scanner.next());
    EXPECT_EQ(scanner.position_bytes(), size_);
  }
}

TEST_F(BatchScannerTest, the_walk_ends_before_a_batch_that_is_not_whole) {
  write(samples::batch({.records = 1}));
  const std::uint64_t first = size_;
  const codec::Blob second = samples::batch({.records = 1});
  write(second);
  for (std::uint64_t cut = 1; cut <= second.size(); ++cut) {
    BatchScanner scanner(*file_, 0, size_ - cut);
    EXPECT_TRUE(*scanner.next());
    const auto header = scanner.next();
    ASSERT_TRUE(header) << cut;
    EXPECT_FALSE(*header) << cut;
    EXPECT_EQ(scanner.position_bytes(), first);
  }
}

TEST_F(BatchScannerTest, zeros_are_no_batch_and_a_turned_bit_is_seen) {
  codec::Blob batch = samples::batch({.records = 1});
  batch.back() ^= 1;
  write(batch);
  write(codec::Blob(100));
  BatchScanner scanner(*file_, 0, size_);
  ASSERT_TRUE(*scanner.next());
  EXPECT_FALSE(*scanner.crc_is_right());
  const auto zeros = scanner.next();
  ASSERT_FALSE(zeros);
  EXPECT_EQ(zeros.error().kind, runtime::ErrorKind::corrupt);
}

TEST_F(BatchScannerTest, a_disk_that_fails_is_told) {
  write(samples::batch({.records = 1}));
  disk_.fail_all(EIO, dohle::testing::DiskCall::read);
  BatchScanner scanner(*file_, 0, size_);
  const auto header = scanner.next();
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().kind, runtime::ErrorKind::io);
}

}  // namespace
}  // namespace dohle::log
