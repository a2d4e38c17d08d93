// A log on the fake disk, with keys, and a cleaner for it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/record.h"
#include "protocol/record_batch.h"
#include "protocol/record_batch_builder.h"
#include "server/log/cleanable_range.h"
#include "server/log/log_cleaner.h"
#include "server/log/log_fixture.h"

namespace dohle::log {

class CleanerFixture : public LogFixture {
 protected:
  CleanerFixture() {
    options_.config.cleanup_policy_compact = true;
    options_.config.cleanup_policy_delete = false;
    options_.config.delete_retention_ms = 1000;
    options_.producers.transaction_verification = false;
  }

  using Pair = std::pair<std::string, std::optional<std::string>>;
  AppendResult put(const std::vector<Pair>& pairs, protocol::RecordBatchOptions options = {}) {
    options.partition_leader_epoch = 0;
    protocol::RecordBatchBuilder builder(options);
    for (const auto& [key, value] : pairs) {
      builder.append(clock_.wall_ms(), codec::as_bytes(key),
                     value ? std::optional(codec::as_bytes(*value)) : std::nullopt);
    }
    return append_bytes(builder.build());
  }
  AppendResult put_transactional(std::int64_t producer, std::int32_t sequence, const std::vector<Pair>& pairs) {
    protocol::RecordBatchOptions options;
    options.producer_id = producer;
    options.producer_epoch = 0;
    options.base_sequence = sequence;
    options.is_transactional = true;
    return put(pairs, options);
  }

  CleanRequest request() {
    CleanRequest request;
    request.log = log_.get();
    request.locked = [this](const std::function<runtime::Status(Log&)>& function) { return function(*log_); };
    request.now_ms = clock_.wall_ms();
    const auto range = cleanable_range(*log_, log_->config(), cleaned_, clock_.wall_ms());
    EXPECT_TRUE(range);
    request.first_dirty_offset = range->first_dirty_offset;
    request.first_uncleanable_offset = range->first_uncleanable_offset;
    return request;
  }
  runtime::Result<CleanOutcome> try_clean(LogCleaner::Options options = {}) {
    LogCleaner cleaner(std::move(options));
    auto outcome = cleaner.clean(request());
    if (outcome) cleaned_ = outcome->end_offset;
    return outcome;
  }
  CleanOutcome clean(LogCleaner::Options options = {}) {
    log_->update_high_watermark(log_->log_end_offset());
    const auto outcome = try_clean(std::move(options));
    EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().message);
    return outcome ? *outcome : CleanOutcome{};
  }
  /// Begins a new segment, so that all that was written can be cleaned.
  void seal() {
    ASSERT_TRUE(log_->roll());
    log_->update_high_watermark(log_->log_end_offset());
  }

  struct Stored {
    std::int64_t offset;
    std::string key;
    std::optional<std::string> value;
    bool operator==(const Stored&) const = default;
  };
  /// All data records, as READ_UNCOMMITTED has them.
  std::vector<Stored> records() {
    std::vector<Stored> found;
    std::int64_t offset = log_->log_start_offset();
    const std::int64_t end = log_->log_end_offset();
    while (offset < end) {
      const auto read =
          log_->read({.offset = offset, .size_bytes_max = 4096, .bound_offset = end, .at_least_one_batch = true});
      EXPECT_TRUE(read);
      if (!read || read->slice.file == nullptr) break;
      BatchScanner scanner(*read->slice.file, read->slice.position_bytes,
                           read->slice.position_bytes + read->slice.size_bytes);
      for (auto header = scanner.next(); header && *header; header = scanner.next()) {
        EXPECT_GE((*header)->next_offset(), offset);
        offset = (*header)->next_offset();
        if (!(*header)->control()) add_records(*scanner.bytes(), found);
      }
    }
    return found;
  }
  static void add_records(codec::Bytes bytes, std::vector<Stored>& found) {
    const protocol::RecordBatch batch(bytes);
    EXPECT_TRUE(batch.crc_is_valid());
    protocol::RecordReader reader(batch, 1 << 20);
    protocol::Record record;
    const auto text = [](codec::Bytes b) { return std::string(b.begin(), b.end()); };
    while (reader.next(record)) {
      found.push_back({record.offset, record.key ? text(*record.key) : "",
                       record.value ? std::optional(text(*record.value)) : std::nullopt});
    }
  }
  static std::vector<std::int64_t> offsets(const std::vector<Stored>& records) {
    std::vector<std::int64_t> found;
    for (const Stored& record : records) found.push_back(record.offset);
    return found;
  }

  std::optional<std::int64_t> cleaned_;
};

}  // namespace dohle::log
