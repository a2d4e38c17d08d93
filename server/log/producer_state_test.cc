// The cases of Kafka's ProducerStateManagerTest and ProducerAppendInfo, and behaviours 32 to 37.
#include "server/log/producer_state.h"

#include <gtest/gtest.h>

#include <limits>

#include "protocol/error_code.h"

namespace dohle::log {
namespace {

using protocol::ErrorCode;

class ProducerStateTest : public ::testing::Test {
 protected:
  ProducerUpdate check(std::int64_t id, std::int16_t epoch, std::int32_t sequence, int records = 1,
                       AppendOrigin origin = AppendOrigin::client, bool transactional = false,
                       VerificationGuard guard = {}) {
    ProducerAppend append;
    append.producer_id = id;
    append.producer_epoch = epoch;
    append.base_sequence = sequence;
    append.base_offset = offset_;
    append.last_offset = offset_ + records - 1;
    append.max_timestamp_ms = now_ms_;
    append.transactional = transactional;
    return state_.check({&append, 1}, origin, guard);
  }
  ErrorCode append(std::int64_t id, std::int16_t epoch, std::int32_t sequence, int records = 1,
                   AppendOrigin origin = AppendOrigin::client, bool transactional = false) {
    const auto guard =
        transactional ? state_.start_verification(id, sequence, epoch, false, now_ms_).guard : VerificationGuard{};
    const ProducerUpdate update = check(id, epoch, sequence, records, origin, transactional, guard);
    if (update.error != ErrorCode::none || update.duplicate) return update.error;
    state_.apply(update);
    offset_ += records;
    return ErrorCode::none;
  }
  ProducerUpdate mark(std::int64_t id, std::int16_t epoch, bool commit, std::int16_t transaction_version = 0,
                      std::int32_t coordinator_epoch = 0, AppendOrigin origin = AppendOrigin::coordinator) {
    ProducerAppend append;
    append.producer_id = id;
    append.producer_epoch = epoch;
    append.base_offset = append.last_offset = offset_;
    append.transactional = append.control = true;
    append.marker = {commit, coordinator_epoch, now_ms_};
    const ProducerUpdate update = state_.check({&append, 1}, origin, {}, transaction_version);
    if (update.error != ErrorCode::none) return update;
    state_.apply(update);
    ++offset_;
    return update;
  }

