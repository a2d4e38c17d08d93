#include "server/replica/partition.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace dohle::replica {

using protocol::ErrorCode;

namespace {

// ListOffsets' special times (org.apache.kafka.common.requests.ListOffsetsRequest).
constexpr std::int64_t latest = -1;
constexpr std::int64_t earliest = -2;
constexpr std::int64_t max_timestamp = -3;
constexpr std::int64_t earliest_local = -4;
constexpr std::int64_t latest_tiered = -5;
constexpr std::int64_t earliest_pending_upload = -6;

constexpr std::chrono::microseconds flush_look_interval{100};

}  // namespace

Partition::Partition(std::string topic, codec::Uuid topic_id, std::int32_t index, std::int32_t broker_id,
                     log::LogDirectory* directory, std::unique_ptr<log::Log> log)
    : topic_(std::move(topic)),
      topic_id_(topic_id),
      index_(index),
      broker_id_(broker_id),
      directory_(directory),
      log_(log.get()) {
  logs_.push_back(std::move(log));
}

std::string Partition::name() const {
  return topic_ + "-" + std::to_string(index_);
}

runtime::Status Partition::apply(const PartitionState& state) {
  {
    const std::lock_guard lock(lock_);
    if (state.partition_epoch < state_.partition_epoch) return {};
    const bool is_new_epoch = state.leader_epoch > state_.leader_epoch;
    state_ = state;
    if (state.leader == broker_id_ && is_new_epoch) {
      const auto start = current()->log_end_offset();
      DOHLE_RETURN_IF_ERROR(current()->assign_epoch(state.leader_epoch, start));
      leader_epoch_start_.store(start, std::memory_order_release);
    }
    leader_epoch_.store(state.leader_epoch, std::memory_order_release);
    leader_.store(state.leader, std::memory_order_release);
    advance_high_watermark();
  }
  wake_waiters();
  return {};
}

void Partition::mark_deleted() {
  {
    const std::lock_guard lock(lock_);
    health_.store(Health::deleted, std::memory_order_release);
  }
  wake_waiters();
}

void Partition::mark_offline() {
  {
    const std::lock_guard lock(lock_);
    Health expected = Health::online;
    health_.compare_exchange_strong(expected, Health::offline);
  }
  wake_waiters();
}

bool Partition::is_leader() const {
  return health_.load(std::memory_order_acquire) == Health::online &&
         leader_.load(std::memory_order_acquire) == broker_id_;
}

bool Partition::has_follower(std::int32_t broker_id) const {
  const std::lock_guard lock(lock_);
  return broker_id != broker_id_ && std::ranges::find(state_.replicas, broker_id) != state_.replicas.end();
}

std::int32_t Partition::leader_epoch() const {
  return leader_epoch_.load(std::memory_order_acquire);
}

std::shared_ptr<const config::LogConfig> Partition::config() const {
  const std::lock_guard lock(lock_);
  return config_;
}

void Partition::set_config(std::shared_ptr<const config::LogConfig> config) {
  const std::lock_guard lock(lock_);
  current()->set_config(*config);
  config_ = std::move(config);
}

ErrorCode Partition::health_error() const {
  switch (health_.load(std::memory_order_acquire)) {
    case Health::online:
      return ErrorCode::none;
    case Health::offline:
      return ErrorCode::kafka_storage_error;
    case Health::deleted:
      return ErrorCode::unknown_topic_or_partition;
  }
  return ErrorCode::unknown_server_error;
}

ErrorCode Partition::check_appendable(std::int16_t acks, std::string& message) const {
  if (const auto error = health_error(); error != ErrorCode::none) return error;
  if (state_.leader != broker_id_) return ErrorCode::not_leader_or_follower;
  const auto min_isr =
      std::min<std::size_t>(static_cast<std::size_t>(config_->min_insync_replicas), state_.replicas.size());
  if (acks == -1 && state_.isr.size() < min_isr) {
    message = "The size of the current ISR is insufficient to satisfy the min.isr requirement of " +
              std::to_string(min_isr) + " for partition " + name();
    return ErrorCode::not_enough_replicas;
  }
  return ErrorCode::none;
}

