// Every transition, with the values that TransactionMetadata of Kafka 4.4.0 comes to.
#include "server/transactions/transaction_metadata.h"

#include <gtest/gtest.h>

namespace dohle::transactions {
namespace {

TransactionMetadata resting(TransactionState state, std::int16_t epoch, std::int16_t last = no_producer_epoch) {
  TransactionMetadata metadata;
  metadata.producer_id = 7;
  metadata.producer_epoch = epoch;
  metadata.last_producer_epoch = last;
  metadata.timeout_ms = 100;
  metadata.state = state;
  metadata.last_update_ms = 1;
  return metadata;
}

TransactionMetadata ongoing(std::int16_t epoch) {
  return resting(TransactionState::empty, epoch).with_partitions({{"t", 0}}, 0, 10);
}

TEST(TransactionMetadata, OfANewProducerBeginsWithEpochZero) {
  const auto next = resting(TransactionState::empty, no_producer_epoch).with_next_epoch(500, std::nullopt, 9);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->producer_epoch, 0);
  EXPECT_EQ(next->last_producer_epoch, no_producer_epoch);
  EXPECT_EQ(next->timeout_ms, 500);
  EXPECT_EQ(next->last_update_ms, 9);
  EXPECT_EQ(next->start_ms, -1);
  EXPECT_EQ(next->previous_producer_id, 7);
}

TEST(TransactionMetadata, BumpsTheEpochForEveryNewProducer) {
  const auto next = resting(TransactionState::complete_commit, 4, 3).with_next_epoch(100, std::nullopt, 9);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->producer_epoch, 5);
  EXPECT_EQ(next->last_producer_epoch, no_producer_epoch);
  EXPECT_EQ(next->state, TransactionState::empty);
}

TEST(TransactionMetadata, BumpsForTheCurrentEpochAndRepeatsTheAnswerForTheLast) {
  const auto current = resting(TransactionState::complete_abort, 4);
  const auto bumped = current.with_next_epoch(100, 4, 9);
  ASSERT_TRUE(bumped);
  EXPECT_EQ(bumped->producer_epoch, 5);
  EXPECT_EQ(bumped->last_producer_epoch, 4);
  const auto repeated = bumped->with_next_epoch(100, 4, 10);
  ASSERT_TRUE(repeated);
  EXPECT_EQ(repeated->producer_epoch, 5);
  EXPECT_EQ(repeated->last_producer_epoch, 4);
  EXPECT_FALSE(bumped->with_next_epoch(100, 3, 10)) << "fenced";
  EXPECT_FALSE(bumped->with_next_epoch(100, 6, 10)) << "never given to anybody";
}

TEST(TransactionMetadata, GetsANewIdWhenTheEpochsAreUsedUp) {
  EXPECT_FALSE(is_epoch_exhausted(32765));
  EXPECT_TRUE(is_epoch_exhausted(32766));
  const auto metadata = resting(TransactionState::empty, 32766);
  const auto kept = metadata.with_new_producer_id(8, 100, true, 9);
  EXPECT_EQ(kept.producer_id, 8);
  EXPECT_EQ(kept.previous_producer_id, 7);
  EXPECT_EQ(kept.producer_epoch, 0);
  EXPECT_EQ(kept.last_producer_epoch, 32766);
  EXPECT_EQ(metadata.with_new_producer_id(8, 100, false, 9).last_producer_epoch, no_producer_epoch);
}

TEST(TransactionMetadata, StartsWithItsFirstPartition) {
  const auto first = resting(TransactionState::complete_commit, 4).with_partitions({{"t", 0}}, 2, 10);
  EXPECT_EQ(first.state, TransactionState::ongoing);
  EXPECT_EQ(first.start_ms, 10);
  EXPECT_EQ(first.client_version, 2);
  const auto second = first.with_partitions({{"t", 1}}, 2, 20);
  EXPECT_EQ(second.start_ms, 10);
  EXPECT_EQ(second.last_update_ms, 20);
  EXPECT_EQ(second.partitions, (std::set<TopicPartition>{{"t", 0}, {"t", 1}}));
}