  ProducerState state_;
  std::int64_t offset_ = 0;
  std::int64_t now_ms_ = 1000;
};

TEST_F(ProducerStateTest, b32_a_batch_sent_again_is_answered_with_where_it_is) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(append(1, 0, i * 2, 2), ErrorCode::none);
  for (int i = 0; i < 5; ++i) {
    const ProducerUpdate update = check(1, 0, i * 2, 2);
    ASSERT_TRUE(update.duplicate) << i;
    EXPECT_EQ(update.duplicate->first_offset(), i * 2);
    EXPECT_EQ(update.duplicate->timestamp_ms, 1000);
    EXPECT_TRUE(update.entries.empty());
  }
  EXPECT_EQ(append(1, 0, 10, 2), ErrorCode::none);
  EXPECT_EQ(check(1, 0, 0, 2).error, ErrorCode::out_of_order_sequence_number) << "b33: six back is too far";
}

TEST_F(ProducerStateTest, b34_a_gap_is_out_of_order) {
  EXPECT_EQ(append(1, 0, 0, 3), ErrorCode::none);
  EXPECT_EQ(append(1, 0, 4), ErrorCode::out_of_order_sequence_number);
  EXPECT_EQ(append(1, 0, 2), ErrorCode::out_of_order_sequence_number);
  EXPECT_EQ(append(1, 0, 3), ErrorCode::none);
}

TEST_F(ProducerStateTest, sequences_go_on_from_the_largest_to_zero) {
  constexpr std::int32_t max = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(append(1, 0, max - 1, 2), ErrorCode::none);
  EXPECT_EQ(append(1, 0, 0), ErrorCode::none);
  EXPECT_EQ(append(2, 0, max, 2), ErrorCode::none);
  EXPECT_EQ(append(2, 0, 1), ErrorCode::none);
}

TEST_F(ProducerStateTest, b35_an_unknown_producer_may_begin_anywhere) {
  EXPECT_EQ(append(1, 0, 17), ErrorCode::none);
  EXPECT_EQ(append(1, 0, 18), ErrorCode::none);
}

TEST_F(ProducerStateTest, b35_with_transactions_v2_it_must_begin_at_zero) {
  auto guard = state_.start_verification(1, 5, 0, true, now_ms_).guard;
  EXPECT_EQ(check(1, 0, 5, 1, AppendOrigin::client, true, guard).error, ErrorCode::out_of_order_sequence_number);
  guard = state_.start_verification(2, 0, 0, true, now_ms_).guard;
  EXPECT_EQ(check(2, 0, 0, 1, AppendOrigin::client, true, guard).error, ErrorCode::none);
}

TEST_F(ProducerStateTest, b36_a_new_epoch_begins_at_zero_and_an_old_one_is_fenced) {
  EXPECT_EQ(append(1, 1, 0), ErrorCode::none);
  EXPECT_EQ(append(1, 2, 1), ErrorCode::out_of_order_sequence_number);
  EXPECT_EQ(append(1, 2, 0), ErrorCode::none);
  EXPECT_EQ(append(1, 1, 1), ErrorCode::invalid_producer_epoch);
}

TEST_F(ProducerStateTest, a_replica_believes_its_leader) {
  EXPECT_EQ(append(1, 1, 0), ErrorCode::none);
  EXPECT_EQ(append(1, 1, 7, 1, AppendOrigin::replication), ErrorCode::none);
  EXPECT_EQ(append(1, 0, 0, 1, AppendOrigin::replication), ErrorCode::none);
}

TEST_F(ProducerStateTest, b37_a_silent_producer_is_forgotten_after_its_own_setting) {
  EXPECT_EQ(append(1, 0, 0), ErrorCode::none);
  EXPECT_EQ(append(2, 0, 0, 1, AppendOrigin::client, true), ErrorCode::none);
  state_.remove_expired(now_ms_ + 86'400'000 - 1);
  EXPECT_EQ(state_.producers().size(), 2U);
  state_.remove_expired(now_ms_ + 86'400'000);
  EXPECT_FALSE(state_.producers().contains(1));
  EXPECT_TRUE(state_.producers().contains(2)) << "its transaction is open";
}

TEST_F(ProducerStateTest, a_transaction_needs_the_proof_that_its_coordinator_was_asked) {
  EXPECT_EQ(check(1, 0, 0, 1, AppendOrigin::client, true).error, ErrorCode::invalid_txn_state);
  const auto verification = state_.start_verification(1, 0, 0, false, now_ms_);
  EXPECT_NE(verification.guard.value, 0U);
  EXPECT_EQ(state_.start_verification(1, 0, 0, false, now_ms_).guard, verification.guard);
  EXPECT_EQ(check(1, 0, 0, 1, AppendOrigin::client, true, {verification.guard.value + 1}).error,
            ErrorCode::invalid_txn_state);
  EXPECT_EQ(append(1, 0, 0, 1, AppendOrigin::client, true), ErrorCode::none);
  EXPECT_EQ(state_.verification_guard(1).value, 0U) << "used up";
  EXPECT_EQ(check(1, 0, 1, 1, AppendOrigin::client, true).error, ErrorCode::none) << "it is open now";
  EXPECT_EQ(state_.start_verification(1, 1, 0, false, now_ms_).guard.value, 0U);
}

TEST_F(ProducerStateTest, data_outside_the_open_transaction_is_refused) {
  EXPECT_EQ(append(1, 0, 0, 1, AppendOrigin::client, true), ErrorCode::none);
  EXPECT_EQ(append(1, 0, 1), ErrorCode::invalid_txn_state);
}

TEST_F(ProducerStateTest, the_first_unstable_offset_is_that_of_the_oldest_transaction_not_below_the_high_watermark) {
  EXPECT_FALSE(state_.first_unstable_offset());
  EXPECT_EQ(append(1, 0, 0, 2, AppendOrigin::client, true), ErrorCode::none);  // 0, 1
  EXPECT_EQ(append(2, 0, 0, 2, AppendOrigin::client, true), ErrorCode::none);  // 2, 3
  EXPECT_EQ(state_.first_unstable_offset(), 0);
  mark(1, 0, true);  // 4
  EXPECT_EQ(state_.first_undecided_offset(), 2);
  EXPECT_EQ(state_.first_unstable_offset(), 0) << "the marker is not replicated yet";
  state_.forget_completed_below(4);
  EXPECT_EQ(state_.first_unstable_offset(), 0);
  state_.forget_completed_below(5);
  EXPECT_EQ(state_.first_unstable_offset(), 2);
}

TEST_F(ProducerStateTest, an_aborted_transaction_is_noted_with_the_offset_that_is_stable_then) {
  append(1, 0, 0, 2, AppendOrigin::client, true);  // 0, 1
  append(2, 0, 0, 2, AppendOrigin::client, true);  // 2, 3
  EXPECT_EQ(mark(1, 0, false).aborted, (std::vector<AbortedTransaction>{{1, 0, 4, 2}}));
  EXPECT_TRUE(mark(3, 0, false).aborted.empty()) << "it had no transaction here";
  EXPECT_EQ(mark(2, 0, false).aborted, (std::vector<AbortedTransaction>{{2, 2, 6, 7}}));
  append(1, 0, 2, 1, AppendOrigin::client, true);
  EXPECT_TRUE(mark(1, 0, true).aborted.empty());
}

TEST_F(ProducerStateTest, markers_of_an_old_epoch_or_coordinator_are_fenced) {
  append(1, 5, 0, 1, AppendOrigin::client, true);
  EXPECT_EQ(mark(1, 4, true).error, ErrorCode::invalid_producer_epoch);
  EXPECT_EQ(mark(1, 5, true, 0, 7).error, ErrorCode::none);
  EXPECT_EQ(mark(1, 5, true, 0, 6).error, ErrorCode::transaction_coordinator_fenced);
  EXPECT_EQ(mark(1, 5, true, 0, 6, AppendOrigin::replication).error, ErrorCode::none);
  EXPECT_EQ(state_.producers().at(1).coordinator_epoch, 6);
}

TEST_F(ProducerStateTest, transactions_v2_want_a_higher_epoch_in_the_marker) {
  append(1, 5, 0, 1, AppendOrigin::client, true);
  EXPECT_EQ(mark(1, 5, true, 2).error, ErrorCode::invalid_producer_epoch);
  EXPECT_EQ(mark(1, 6, true, 2).error, ErrorCode::none);
  EXPECT_EQ(mark(1, 6, true, 2).error, ErrorCode::none) << "the same marker again is harmless";
  EXPECT_TRUE(state_.producers().at(1).batches.empty());
  EXPECT_EQ(state_.producers().at(1).epoch, 6);
}

TEST_F(ProducerStateTest, a_transaction_is_late_five_minutes_after_the_largest_timeout) {
  append(1, 0, 0, 1, AppendOrigin::client, true);
  EXPECT_FALSE(state_.has_late_transaction(now_ms_ + 900'000 + 300'000));
  EXPECT_TRUE(state_.has_late_transaction(now_ms_ + 900'000 + 300'001));
}

TEST_F(ProducerStateTest, several_batches_of_one_append_are_judged_one_after_another) {
  std::vector<ProducerAppend> appends(2);
  for (std::size_t i = 0; i < 2; ++i) {
    appends[i].producer_id = 9;
    appends[i].producer_epoch = 0;
    appends[i].base_sequence = static_cast<std::int32_t>(i);
    appends[i].base_offset = appends[i].last_offset = static_cast<std::int64_t>(i);
  }
  const ProducerUpdate good = state_.check(appends, AppendOrigin::client);
  EXPECT_EQ(good.error, ErrorCode::none);
  state_.apply(good);
  EXPECT_EQ(state_.producers().at(9).batches.size(), 2U);
  appends[0].base_sequence = 2;
  appends[1].base_sequence = 4;
  EXPECT_EQ(state_.check(appends, AppendOrigin::client).error, ErrorCode::out_of_order_sequence_number);
}

}  // namespace
}  // namespace dohle::log
