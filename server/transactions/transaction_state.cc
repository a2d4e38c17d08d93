#include "server/transactions/transaction_state.h"

#include <array>

namespace dohle::transactions {

namespace {

using enum TransactionState;

constexpr std::array<std::string_view, 8> names = {"Empty",        "Ongoing",          "PrepareCommit",
                                                   "PrepareAbort", "CompleteCommit",   "CompleteAbort",
                                                   "Dead",         "PrepareEpochFence"};

bool is_closed(TransactionState state) {
  return state == empty || state == complete_commit || state == complete_abort;
}

}  // namespace

std::string_view name(TransactionState state) {
  return names[static_cast<std::size_t>(state)];
}

std::optional<TransactionState> state_from_name(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<TransactionState>(i);
  }
  return std::nullopt;
}

std::optional<TransactionState> state_from_id(std::int8_t id) {
  if (id < 0 || static_cast<std::size_t>(id) >= names.size()) return std::nullopt;
  return static_cast<TransactionState>(id);
}

bool may_follow(TransactionState from, TransactionState to) {
  switch (to) {
    case empty:
    case dead:
      return is_closed(from);
    case ongoing:
      return from == ongoing || is_closed(from);
    case prepare_commit:
    case prepare_epoch_fence:
      return from == ongoing;
    case prepare_abort:
      return from == ongoing || from == prepare_epoch_fence || is_closed(from);
    case complete_commit:
      return from == prepare_commit;
    case complete_abort:
      return from == prepare_abort;
  }
  return false;
}

bool may_expire(TransactionState state) {
  return is_closed(state);
}

bool is_prepared(TransactionState state) {
  return state == prepare_commit || state == prepare_abort;
}

}  // namespace dohle::transactions
