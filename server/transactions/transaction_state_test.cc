#include "server/transactions/transaction_state.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace dohle::transactions {
namespace {

constexpr TransactionState all[] = {TransactionState::empty,
                                    TransactionState::ongoing,
                                    TransactionState::prepare_commit,
                                    TransactionState::prepare_abort,
                                    TransactionState::complete_commit,
                                    TransactionState::complete_abort,
                                    TransactionState::dead,
                                    TransactionState::prepare_epoch_fence};

TEST(TransactionState, MayBeFollowedAsInKafka) {
  // TransactionState.VALID_PREVIOUS_STATES of 4.4.0, as "from>to".
  const std::set<std::string> allowed = {"Empty>Empty",
                                         "CompleteCommit>Empty",
                                         "CompleteAbort>Empty",
                                         "Ongoing>Ongoing",
                                         "Empty>Ongoing",
                                         "CompleteCommit>Ongoing",
                                         "CompleteAbort>Ongoing",
                                         "Ongoing>PrepareCommit",
                                         "Ongoing>PrepareAbort",
                                         "PrepareEpochFence>PrepareAbort",
                                         "Empty>PrepareAbort",
                                         "CompleteCommit>PrepareAbort",
                                         "CompleteAbort>PrepareAbort",
                                         "PrepareCommit>CompleteCommit",
                                         "PrepareAbort>CompleteAbort",
                                         "Empty>Dead",
                                         "CompleteAbort>Dead",
                                         "CompleteCommit>Dead",
                                         "Ongoing>PrepareEpochFence"};
  for (const auto from : all) {
    for (const auto to : all) {
      const auto pair = std::string(name(from)) + ">" + std::string(name(to));
      EXPECT_EQ(may_follow(from, to), allowed.contains(pair)) << pair;
    }
  }
}

TEST(TransactionState, HasKafkasIdsAndNames) {
  for (const auto state : all) {
    EXPECT_EQ(state_from_id(static_cast<std::int8_t>(state)), state);
    EXPECT_EQ(state_from_name(name(state)), state);
  }
  EXPECT_EQ(state_from_name("CompleteAbort"), TransactionState::complete_abort);
  EXPECT_EQ(state_from_id(8), std::nullopt);
  EXPECT_EQ(state_from_id(-1), std::nullopt);
  EXPECT_EQ(state_from_name("completeabort"), std::nullopt);
}

TEST(TransactionState, ExpiresOnlyWhereNothingIsOpen) {
  const std::set<TransactionState> expiring = {TransactionState::empty, TransactionState::complete_commit,
                                               TransactionState::complete_abort};
  for (const auto state : all) EXPECT_EQ(may_expire(state), expiring.contains(state)) << name(state);
}

TEST(TransactionState, IsPreparedBetweenDecisionAndMarkers) {
  for (const auto state : all) {
    const bool expected = state == TransactionState::prepare_commit || state == TransactionState::prepare_abort;
    EXPECT_EQ(is_prepared(state), expected) << name(state);
  }
}

}  // namespace
}  // namespace dohle::transactions
