// A log on the fake disk, for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "protocol/error_code.h"
#include "server/log/batch_samples.h"
#include "server/log/batch_scanner.h"
#include "server/log/log.h"
#include "server/testing/fake_clock.h"
#include "server/testing/fake_disk.h"

namespace dohle::log {

class LogFixture : public ::testing::Test {
 protected:
  LogFixture() {
    options_.topic = "topic";
    options_.clock = &clock_;
    options_.config.index_interval_bytes = 100;
  }

  /// Opens (again) what is on the disk.
  runtime::Result<std::unique_ptr<Log>> try_open() {
    log_.reset();
    auto top = disk_.directory();
    auto directory = top->subdirectory("topic-0", true);
    EXPECT_TRUE(directory && top->sync());
    options_.directory = *directory;
    return Log::open(options_);
  }
  void open() {
    auto log = try_open();
    ASSERT_TRUE(log) << (log ? "" : log.error().message);
    log_ = std::move(*log);
  }

  AppendResult append_bytes(codec::Blob batches, std::int32_t epoch = 0, AppendOrigin origin = AppendOrigin::client) {
    LeaderAppend append;
    append.batches = batches;
    append.leader_epoch = epoch;
    append.origin = origin;
    auto result = log_->append_as_leader(append);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? *result : AppendResult{};
  }
  AppendResult append(const samples::BatchSample& sample, std::int32_t epoch = 0) {
    return append_bytes(samples::batch(sample), epoch);
  }
  AppendResult append_marker(std::int64_t producer_id, std::int16_t epoch, bool commit,
                             std::int16_t transaction_version = 0, std::int32_t coordinator_epoch = 0) {
    codec::Blob bytes = samples::marker(producer_id, epoch, commit, coordinator_epoch);
    LeaderAppend append;
    append.batches = bytes;
    append.origin = AppendOrigin::coordinator;
    append.transaction_version = transaction_version;
    auto result = log_->append_as_leader(append);
    EXPECT_TRUE(result);
    return result ? *result : AppendResult{};
  }

  /// The headers of all batches from `offset` on, read as a consumer reads them.
  std::vector<BatchHeader> read_all(std::int64_t offset, std::int32_t size_bytes_max = 300) {
    std::vector<BatchHeader> headers;
    const std::int64_t end = log_->log_end_offset();
    while (offset < end) {
      const auto read = log_->read(
          {.offset = offset, .size_bytes_max = size_bytes_max, .bound_offset = end, .at_least_one_batch = true});
      EXPECT_TRUE(read) << (read ? "" : read.error().message);
      if (!read || read->out_of_range || read->slice.file == nullptr) return headers;
      BatchScanner scanner(*read->slice.file, read->slice.position_bytes,
                           read->slice.position_bytes + read->slice.size_bytes);
      for (auto header = scanner.next(); header && *header; header = scanner.next()) {
        EXPECT_TRUE(*scanner.crc_is_right());
        headers.push_back(**header);
        offset = (*header)->next_offset();
      }
    }
    return headers;
  }

  std::vector<std::int64_t> segment_bases() const {
    std::vector<std::int64_t> bases;
    for (const auto& segment : log_->segments()->all()) bases.push_back(segment->base_offset());
    return bases;
  }
  bool has_file(const std::string& name) { return *options_.directory->exists(name); }

  dohle::testing::FakeDisk disk_;
  dohle::testing::FakeClock clock_;
  LogOptions options_;
  std::unique_ptr<Log> log_;
};

}  // namespace dohle::log