/// The error is one that clients try again after, as for an append that found no room at all.
ErrorCode Partition::check_space(log::AppendOrigin origin, std::string& message) const {
  const auto level = directory()->space.load(std::memory_order_relaxed);
  const bool refused = (origin == log::AppendOrigin::client && level >= log::SpaceLevel::low) ||
                       (origin == log::AppendOrigin::coordinator && level >= log::SpaceLevel::critical);
  if (!refused) return ErrorCode::none;
  message = "The disk of the log directory is almost full";
  return ErrorCode::kafka_storage_error;
}

ProduceResult Partition::append(log::LeaderAppend batches, std::int16_t acks) {
  ProduceResult result;
  bool moved = false;
  {
    const std::lock_guard lock(lock_);
    result.error = check_appendable(acks, result.message);
    if (result.error == ErrorCode::none) result.error = check_space(batches.origin, result.message);
    if (result.error != ErrorCode::none) return result;
    batches.leader_epoch = state_.leader_epoch;
    auto appended = current()->append_as_leader(batches);
    result.log_start_offset = current()->log_start_offset();
    if (!appended) {
      // A full disk passes: the log was cut back and goes on when there is room.
      result.disk_failed = appended.error().kind != runtime::ErrorKind::no_space;
      if (result.disk_failed) health_.store(Health::offline);
      result.error = ErrorCode::kafka_storage_error;
      result.message = std::move(appended.error().message);
      return result;
    }
    result.error = appended->error;
    result.message = std::move(appended->message);
    result.base_offset = appended->first_offset;
    result.last_offset = appended->last_offset;
    result.duplicate = appended->duplicate;
    result.duplicate_timestamp_ms = appended->duplicate_timestamp_ms;
    result.rolled = appended->rolled;
    if (result.error != ErrorCode::none) return result;
    if (appended->flush_due) is_flush_pending_ = true;
    // A duplicate of what is not on the disk yet waits as its original does.
    result.flush_due = is_flush_pending_ && result.last_offset >= current()->recovery_point();
    moved = advance_high_watermark();
  }
  if (moved) wake_waiters();
  return result;
}

ErrorCode Partition::flush() {
  return flush_up_to(false);
}

ErrorCode Partition::flush_closed_segments() {
  return flush_up_to(true);
}

ErrorCode Partition::flush_up_to(bool closed_segments_only) {
  const auto end = [&] {
    return closed_segments_only ? current()->segments()->active().base_offset() : current()->log_end_offset();
  };
  const auto wanted = end();
  // Who waits looks again and again whether the sync that runs, or the next, was enough for it: the lock alone would
  // let the one that has just synced go first each time.
  std::unique_lock one_at_a_time(flush_mutex_, std::try_to_lock);
  while (!one_at_a_time.owns_lock()) {
    {
      const std::lock_guard lock(lock_);
      if (current()->recovery_point() >= wanted) return health_error();
    }
    std::this_thread::sleep_for(flush_look_interval);
    [[maybe_unused]] const bool taken = one_at_a_time.try_lock();
  }
  log::FlushPlan plan;
  {
    const std::lock_guard lock(lock_);
    if (const auto error = health_error(); error != ErrorCode::none) return error;
    if (current()->recovery_point() >= wanted) return ErrorCode::none;  // by the one that was waited for
    plan = current()->flush_plan(end());
  }
  if (!plan.run()) {
    // The directory of a deleted topic was renamed meanwhile: its files could not be found, and nobody misses them.
    if (health_.load(std::memory_order_acquire) == Health::deleted) return ErrorCode::unknown_topic_or_partition;
    mark_offline();
    return ErrorCode::kafka_storage_error;
  }
  bool moved = false;
  {
    const std::lock_guard lock(lock_);
    current()->finish_flush(plan);
    if (current()->recovery_point() >= current()->log_end_offset()) is_flush_pending_ = false;
    moved = advance_high_watermark();
  }
  if (moved) wake_waiters();
  return ErrorCode::none;
}

