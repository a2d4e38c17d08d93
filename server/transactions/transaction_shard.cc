#include "server/transactions/transaction_shard.h"

#include <algorithm>
#include <utility>

#include "server/runtime/check.h"
#include "server/runtime/log_line.h"

namespace dohle::transactions {

using protocol::ErrorCode;

namespace {

constexpr const char* logger = "kafka.coordinator.transaction.TransactionCoordinator";
constexpr const char* topic_name = "__transaction_state";

bool is_open(TransactionState state) {
  return state == TransactionState::ongoing;
}

std::int16_t transaction_version(const coordinator::OperationContext& context) {
  return context.image.features->level("transaction.version");
}

}  // namespace

TransactionShard::TransactionShard(std::int32_t partition, const TransactionSettings& settings,
                                   coordinator::Timers& timers, const ProducerIdSource& producer_ids,
                                   MarkerSender& markers)
    : partition_(partition), settings_(settings), timers_(timers), producer_ids_(producer_ids), markers_(markers) {}

runtime::Status TransactionShard::replay(const coordinator::Record& record, std::int64_t offset, std::int64_t,
                                         std::int16_t) {
  auto read = read_transaction_record(record);
  if (!read) return std::unexpected(std::move(read.error()));
  if (!read->has_value()) {
    runtime::log_warn(logger, "The record of {}-{} at offset {} has an unknown version and is passed over.", topic_name,
                      partition_, offset);
    return {};
  }
  auto& [id, metadata] = **read;
  if (!metadata) {
    entries_.erase(id);
    return {};
  }
  auto& entry = entries_[id];
  if (entry.staged) {
    entry.metadata = *std::exchange(entry.staged, std::nullopt);
  } else {
    entry.metadata = std::move(*metadata);
  }
  return {};
}

void TransactionShard::loaded(const Context& context) {
  for (const auto& [id, entry] : entries_) {
    if (!is_prepared(entry.metadata.state)) continue;
    runtime::log_info(logger, "Sending the markers of {} in state {} after {}-{} was loaded.", id,
                      name(entry.metadata.state), topic_name, partition_);
    send_markers(id, coordinator_epoch(context));
  }
  arm(TimerKind::abort_scan, settings_.abort_interval_ms);
  arm(TimerKind::expiration_scan, settings_.expiration_interval_ms);
}

TransactionShard::Outcome TransactionShard::on_timer(const coordinator::TimerKey& key, const Context& context) {
  switch (static_cast<TimerKind>(key.kind)) {
    case TimerKind::abort_scan:
      find_timed_out(context);
      arm(TimerKind::abort_scan, settings_.abort_interval_ms);
      return {};
    case TimerKind::expiration_scan:
      arm(TimerKind::expiration_scan, settings_.expiration_interval_ms);
      return expire(context);
    case TimerKind::abort_one: {
      const auto* entry = find(key.id);
      if (entry == nullptr || entry->is_pending() || !is_open(entry->metadata.state)) return {};
      return abort_to_fence(context, key.id, [id = key.id](ErrorCode error) {
        if (error == ErrorCode::none) {
          runtime::log_info(logger, "Completed rollback of ongoing transaction for transactionalId {} due to timeout",
                            id);
        } else {
          runtime::log_warn(logger, "Rollback of ongoing transaction for transactionalId {} failed due to error {}", id,
                            protocol::name(error));
        }
      });
    }
    case TimerKind::markers:
      if (const auto* entry = find(key.id); entry != nullptr && is_prepared(entry->metadata.state)) {
        send_markers(key.id, coordinator_epoch(context));
      }
      return {};
    case TimerKind::completion:
      return complete(context, key.id);
  }
  return {};
}

TransactionShard::Entry* TransactionShard::find(const std::string& transactional_id) {
  const auto found = entries_.find(transactional_id);
  return found == entries_.end() ? nullptr : &found->second;
}

void TransactionShard::arm(TimerKind kind, std::int64_t delay_ms, const std::string& transactional_id) {
  timers_.arm({static_cast<std::int32_t>(kind), transactional_id, {}}, delay_ms);
}

std::int32_t TransactionShard::coordinator_epoch(const Context& context) const {
  const auto* topic = context.image.topics->find(topic_name);
  const auto* partition = topic == nullptr ? nullptr : topic->partition(partition_);
  return partition == nullptr ? 0 : partition->leader_epoch;
}

bool TransactionShard::is_writable(const Context& context, std::int16_t client_version) {
  return client_version == 0 || transaction_version(context) >= first_version_with_flexible_records;
}

TransactionShard::Outcome TransactionShard::answer_when_committed(std::move_only_function<void()> answer) {
  Outcome outcome;
  outcome.completions.push_back([answer = std::move(answer)](ErrorCode) mutable { answer(); });
  return outcome;
}

TransactionShard::Outcome TransactionShard::stage(const Context& context, const std::string& transactional_id,
                                                  TransactionMetadata next, Done done) {
  auto& entry = entries_[transactional_id];
  CHECK(!entry.in_flight);
  Outcome outcome;
  outcome.records.push_back(transaction_record(transactional_id, next, transaction_version(context)));
  entry.in_flight = true;
  entry.staged = std::move(next);
  outcome.completions.push_back([this, transactional_id, done = std::move(done)](ErrorCode error) mutable {
    if (auto* staged = find(transactional_id)) {
      staged->in_flight = false;
      staged->staged.reset();
    }
    done(error);
  });
  return outcome;
}

TransactionShard::Outcome TransactionShard::add_partitions(const Context& context,
                                                           const PartitionsOfTransaction& request,
                                                           Reply<ErrorCode> reply) {
  const auto* entry = find(request.transactional_id);
  auto verdict = ErrorCode::none;
  if (entry == nullptr) {
    verdict = ErrorCode::invalid_producer_id_mapping;
  } else if (entry->is_pending()) {
    // First, because the producer may use a new id that is not in force yet.
    verdict = ErrorCode::concurrent_transactions;
  } else if (entry->metadata.producer_id != request.producer.id) {
    verdict = ErrorCode::invalid_producer_id_mapping;
  } else if (entry->metadata.producer_epoch != request.producer.epoch) {
    verdict = ErrorCode::producer_fenced;
  } else if (!is_open(entry->metadata.state) ||
             !std::ranges::includes(entry->metadata.partitions, request.partitions)) {
    if (!is_writable(context, request.client_version)) {
      return answer_when_committed([reply = std::move(reply)]() mutable { reply(ErrorCode::unsupported_version); });
    }
    auto next = entry->metadata.with_partitions(request.partitions, request.client_version, context.now_ms);
    return stage(context, request.transactional_id, std::move(next), std::move(reply));
  }
  return answer_when_committed([reply = std::move(reply), verdict]() mutable { reply(verdict); });
}

TransactionShard::Outcome TransactionShard::verify_partitions(const PartitionsOfTransaction& request,
                                                              Reply<PartitionVerdicts> reply) {
  PartitionVerdicts answer;
  const auto* entry = find(request.transactional_id);
  if (entry == nullptr || entry->metadata.producer_id != request.producer.id) {
    answer.error = ErrorCode::invalid_producer_id_mapping;
  } else if (entry->metadata.producer_epoch != request.producer.epoch) {
    answer.error = ErrorCode::producer_fenced;
  } else if (is_prepared(entry->metadata.state)) {
    answer.error = ErrorCode::concurrent_transactions;
  } else {
    for (const auto& partition : request.partitions) {
      answer.verdicts[partition] =
          entry->metadata.partitions.contains(partition) ? ErrorCode::none : ErrorCode::transaction_abortable;
    }
  }
  return answer_when_committed([reply = std::move(reply), answer = std::move(answer)]() mutable { reply(answer); });
}

TransactionShard::Outcome TransactionShard::describe(const std::string& transactional_id,
                                                     Reply<DescribedTransaction> reply) {
  DescribedTransaction answer;
  const auto* entry = find(transactional_id);
  if (entry == nullptr) {
    answer.error = ErrorCode::transactional_id_not_found;
  } else {
    answer.metadata = entry->metadata;
  }
  return answer_when_committed([reply = std::move(reply), answer = std::move(answer)]() mutable { reply(answer); });
}

TransactionShard::Outcome TransactionShard::list(const Context& context, const TransactionFilter& filter,
                                                 Reply<ListedTransactions> reply) {
  ListedTransactions answer;
  for (const auto& [id, entry] : entries_) {
    const auto& metadata = entry.metadata;
    const auto is_one_of = [](const auto& values, const auto& value) {
      return std::ranges::find(values, value) != values.end();
    };
    if (!filter.producer_ids.empty() && !is_one_of(filter.producer_ids, metadata.producer_id)) continue;
    if (filter.states && !is_one_of(*filter.states, metadata.state)) continue;
    // An id without a transaction has the start -1, and counts as open for ever, as in Kafka.
    if (filter.open_longer_than_ms >= 0 && context.now_ms - metadata.start_ms <= filter.open_longer_than_ms) continue;
    if (filter.matches_id && !filter.matches_id(id)) continue;
    answer.transactions.emplace_back(id, metadata);
  }
  return answer_when_committed([reply = std::move(reply), answer = std::move(answer)]() mutable { reply(answer); });
}

void TransactionShard::find_timed_out(const Context& context) {
  for (const auto& [id, entry] : entries_) {
    const auto& metadata = entry.metadata;
    if (entry.is_pending() || !is_open(metadata.state) || metadata.is_two_phase()) continue;
    // Each is an operation of its own, so that one that fails harms no other.
    if (metadata.start_ms + metadata.timeout_ms < context.now_ms) arm(TimerKind::abort_one, 0, id);
  }
}

TransactionShard::Outcome TransactionShard::expire(const Context& context) {
  Outcome outcome;
  outcome.atomic = false;
  std::vector<std::string> expired;
  for (auto& [id, entry] : entries_) {
    if (entry.is_pending() || !may_expire(entry.metadata.state)) continue;
    if (entry.metadata.last_update_ms > context.now_ms - settings_.id_expiration_ms) continue;
    entry.in_flight = true;
    outcome.records.push_back(transaction_tombstone(id));
    expired.push_back(id);
  }
  if (expired.empty()) return outcome;
  outcome.completions.push_back([this, expired = std::move(expired)](ErrorCode error) {
    if (error == ErrorCode::none) return;
    runtime::log_warn(logger, "{} expired transactional ids of {}-{} could not be removed: {}", expired.size(),
                      topic_name, partition_, protocol::name(error));
    for (const auto& id : expired) {
      if (auto* entry = find(id)) entry->in_flight = false;
    }
  });
  return outcome;
}

}  // namespace dohle::transactions
