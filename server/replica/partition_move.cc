// The move of a replica to another log directory of this broker: a second log, whose directory ends in -future, is
// filled from the first and takes its place. Source: kafka.cluster.Partition (futureLog), ReplicaAlterLogDirsThread.
#include <algorithm>

#include "server/replica/partition.h"

namespace dohle::replica {

namespace {

/// What may be copied while nobody can append.
constexpr std::int64_t locked_copy_bytes_max = 1 << 20;

runtime::Status rejected(const log::AppendResult& result) {
  if (result.error == protocol::ErrorCode::none) return {};
  return runtime::failure(runtime::ErrorKind::corrupt, result.message);
}

}  // namespace

std::optional<Partition::FutureReplica> Partition::future() const {
  const std::lock_guard lock(lock_);
  return future_;
}

bool Partition::set_future(FutureReplica future) {
  const std::lock_guard lock(lock_);
  if (future_) return false;
  future_ = std::move(future);
  is_moving_.store(true, std::memory_order_release);
  return true;
}

std::optional<Partition::FutureReplica> Partition::take_future() {
  const std::lock_guard lock(lock_);
  is_moving_.store(false, std::memory_order_release);
  auto taken = std::move(future_);
  future_.reset();
  return taken;
}

/// True: something was copied. Follows a log start that moved up, and an end that went back.
runtime::Result<bool> Partition::copy_batches(const log::Log& from, log::Log& to, std::int32_t size_bytes_max,
                                              std::int32_t leader_epoch) {
  const auto end = from.log_end_offset();
  const auto start = from.log_start_offset();
  if (to.log_end_offset() > end) {
    if (const auto cut = to.truncate_to(end); !cut) return std::unexpected(cut.error());
  }
  if (to.log_end_offset() < start) {
    if (auto begun = to.truncate_fully_and_start_at(start); !begun) return std::unexpected(std::move(begun.error()));
  }
  if (to.log_end_offset() == end) return false;
  const auto limit = std::min<std::int64_t>(size_bytes_max, to.config().segment_bytes);
  const auto read = from.read({.offset = to.log_end_offset(),
                               .size_bytes_max = static_cast<std::int32_t>(limit),
                               .bound_offset = end,
                               .at_least_one_batch = true});
  if (!read) return std::unexpected(read.error());
  if (read->out_of_range || read->slice.file == nullptr) return true;  // the log start moved just now
  codec::Blob bytes(read->slice.size_bytes);
  const auto got = read->slice.file->read_at(bytes, read->slice.position_bytes);
  if (!got) return std::unexpected(got.error());
  bytes.resize(*got);
  const auto before = to.log_end_offset();
  const auto appended = to.append_raw({.batches = bytes, .leader_epoch = leader_epoch});
  if (!appended) return std::unexpected(appended.error());
  if (auto status = rejected(*appended); !status) return std::unexpected(std::move(status.error()));
  if (to.log_end_offset() == before) {
    return runtime::failure(runtime::ErrorKind::corrupt, "nothing of what was read could be copied");
  }
  to.update_high_watermark(std::min(from.high_watermark(), to.log_end_offset()));
  return true;
}

Partition::CopyProgress Partition::copy_to_future(std::int32_t size_bytes_max) {
  const auto moving = future();
  if (!moving || health_error() != protocol::ErrorCode::none) return CopyProgress::none;
  const auto copied = copy_batches(*current(), *moving->log, size_bytes_max, leader_epoch());
  if (!copied) return CopyProgress::failed;
  if (*copied) return CopyProgress::some;
  return moving->log->flush(moving->log->log_end_offset()) ? CopyProgress::caught_up : CopyProgress::failed;
}

runtime::Result<bool> Partition::promote_future(
    const std::function<runtime::Status(log::Log& old, log::Log& promoted)>& rename) {
  {
    const std::lock_guard lock(lock_);
    if (!future_ || health_error() != protocol::ErrorCode::none) return false;
    log::Log& old = *current();
    log::Log& promoted = *future_->log;
    for (std::int64_t copied_bytes = 0; promoted.log_end_offset() != old.log_end_offset();) {
      const auto before = static_cast<std::int64_t>(promoted.size_bytes());
      if (copied_bytes > locked_copy_bytes_max) return false;
      auto copied = copy_batches(old, promoted, locked_copy_bytes_max, state_.leader_epoch);
      if (!copied) return std::unexpected(std::move(copied.error()));
      copied_bytes += std::max<std::int64_t>(static_cast<std::int64_t>(promoted.size_bytes()) - before, 1);
    }
    // What was on the disk in the old directory is on the disk in the new one before anybody relies on it.
    if (old.recovery_point() > promoted.recovery_point()) {
      if (auto synced = promoted.flush(promoted.log_end_offset()); !synced) {
        return std::unexpected(std::move(synced.error()));
      }
    }
    promoted.update_high_watermark(old.high_watermark());
    if (const auto moved = promoted.advance_log_start(old.log_start_offset()); !moved) {
      return std::unexpected(moved.error());
    }
    // The epoch of a leader that has written nothing yet is in no batch.
    if (auto noted = promoted.assign_epoch(state_.leader_epoch, promoted.log_end_offset()); !noted) {
      return std::unexpected(std::move(noted.error()));
    }
    promoted.set_config(*config_);
    if (auto renamed = rename(old, promoted); !renamed) return std::unexpected(std::move(renamed.error()));
    old.release();
    logs_.push_back(future_->log);
    // In this order: who sees the new directory, and asks for the log then, gets the new log.
    log_.store(logs_.back().get(), std::memory_order_release);
    directory_.store(future_->directory, std::memory_order_release);
    future_.reset();
    is_moving_.store(false, std::memory_order_release);
    advance_high_watermark();
  }
  wake_waiters();
  return true;
}

}  // namespace dohle::replica