TEST(TransactionMetadata, OfTheFirstGenerationEndsWithItsEpoch) {
  const auto prepared = ongoing(4).prepared(true, 0, no_producer_id, false, 20);
  EXPECT_EQ(prepared.state, TransactionState::prepare_commit);
  EXPECT_EQ(prepared.producer_epoch, 4);
  EXPECT_EQ(prepared.start_ms, 10);
  EXPECT_EQ(prepared.partitions.size(), 1U);
  const auto completed = prepared.completed(30);
  EXPECT_EQ(completed.state, TransactionState::complete_commit);
  EXPECT_EQ(completed.producer_epoch, 4);
  EXPECT_TRUE(completed.partitions.empty());
  EXPECT_EQ(completed.start_ms, 10);
  EXPECT_EQ(ongoing(4).prepared(false, 0, no_producer_id, false, 20).completed(30).state,
            TransactionState::complete_abort);
}

TEST(TransactionMetadata, OfTheSecondGenerationBumpsItsEpoch) {
  const auto prepared = ongoing(4).prepared(true, 2, no_producer_id, false, 20);
  EXPECT_EQ(prepared.producer_epoch, 5);
  EXPECT_EQ(prepared.last_producer_epoch, 4);
  const auto completed = prepared.completed(30);
  EXPECT_EQ(completed.producer_id, 7);
  EXPECT_EQ(completed.producer_epoch, 5);
}

TEST(TransactionMetadata, OfTheSecondGenerationTakesItsNextIdAtCompletion) {
  const auto prepared = ongoing(32766).prepared(false, 2, 8, false, 20);
  EXPECT_EQ(prepared.producer_id, 7);
  EXPECT_EQ(prepared.producer_epoch, 32767);
  EXPECT_EQ(prepared.next_producer_id, 8);
  const auto completed = prepared.completed(30);
  EXPECT_EQ(completed.producer_id, 8);
  EXPECT_EQ(completed.previous_producer_id, 7);
  EXPECT_EQ(completed.next_producer_id, no_producer_id);
  EXPECT_EQ(completed.producer_epoch, 0);
  EXPECT_EQ(completed.last_producer_epoch, 32766);
}

TEST(TransactionMetadata, AtTheVeryLastEpochIsAbortedWithoutABump) {
  const auto prepared = ongoing(32767).prepared(false, 2, 8, false, 20);
  EXPECT_EQ(prepared.producer_epoch, 32767);
  EXPECT_EQ(prepared.completed(30).producer_id, 8);
}

TEST(TransactionMetadata, ThatWasNeverAddedToStartsWithItsAbort) {
  const auto prepared = resting(TransactionState::empty, 4).prepared(false, 2, no_producer_id, true, 20);
  EXPECT_EQ(prepared.start_ms, 20);
  EXPECT_EQ(prepared.producer_epoch, 5);
}

TEST(TransactionMetadata, DiesWithoutPartitions) {
  EXPECT_EQ(resting(TransactionState::complete_abort, 4).dead().state, TransactionState::dead);
}

TEST(TransactionMetadataDeathTest, IllegalTransitionsAreBugs) {
  EXPECT_DEATH(ongoing(4).completed(1), "");
  EXPECT_DEATH(ongoing(4).dead(), "");
  EXPECT_DEATH((void)ongoing(4).with_next_epoch(1, std::nullopt, 1), "");
  EXPECT_DEATH(resting(TransactionState::empty, 1).prepared(true, 2, -1, false, 1), "");
  EXPECT_DEATH((void)resting(TransactionState::empty, 32766).with_next_epoch(1, std::nullopt, 1), "");
}

TEST(TransactionMetadata, WithTheLongestTimeoutBelongsToAnExternalCoordinator) {
  auto metadata = ongoing(0);
  EXPECT_FALSE(metadata.is_two_phase());
  metadata.timeout_ms = 2147483647;
  EXPECT_TRUE(metadata.is_two_phase());
}

}  // namespace
}  // namespace dohle::transactions