bool Partition::advance_high_watermark() {
  if (state_.leader != broker_id_) return false;
  // With followers the high watermark is what all in-sync replicas have; this broker alone in the ISR is enough here.
  if (state_.isr.size() != 1 || state_.isr.front() != broker_id_) return false;
  const auto before = current()->high_watermark();
  const auto stable_before = current()->last_stable_offset();
  const auto safe = is_flush_pending_ ? std::max(before, current()->recovery_point()) : current()->log_end_offset();
  if (safe > before) current()->update_high_watermark(safe);
  return current()->high_watermark() != before || current()->last_stable_offset() != stable_before;
}

ErrorCode Partition::check_readable(std::int32_t current_leader_epoch, bool leader_only) const {
  if (const auto error = health_error(); error != ErrorCode::none) return error;
  const auto epoch = leader_epoch();
  if (current_leader_epoch != -1 && current_leader_epoch < epoch) return ErrorCode::fenced_leader_epoch;
  if (current_leader_epoch != -1 && current_leader_epoch > epoch) return ErrorCode::unknown_leader_epoch;
  if (leader_only && leader_.load(std::memory_order_acquire) != broker_id_) return ErrorCode::not_leader_or_follower;
  return ErrorCode::none;
}

std::int64_t Partition::bound(Isolation isolation) const {
  switch (isolation) {
    case Isolation::read_uncommitted:
      return current()->high_watermark();
    case Isolation::read_committed:
      return current()->last_stable_offset();
    case Isolation::log_end:
      break;
  }
  return current()->log_end_offset();
}

bool Partition::check_divergence(const FetchRead& request, FetchReadResult& result) const {
  const auto end = end_of_epoch(request.last_fetched_epoch, request.current_leader_epoch, false);
  if (end.error != ErrorCode::none) {
    result.error = end.error;
  } else if (end.leader_epoch == -1 || end.end_offset == -1 || request.offset < result.log_start_offset) {
    result.error = ErrorCode::offset_out_of_range;
  } else if (end.leader_epoch < request.last_fetched_epoch || end.end_offset < request.offset) {
    result.has_diverged = true;
    result.diverging_epoch = end.leader_epoch;
    result.diverging_end_offset = end.end_offset;
  }
  return result.error == ErrorCode::none && !result.has_diverged;
}

FetchReadResult Partition::read(const FetchRead& request) const {
  FetchReadResult result;
  result.error = check_readable(request.current_leader_epoch, request.leader_only);
  if (result.error != ErrorCode::none) return result;
  // The high watermark first, then what can only be higher: a reader never sees a start above it.
  result.last_stable_offset = current()->last_stable_offset();
  result.high_watermark = current()->high_watermark();
  result.log_start_offset = current()->log_start_offset();
  if (request.last_fetched_epoch != -1 && !check_divergence(request, result)) {
    if (result.error != ErrorCode::none) result = FetchReadResult{.error = result.error};
    return result;
  }

  auto read = current()->read({.offset = request.offset,
                               .size_bytes_max = request.max_bytes,
                               .bound_offset = bound(request.isolation),
                               .at_least_one_batch = request.at_least_one_batch,
                               .aborted_transactions = request.isolation == Isolation::read_committed});
  if (!read) return FetchReadResult{.error = ErrorCode::kafka_storage_error};
  if (read->out_of_range) return FetchReadResult{.error = ErrorCode::offset_out_of_range};
  result.aborted = std::move(read->aborted);
  // A first batch that does not fit is left out: the client makes progress without it (KIP-74).
  if (!read->first_batch_incomplete) result.slice = std::move(read->slice);
  return result;
}

