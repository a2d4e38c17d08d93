// The producer's beginning: InitProducerId, and the fence that ends what an earlier producer left open.
#include <utility>

#include "server/runtime/check.h"
#include "server/transactions/transaction_shard.h"

namespace dohle::transactions {

using protocol::ErrorCode;

namespace {

/// The producer is who it says it is: the current one, one whose metadata was just made, or one whose answer with a new
/// producer id was lost.
bool is_current(const TransactionMetadata& metadata, const ProducerIdentity& expected) {
  return metadata.producer_epoch == no_producer_epoch || expected.id == metadata.producer_id ||
         (expected.id == metadata.previous_producer_id && is_epoch_exhausted(expected.epoch));
}

}  // namespace

TransactionShard::Outcome TransactionShard::init_producer(const Context& context, const InitProducer& request,
                                                          Reply<ProducerAnswer> reply) {
  const auto& id = request.transactional_id;
  const auto refuse = [&](ErrorCode error) {
    return answer_when_committed([reply = std::move(reply), error]() mutable { reply({error, {}}); });
  };
  if (find(id) == nullptr) {
    const auto producer_id = producer_ids_();
    if (!producer_id) return refuse(ErrorCode::coordinator_load_in_progress);
    auto& created = entries_[id].metadata;
    created.producer_id = *producer_id;
    created.timeout_ms = request.timeout_ms;
    created.last_update_ms = context.now_ms;
  }
  const auto& entry = *find(id);
  const auto& metadata = entry.metadata;
  if (entry.is_pending()) return refuse(ErrorCode::concurrent_transactions);
  if (request.expected && !is_current(metadata, *request.expected)) return refuse(ErrorCode::producer_fenced);

  if (metadata.state == TransactionState::ongoing) {
    // The fence's epoch is given to nobody: the client asks again, and gets the one after it.
    return abort_to_fence(context, id, [reply = std::move(reply)](ErrorCode error) mutable {
      reply({error == ErrorCode::none ? ErrorCode::concurrent_transactions : error, {}});
    });
  }

  std::optional<TransactionMetadata> next;
  const auto expected_epoch = request.expected ? std::optional(request.expected->epoch) : std::nullopt;
  if (is_epoch_exhausted(metadata.producer_epoch)) {
    // Kafka falls over here for another epoch than the current one, and answers UNKNOWN_SERVER_ERROR.
    if (expected_epoch && *expected_epoch != metadata.producer_epoch) return refuse(ErrorCode::unknown_server_error);
    const auto producer_id = producer_ids_();
    if (!producer_id) return refuse(ErrorCode::coordinator_load_in_progress);
    next = metadata.with_new_producer_id(*producer_id, request.timeout_ms, expected_epoch.has_value(), context.now_ms);
  } else {
    next = metadata.with_next_epoch(request.timeout_ms, expected_epoch, context.now_ms);
  }
  if (!next) return refuse(ErrorCode::producer_fenced);
  const ProducerIdentity given{next->producer_id, next->producer_epoch};
  return stage(context, id, std::move(*next), [reply = std::move(reply), given](ErrorCode error) mutable {
    reply({error, error == ErrorCode::none ? given : ProducerIdentity{}});
  });
}

TransactionShard::Outcome TransactionShard::abort_to_fence(const Context& context, const std::string& transactional_id,
                                                           Done done) {
  auto& entry = *find(transactional_id);
  CHECK(entry.metadata.state == TransactionState::ongoing && !entry.is_pending());
  auto reply = [done = std::move(done)](const ProducerAnswer& answer) mutable { done(answer.error); };
  const auto level = context.image.features->level("transaction.version");
  if (level >= first_version_with_epoch_bump) {
    auto ending = bumped(entry, false, false, context.now_ms);
    if (!ending.next) {
      return answer_when_committed([reply = std::move(reply), error = ending.error]() mutable { reply({error, {}}); });
    }
    return prepare_end(context, transactional_id, std::move(*ending.next), true, std::move(reply));
  }
  auto& metadata = entry.metadata;
  // Both count at once, as in Kafka: a fence that fails to be written is tried again with the same epoch.
  if (!entry.fence_failed && metadata.producer_epoch != last_epoch) ++metadata.producer_epoch;
  metadata.last_producer_epoch = no_producer_epoch;
  auto next = metadata.prepared(false, 0, no_producer_id, false, context.now_ms);
  return prepare_end(context, transactional_id, std::move(next), true, std::move(reply));
}

}  // namespace dohle::transactions
