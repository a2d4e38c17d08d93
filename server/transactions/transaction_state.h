// The states of a transactional id, as `__transaction_state` and the admin APIs name them.
// Source: org.apache.kafka.coordinator.transaction.TransactionState.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dohle::transactions {

/// The values are those of TransactionLogValue.TransactionStatus.
enum class TransactionState : std::int8_t {
  empty = 0,
  ongoing = 1,
  prepare_commit = 2,
  prepare_abort = 3,
  complete_commit = 4,
  complete_abort = 5,
  dead = 6,                 // about to be removed: never written
  prepare_epoch_fence = 7,  // on the way to prepare_abort: never written
};

std::string_view name(TransactionState state);
std::optional<TransactionState> state_from_name(std::string_view name);
std::optional<TransactionState> state_from_id(std::int8_t id);

/// Whether a transactional id may go from `from` to `to`.
bool may_follow(TransactionState from, TransactionState to);
/// Whether an id that rests in this state may be forgotten when it is old.
bool may_expire(TransactionState state);
/// The outcome is decided, and its markers are being written.
bool is_prepared(TransactionState state);

}  // namespace dohle::transactions
