#include "server/coordinator/shard_host.h"

#include <utility>

#include "protocol/record_batch_builder.h"
#include "server/coordinator/loader.h"
#include "server/runtime/check.h"
#include "server/runtime/log_line.h"

namespace dohle::coordinator {

using protocol::ErrorCode;

namespace {

void complete(std::vector<Completion>& completions, ErrorCode error) {
  for (auto& completion : completions) completion(error);
}

std::size_t record_bytes_max(const Record& record) {
  const auto value = record.value ? std::optional<codec::Bytes>(*record.value) : std::nullopt;
  return protocol::RecordBatchBuilder::record_bytes_max(codec::Bytes(record.key), value);
}

}  // namespace

ShardHost::ShardHost(Options options, runtime::Reactor& home, std::shared_ptr<PartitionLog> log,
                     const runtime::Snapshot<metadata::MetadataImage>& image, const runtime::Clock& clock,
                     const MakeShard& make_shard)
    : options_(std::move(options)),
      home_(home),
      log_(std::move(log)),
      image_(image),
      clock_(clock),
      timers_(home, [this](const TimerKey& key) { fire(key); }),
      shard_(make_shard(timers_)) {}

void ShardHost::load(std::int32_t buffer_bytes) {
  auto summary = load_shard(*log_, *shard_, buffer_bytes, cancelled_);
  runtime::Result<std::int64_t> next_offset = 0;
  if (summary) {
    next_offset = summary->next_offset;
    runtime::log_info(options_.logger, "Finished loading of metadata from {} with epoch {}: {} records, {} bytes.",
                      options_.name, options_.leader_epoch, summary->records, summary->bytes);
  } else {
    next_offset = std::unexpected(std::move(summary.error()));
  }
  home_.post([self = shared_from_this(), next_offset = std::move(next_offset)]() mutable {
    self->finish_load(std::move(next_offset));
  });
}

void ShardHost::finish_load(runtime::Result<std::int64_t> next_offset) {
  if (state_ != HostState::loading) return;  // unloaded meanwhile
  if (!next_offset) {
    runtime::log_error(options_.logger, "Failed to load metadata from {} with epoch {}: {}.", options_.name,
                       options_.leader_epoch, next_offset.error().message);
    state_ = HostState::failed;
    return;
  }
  next_offset_ = *next_offset;
  state_ = HostState::active;
  log_->set_listener([weak = weak_from_this(), home = &home_] {
    home->post([weak] {
      if (const auto self = weak.lock()) self->high_watermark_moved();
    });
  });
  refresh();
  shard_->loaded(context());
}

void ShardHost::unload() {
  cancelled_.store(true, std::memory_order_release);
  const bool was_active = std::exchange(state_, HostState::unloaded) == HostState::active;
  if (!was_active) return;
  log_->set_listener([] {});
  timers_.cancel_all();
  for (auto& waiting : std::exchange(waiting_, {})) complete(waiting.completions, ErrorCode::not_coordinator);
  shard_->unloaded();
  timers_.cancel_all();
}

void ShardHost::refresh() {
  current_image_ = image_.current();
}

OperationContext ShardHost::context() const {
  return {clock_.wall_ms(), *current_image_};
}

void ShardHost::run(Operation& operation) {
  if (state_ != HostState::active) {
    operation.refuse(state_ == HostState::loading ? ErrorCode::coordinator_load_in_progress
                                                  : ErrorCode::not_coordinator);
    return;
  }
  refresh();
  const auto now = context();
  finish(operation.run(*shard_, now), now.now_ms);
}

void ShardHost::fire(const TimerKey& key) {
  if (state_ != HostState::active) return;
  refresh();
  const auto now = context();
  finish(shard_->on_timer(key, now), now.now_ms);
}

void ShardHost::topics_deleted(const std::vector<metadata::TopicPointer>& topics) {
  if (state_ != HostState::active) return;
  refresh();
  const auto now = context();
  finish(shard_->topics_deleted(topics, now), now.now_ms);
}

void ShardHost::finish(Outcome outcome, std::int64_t now_ms) {
  if (!outcome.records.empty()) {
    if (const auto error = append(outcome, now_ms); error != ErrorCode::none) {
      complete(outcome.completions, append_error(error));
      return;
    }
  }
  complete_when_committed(std::move(outcome.completions));
}

ErrorCode ShardHost::append(const Outcome& outcome, std::int64_t now_ms) {
  const auto bytes_max = static_cast<std::size_t>(log_->batch_bytes_max());
  std::size_t begin = 0;
  std::size_t bytes = protocol::record_batch_overhead;
  for (std::size_t i = 0; i < outcome.records.size(); ++i) {
    const auto record_bytes = record_bytes_max(outcome.records[i]);
    if (!outcome.atomic && i > begin && bytes + record_bytes > bytes_max) {
      if (const auto error = append_batch(outcome, begin, i, now_ms); error != ErrorCode::none) return error;
      begin = i;
      bytes = protocol::record_batch_overhead;
    }
    bytes += record_bytes;
  }
  return append_batch(outcome, begin, outcome.records.size(), now_ms);
}

ErrorCode ShardHost::append_batch(const Outcome& outcome, std::size_t begin, std::size_t end, std::int64_t now_ms) {
  protocol::RecordBatchOptions options;
  // Kafka's runtime writes 0, with a producer and without.
  options.base_sequence = options_.base_sequence;
  options.compression = outcome.producer ? codec::Compression::none : options_.compression;
  if (outcome.producer) {
    options.is_transactional = true;
    options.producer_id = outcome.producer->id;
    options.producer_epoch = outcome.producer->epoch;
  }
  protocol::RecordBatchBuilder builder(options);
  for (std::size_t i = begin; i < end; ++i) {
    const auto& record = outcome.records[i];
    const auto value = record.value ? std::optional<codec::Bytes>(*record.value) : std::nullopt;
    builder.append(now_ms, codec::Bytes(record.key), value);
  }
  auto batch = builder.build();
  CHECK(!batch.empty());
  if (batch.size() > static_cast<std::size_t>(log_->batch_bytes_max())) return ErrorCode::message_too_large;
  const ProducerIdentity producer = outcome.producer.value_or(ProducerIdentity{});
  const auto appended = log_->append(batch, options_.leader_epoch, producer.guard);
  if (appended.error != ErrorCode::none) return appended.error;
  next_offset_ = appended.last_offset + 1;
  if (!outcome.replay) return ErrorCode::none;
  for (std::size_t i = begin; i < end; ++i) {
    const auto offset = appended.first_offset + static_cast<std::int64_t>(i - begin);
    CHECK(shard_->replay(outcome.records[i], offset, producer.id, producer.epoch).has_value());
  }
  return ErrorCode::none;
}

void ShardHost::complete_transaction(const protocol::EndTransactionMarker& marker, std::int16_t transaction_version,
                                     Completion done) {
  if (state_ != HostState::active) {
    done(state_ == HostState::loading ? ErrorCode::coordinator_load_in_progress : ErrorCode::not_coordinator);
    return;
  }
  const auto appended = log_->append_marker(marker, transaction_version, options_.leader_epoch);
  if (appended.error != ErrorCode::none) {
    done(appended.error);
    return;
  }
  next_offset_ = appended.last_offset + 1;
  shard_->replay_end_transaction(marker.producer_id, marker.producer_epoch,
                                 marker.type == protocol::ControlRecordType::commit);
  std::vector<Completion> completions;
  completions.push_back(std::move(done));
  complete_when_committed(std::move(completions));
}

void ShardHost::complete_when_committed(std::vector<Completion> completions) {
  if (completions.empty()) return;
  if (waiting_.empty() && log_->high_watermark() >= next_offset_) {
    complete(completions, ErrorCode::none);
    return;
  }
  waiting_.push_back({next_offset_, std::move(completions)});
  // It may have moved before we were in the list.
  high_watermark_moved();
}

void ShardHost::high_watermark_moved() {
  const auto committed = log_->high_watermark();
  while (!waiting_.empty() && waiting_.front().offset <= committed) {
    auto completions = std::move(waiting_.front().completions);
    waiting_.pop_front();
    complete(completions, ErrorCode::none);
  }
}

}  // namespace dohle::coordinator
