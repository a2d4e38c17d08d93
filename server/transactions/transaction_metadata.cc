#include "server/transactions/transaction_metadata.h"

#include "server/runtime/check.h"

namespace dohle::transactions {

TransactionMetadata TransactionMetadata::next(TransactionState to) const {
  CHECK(may_follow(state, to));
  TransactionMetadata result = *this;
  result.previous_producer_id = producer_id;
  result.state = to;
  return result;
}

std::optional<TransactionMetadata> TransactionMetadata::with_next_epoch(std::int32_t new_timeout_ms,
                                                                        std::optional<std::int16_t> expected_epoch,
                                                                        std::int64_t now_ms) const {
  CHECK(!is_epoch_exhausted(producer_epoch));
  auto result = next(TransactionState::empty);
  if (!expected_epoch) {
    result.producer_epoch = static_cast<std::int16_t>(producer_epoch + 1);
    result.last_producer_epoch = no_producer_epoch;
  } else if (producer_epoch == no_producer_epoch || *expected_epoch == producer_epoch) {
    result.producer_epoch = static_cast<std::int16_t>(producer_epoch + 1);
    result.last_producer_epoch = producer_epoch;
  } else if (*expected_epoch != last_producer_epoch) {
    return std::nullopt;
  }  // else the answer of the bump was lost, and is given again
  result.timeout_ms = new_timeout_ms;
  result.partitions.clear();
  result.start_ms = -1;
  result.last_update_ms = now_ms;
  return result;
}

TransactionMetadata TransactionMetadata::with_new_producer_id(std::int64_t new_producer_id, std::int32_t new_timeout_ms,
                                                              bool keeps_last_epoch, std::int64_t now_ms) const {
  auto result = next(TransactionState::empty);
  result.producer_id = new_producer_id;
  result.producer_epoch = 0;
  result.last_producer_epoch = keeps_last_epoch ? producer_epoch : no_producer_epoch;
  result.timeout_ms = new_timeout_ms;
  result.partitions.clear();
  result.start_ms = -1;
  result.last_update_ms = now_ms;
  return result;
}

TransactionMetadata TransactionMetadata::with_partitions(const std::set<TopicPartition>& added, std::int16_t version,
                                                         std::int64_t now_ms) const {
  auto result = next(TransactionState::ongoing);
  if (state != TransactionState::ongoing) result.start_ms = now_ms;
  result.partitions.insert(added.begin(), added.end());
  result.last_update_ms = now_ms;
  result.client_version = version;
  return result;
}

TransactionMetadata TransactionMetadata::prepared(bool commit, std::int16_t version, std::int64_t next_id,
                                                  bool nothing_added, std::int64_t now_ms) const {
  auto result = next(commit ? TransactionState::prepare_commit : TransactionState::prepare_abort);
  if (version >= first_version_with_epoch_bump) {
    // At the very last epoch an abort goes through without a bump, so that the id becomes usable again.
    if (producer_epoch != last_epoch || commit) result.producer_epoch = static_cast<std::int16_t>(producer_epoch + 1);
    result.last_producer_epoch = producer_epoch;
  }
  if (nothing_added) result.start_ms = now_ms;
  result.next_producer_id = next_id;
  result.last_update_ms = now_ms;
  result.client_version = version;
  return result;
}

TransactionMetadata TransactionMetadata::completed(std::int64_t now_ms) const {
  auto result = next(state == TransactionState::prepare_commit ? TransactionState::complete_commit
                                                               : TransactionState::complete_abort);
  if (bumps_epoch() && next_producer_id != no_producer_id) {
    result.producer_id = next_producer_id;
    result.producer_epoch = 0;
  }
  result.next_producer_id = no_producer_id;
  result.partitions.clear();
  result.last_update_ms = now_ms;
  return result;
}

TransactionMetadata TransactionMetadata::dead() const {
  auto result = next(TransactionState::dead);
  result.partitions.clear();
  return result;
}

}  // namespace dohle::transactions
