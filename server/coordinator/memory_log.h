// A partition's log in memory, for tests: what was appended, a high watermark that may be held back, appends that fail.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "protocol/record_batch.h"
#include "server/coordinator/partition_log.h"

namespace dohle::coordinator {

/// Any thread: the tests' and the home's.
class MemoryLog final : public PartitionLog {
 public:
  AppendedBatch append(codec::MutableBytes batch, std::int32_t leader_epoch, log::VerificationGuard) override {
    const std::lock_guard lock(mutex_);
    if (failing_ != protocol::ErrorCode::none) return {failing_, -1, -1};
    if (leader_epoch != leader_epoch_) return {protocol::ErrorCode::not_leader_or_follower, -1, -1};
    protocol::MutableRecordBatch view(batch);
    view.set_base_offset(end_);
    const auto first = end_;
    end_ = view.last_offset() + 1;
    bytes_.insert(bytes_.end(), batch.begin(), batch.end());
    if (!is_held_) high_watermark_ = end_;
    return {protocol::ErrorCode::none, first, end_ - 1};
  }
  AppendedBatch append_marker(const protocol::EndTransactionMarker& marker, std::int16_t,
                              std::int32_t leader_epoch) override {
    auto batch = protocol::end_transaction_batch(0, leader_epoch, marker);
    return append(batch, leader_epoch, {});
  }
  std::int32_t batch_bytes_max() const override { return batch_bytes_max_; }
  std::int64_t log_start_offset() const override { return 0; }
  std::int64_t log_end_offset() const override { return locked(end_); }
  std::int64_t high_watermark() const override { return locked(high_watermark_); }
  void set_listener(std::function<void()> moved) override {
    const std::lock_guard lock(mutex_);
    moved_ = std::move(moved);
  }
  runtime::Result<codec::Blob> read(std::int64_t offset, std::int32_t) override {
    const std::lock_guard lock(mutex_);
    if (read_error_) return runtime::failure(runtime::ErrorKind::io, "the disk is gone");
    if (offset > 0) return codec::Blob{};  // everything comes with the first read
    return bytes_;
  }

  // What tests set.
  void fail_appends(protocol::ErrorCode error) { set(failing_, error); }
  void fail_reads() { set(read_error_, true); }
  void set_leader_epoch(std::int32_t epoch) { set(leader_epoch_, epoch); }
  void set_batch_bytes_max(std::int32_t bytes) { set(batch_bytes_max_, bytes); }
  void add_bytes(const codec::Blob& bytes, std::int64_t end_offset) {
    const std::lock_guard lock(mutex_);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    end_ = high_watermark_ = end_offset;
  }
  void hold_high_watermark() { set(is_held_, true); }
  void release_high_watermark() {
    std::function<void()> moved;
    {
      const std::lock_guard lock(mutex_);
      is_held_ = false;
      high_watermark_ = end_;
      moved = moved_;
    }
    if (moved) moved();
  }

 private:
  template <typename T>
  T locked(const T& value) const {
    const std::lock_guard lock(mutex_);
    return value;
  }
  template <typename T>
  void set(T& field, T value) {
    const std::lock_guard lock(mutex_);
    field = value;
  }

  mutable std::mutex mutex_;
  codec::Blob bytes_;
  std::int64_t end_ = 0;
  std::int64_t high_watermark_ = 0;
  std::int32_t leader_epoch_ = 1;
  std::int32_t batch_bytes_max_ = 1 << 20;
  bool is_held_ = false;
  bool read_error_ = false;
  protocol::ErrorCode failing_ = protocol::ErrorCode::none;
  std::function<void()> moved_;
};

}  // namespace dohle::coordinator