OffsetLookup Partition::lookup_offset(std::int64_t timestamp_ms, Isolation isolation, std::int32_t current_leader_epoch,
                                      bool leader_only) const {
  if (const auto error = check_readable(current_leader_epoch, leader_only); error != ErrorCode::none) {
    return {.error = error};
  }
  const auto fetchable = bound(isolation);
  const bool lags = isolation != Isolation::log_end &&
                    leader_epoch_start_.load(std::memory_order_acquire) > current()->high_watermark();
  switch (timestamp_ms) {
    case latest:
      if (lags) return {.error = ErrorCode::offset_not_available};
      return {.offset = fetchable, .leader_epoch = leader_epoch()};
    case earliest:
    case earliest_local: {
      const std::lock_guard lock(lock_);
      const auto start = current()->log_start_offset();
      const auto first = current()->leader_epochs().earliest();
      return {.offset = start, .leader_epoch = first && first->start_offset <= start ? first->epoch : -1};
    }
    case latest_tiered:
    case earliest_pending_upload:
      return {};  // nothing is tiered
    default:
      break;
  }
  const auto found = timestamp_ms == max_timestamp ? current()->offset_of_max_timestamp()
                                                   : current()->offset_for_timestamp(timestamp_ms);
  if (!found) return {.error = ErrorCode::kafka_storage_error};
  if (!found->has_value() || (*found)->offset >= fetchable) {
    return lags ? OffsetLookup{.error = ErrorCode::offset_not_available} : OffsetLookup{};
  }
  return {.timestamp_ms = (*found)->timestamp_ms, .offset = (*found)->offset, .leader_epoch = (*found)->leader_epoch};
}

EpochEnd Partition::end_of_epoch(std::int32_t epoch, std::int32_t current_leader_epoch, bool leader_only) const {
  if (const auto error = check_readable(current_leader_epoch, leader_only); error != ErrorCode::none) {
    return {.error = error};
  }
  const std::lock_guard lock(lock_);
  const auto end = current()->leader_epochs().end_offset_for(epoch, current()->log_end_offset());
  return {.leader_epoch = end.epoch, .end_offset = end.end_offset};
}

OffsetLookup Partition::delete_records_before(std::int64_t offset) {
  const std::lock_guard lock(lock_);
  if (const auto error = health_error(); error != ErrorCode::none) return {.error = error};
  if (state_.leader != broker_id_) return {.error = ErrorCode::not_leader_or_follower};
  if (!config_->cleanup_policy_delete && config_->cleanup_policy_compact) {
    return {.error = ErrorCode::policy_violation};
  }
  const auto target = offset == -1 ? current()->high_watermark() : offset;
  if (target < 0 || target > current()->high_watermark()) return {.error = ErrorCode::offset_out_of_range};
  if (!current()->advance_log_start(target)) return {.error = ErrorCode::kafka_storage_error};
  return {.offset = current()->log_start_offset()};
}

void Partition::watch(std::shared_ptr<runtime::Waiter> waiter) {
  const std::lock_guard lock(watch_mutex_);
  watching_.push_back(std::move(waiter));
  is_watched_.store(true, std::memory_order_seq_cst);
}

void Partition::unwatch(const std::shared_ptr<runtime::Waiter>& waiter) {
  const std::lock_guard lock(watch_mutex_);
  std::erase(watching_, waiter);
  if (watching_.empty()) is_watched_.store(false, std::memory_order_relaxed);
}

void Partition::wake_waiters() {
  // A waiter registers, then checks the offsets; an append moves them, then looks here. One of the two sees the other.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!is_watched_.load(std::memory_order_relaxed)) return;
  std::vector<std::shared_ptr<runtime::Waiter>> woken;
  {
    const std::lock_guard lock(watch_mutex_);
    woken.swap(watching_);
    is_watched_.store(false, std::memory_order_relaxed);
  }
  for (const auto& waiter : woken) waiter->wake();
}

}  // namespace dohle::replica
