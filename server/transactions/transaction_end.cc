// The transaction's end: EndTxn in both generations, its markers, its completion.
#include <algorithm>
#include <utility>

#include "server/runtime/log_line.h"
#include "server/transactions/transaction_shard.h"

namespace dohle::transactions {

using protocol::ErrorCode;

namespace {

constexpr const char* logger = "kafka.coordinator.transaction.TransactionMarkerChannelManager";

TransactionState complete_state(bool commit) {
  return commit ? TransactionState::complete_commit : TransactionState::complete_abort;
}

}  // namespace

TransactionShard::Ending TransactionShard::judge_first_generation(const Entry& entry, const EndTransaction& request,
                                                                  std::int64_t now_ms) const {
  const auto& metadata = entry.metadata;
  if (metadata.producer_id != request.producer.id) return {ErrorCode::invalid_producer_id_mapping, {}};
  if (metadata.producer_epoch != request.producer.epoch) return {ErrorCode::producer_fenced, {}};
  if (entry.is_pending()) return {ErrorCode::concurrent_transactions, {}};
  if (metadata.state == TransactionState::ongoing) {
    return {ErrorCode::none, metadata.prepared(request.commit, 0, no_producer_id, false, now_ms)};
  }
  // Its own answer was lost; the other outcome is not to be had any more.
  const bool is_repeated = metadata.state == complete_state(request.commit);
  return {is_repeated ? ErrorCode::none : ErrorCode::invalid_txn_state, {}};
}

TransactionShard::Ending TransactionShard::bumped(const Entry& entry, bool commit, bool nothing_added,
                                                  std::int64_t now_ms) {
  auto next_id = no_producer_id;
  if (is_epoch_exhausted(entry.metadata.producer_epoch)) {
    const auto fresh = producer_ids_();
    if (!fresh) return {ErrorCode::coordinator_load_in_progress, {}};
    next_id = *fresh;
  }
  return {ErrorCode::none,
          entry.metadata.prepared(commit, first_version_with_epoch_bump, next_id, nothing_added, now_ms)};
}

TransactionShard::Ending TransactionShard::judge_second_generation(const Entry& entry, const EndTransaction& request,
                                                                   std::int64_t now_ms) {
  const auto& metadata = entry.metadata;
  // First, because the producer may use a new id that is not in force yet.
  if (entry.is_pending()) return {ErrorCode::concurrent_transactions, {}};
  const auto epoch = request.producer.epoch;
  // The epoch was bumped by the very request that is repeated; in the second case together with the id.
  const bool repeats_bump = metadata.producer_epoch == epoch + 1;
  const bool repeats_overflow =
      metadata.previous_producer_id == request.producer.id && epoch == last_epoch - 1 && metadata.producer_epoch == 0;
  if (metadata.producer_id != request.producer.id && !repeats_overflow) {
    return {ErrorCode::invalid_producer_id_mapping, {}};
  }
  const bool is_complete =
      metadata.state == TransactionState::complete_commit || metadata.state == TransactionState::complete_abort;
  const bool is_repeated = repeats_bump || repeats_overflow;
  if (epoch != metadata.producer_epoch && !(is_complete && is_repeated)) return {ErrorCode::producer_fenced, {}};

  if (metadata.state == TransactionState::ongoing) return bumped(entry, request.commit, false, now_ms);
  if (is_repeated && is_complete) {
    const bool same_outcome = metadata.state == complete_state(request.commit);
    return {same_outcome ? ErrorCode::none : ErrorCode::invalid_txn_state, {}};
  }
  // A client that does not know whether anything was added aborts to be sure.
  if (request.commit) return {ErrorCode::invalid_txn_state, {}};
  return bumped(entry, false, true, now_ms);
}

TransactionShard::Outcome TransactionShard::end(const Context& context, const EndTransaction& request,
                                                Reply<ProducerAnswer> reply) {
  auto* entry = find(request.transactional_id);
  const bool bumps = request.client_version >= first_version_with_epoch_bump;
  Ending ending{ErrorCode::invalid_producer_id_mapping, {}};
  if (entry != nullptr) {
    ending = bumps ? judge_second_generation(*entry, request, context.now_ms)
                   : judge_first_generation(*entry, request, context.now_ms);
  }
  if (ending.next && !is_writable(context, request.client_version)) ending = {ErrorCode::unsupported_version, {}};
  if (ending.next) {
    return prepare_end(context, request.transactional_id, std::move(*ending.next), false, std::move(reply));
  }
  ProducerAnswer answer{ending.error, {}};
  if (ending.error == ErrorCode::invalid_txn_state) {
    runtime::log_warn("kafka.coordinator.transaction.TransactionCoordinator",
                      "TransactionalId: {}'s state is {}, but received transaction marker result to send: {}",
                      request.transactional_id, name(entry->metadata.state), request.commit ? "COMMIT" : "ABORT");
  } else if (ending.error == ErrorCode::none && bumps) {
    answer.producer = {entry->metadata.producer_id, entry->metadata.producer_epoch};
  }
  return answer_when_committed([reply = std::move(reply), answer]() mutable { reply(answer); });
}

TransactionShard::Outcome TransactionShard::prepare_end(const Context& context, const std::string& transactional_id,
                                                        TransactionMetadata next, bool is_fence,
                                                        Reply<ProducerAnswer> reply) {
  const bool bumps = next.bumps_epoch();
  const auto epoch = coordinator_epoch(context);
  const auto now_ms = context.now_ms;
  return stage(
      context, transactional_id, std::move(next),
      [this, transactional_id, is_fence, bumps, epoch, now_ms, reply = std::move(reply)](ErrorCode error) mutable {
        auto* entry = find(transactional_id);
        if (error != ErrorCode::none || entry == nullptr) {
          if (entry != nullptr && is_fence && !bumps) entry->fence_failed = true;
          reply({error, {}});
          return;
        }
        entry->fence_failed = false;
        entry->marker_pause_ms = 0;
        ProducerAnswer answer;
        if (bumps) {
          const auto completed = entry->metadata.completed(now_ms);
          answer.producer = {completed.producer_id, completed.producer_epoch};
        }
        // The decision is in the log: the client need not wait for the markers.
        reply(answer);
        send_markers(transactional_id, epoch);
      });
}

void TransactionShard::send_markers(const std::string& transactional_id, std::int32_t coordinator_epoch) {
  const auto& metadata = find(transactional_id)->metadata;
  MarkerOrder order;
  order.transactional_id = transactional_id;
  order.marker.type = metadata.state == TransactionState::prepare_commit ? protocol::ControlRecordType::commit
                                                                         : protocol::ControlRecordType::abort;
  order.marker.coordinator_epoch = coordinator_epoch;
  order.marker.producer_id = metadata.producer_id;
  order.marker.producer_epoch = metadata.producer_epoch;
  order.transaction_version = metadata.client_version;
  order.partitions = metadata.partitions;
  markers_.send(partition_, std::move(order));
}

TransactionShard::Outcome TransactionShard::markers_written(const Context& context, const MarkerReport& report) {
  auto* entry = find(report.transactional_id);
  if (entry == nullptr || entry->in_flight) return {};
  auto& metadata = entry->metadata;
  if (!is_prepared(metadata.state) || metadata.producer_id != report.producer_id ||
      metadata.producer_epoch != report.producer_epoch) {
    return {};  // of an earlier transaction
  }
  for (const auto& [partition, error] : report.results) {
    switch (error) {
      case ErrorCode::none:
      case ErrorCode::unsupported_for_message_format:
      case ErrorCode::unsupported_version:
        metadata.partitions.erase(partition);
        break;
      case ErrorCode::invalid_producer_epoch:
      case ErrorCode::transaction_coordinator_fenced:
        // Somebody else is responsible for this transaction now.
        runtime::log_info(logger,
                          "Sending {}'s transaction marker for partition {}-{} has permanently failed with error {}",
                          report.transactional_id, partition.topic, partition.partition, protocol::name(error));
        return {};
      default:
        runtime::log_info(logger,
                          "Sending {}'s transaction marker for partition {}-{} has failed with error {}, retrying",
                          report.transactional_id, partition.topic, partition.partition, protocol::name(error));
        break;
    }
  }
  if (metadata.partitions.empty()) return complete(context, report.transactional_id);
  entry->marker_pause_ms =
      std::clamp(2 * entry->marker_pause_ms, settings_.marker_retry_first_ms, settings_.marker_retry_last_ms);
  arm(TimerKind::markers, entry->marker_pause_ms, report.transactional_id);
  return {};
}

TransactionShard::Outcome TransactionShard::complete(const Context& context, const std::string& transactional_id) {
  const auto* entry = find(transactional_id);
  if (entry == nullptr || entry->in_flight || !is_prepared(entry->metadata.state)) return {};
  return stage(context, transactional_id, entry->metadata.completed(context.now_ms),
               [this, transactional_id](ErrorCode error) {
                 if (error == ErrorCode::none || error == ErrorCode::not_coordinator) return;
                 arm(TimerKind::completion, settings_.marker_retry_last_ms, transactional_id);
               });
}

}  // namespace dohle::transactions
