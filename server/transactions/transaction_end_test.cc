#include <gtest/gtest.h>

#include "server/transactions/shard_harness.h"

namespace dohle::transactions {
namespace {

using protocol::ErrorCode;

const std::set<TopicPartition> two = {{"t", 0}, {"u", 3}};

/// A transactional id that has completed one transaction; the producer as it goes on.
ProducerIdentity completed(ShardHarness& harness, bool commit, std::int16_t version) {
  const auto producer = harness.init("a").producer;
  EXPECT_EQ(harness.add("a", producer, two, version), ErrorCode::none);
  const auto ended = harness.end("a", producer, commit, version);
  EXPECT_EQ(ended.error, ErrorCode::none);
  harness.report();
  return version == 2 ? ended.producer : producer;
}

TEST(EndTransaction, OfTheFirstGenerationKeepsTheEpoch) {
  ShardHarness harness(1);
  const auto producer = harness.init("a").producer;
  ASSERT_EQ(harness.add("a", producer, two, 0), ErrorCode::none);
  const auto answer = harness.end("a", producer, true, 0);
  EXPECT_EQ(answer.error, ErrorCode::none);
  EXPECT_EQ(answer.producer, ProducerIdentity{}) << "the field does not exist before v5";
  EXPECT_EQ(harness.state("a"), TransactionState::prepare_commit);
  const auto order = harness.report();
  EXPECT_EQ(order.marker.type, protocol::ControlRecordType::commit);
  EXPECT_EQ(order.marker.producer_id, 1000);
  EXPECT_EQ(order.marker.producer_epoch, 0);
  EXPECT_EQ(order.transaction_version, 0);
  EXPECT_EQ(harness.state("a"), TransactionState::complete_commit);
  EXPECT_EQ(harness.add("a", producer, two, 0), ErrorCode::none) << "the next one";
}

// behaviours.md 132
TEST(EndTransaction, OfTheSecondGenerationAnswersTheNextEpoch) {
  ShardHarness harness;
  const auto producer = harness.init("a").producer;
  ASSERT_EQ(harness.add("a", producer, two), ErrorCode::none);
  EXPECT_EQ(harness.end("a", producer, true).producer, (ProducerIdentity{1000, 1}));
  const auto order = harness.report();
  EXPECT_EQ(order.marker.producer_epoch, 1) << "the marker has the bumped epoch";
  EXPECT_EQ(order.transaction_version, 2);
  EXPECT_EQ(harness.add("a", producer, two), ErrorCode::producer_fenced);
  EXPECT_EQ(harness.add("a", {1000, 1}, two), ErrorCode::none);
}

// behaviours.md 134, the first generation
TEST(EndTransaction, RepeatedInTheFirstGenerationHasTheSameAnswer) {
  for (const bool commit : {true, false}) {
    ShardHarness harness(1);
    const auto producer = completed(harness, commit, 0);
    const auto records = harness.log().size();
    EXPECT_EQ(harness.end("a", producer, commit, 0).error, ErrorCode::none);
    EXPECT_EQ(harness.end("a", producer, !commit, 0).error, ErrorCode::invalid_txn_state);
    EXPECT_EQ(harness.log().size(), records);
  }
}

// The table above endTransaction in TransactionCoordinator of 4.4; behaviours.md 134 and 135.
TEST(EndTransaction, OfTheSecondGenerationFollowsKafkasTable) {
  enum class Rest { empty, complete_abort, complete_commit };
  struct Row {
    Rest rest;
    bool retry;
    bool commit;
    ErrorCode error;
    bool bumps;
  };
  constexpr auto its = ErrorCode::invalid_txn_state;
  const Row rows[] = {
      {Rest::empty, true, false, ErrorCode::producer_fenced, false},
      {Rest::empty, false, false, ErrorCode::none, true},
      {Rest::empty, true, true, ErrorCode::producer_fenced, false},
      {Rest::empty, false, true, its, false},
      {Rest::complete_abort, true, false, ErrorCode::none, false},
      {Rest::complete_abort, false, false, ErrorCode::none, true},
      {Rest::complete_abort, true, true, its, false},
      {Rest::complete_abort, false, true, its, false},
      {Rest::complete_commit, true, false, its, false},
      {Rest::complete_commit, false, false, ErrorCode::none, true},
      {Rest::complete_commit, true, true, ErrorCode::none, false},
      {Rest::complete_commit, false, true, its, false},
  };
  int number = 0;
  for (const auto& row : rows) {
    ShardHarness harness;
    ProducerIdentity producer;
    if (row.rest == Rest::empty) {
      harness.init("a");
      producer = harness.init("a").producer;
    } else {
      producer = completed(harness, row.rest == Rest::complete_commit, 2);
    }
    auto asked = producer;
    if (row.retry) --asked.epoch;
    const auto answer = harness.end("a", asked, row.commit);
    EXPECT_EQ(answer.error, row.error) << number;
    if (row.bumps) {
      EXPECT_EQ(answer.producer.epoch, producer.epoch + 1) << number;
      EXPECT_TRUE(harness.report().partitions.empty()) << number;
      EXPECT_EQ(harness.state("a"), TransactionState::complete_abort) << number;
    } else if (row.error == ErrorCode::none) {
      EXPECT_EQ(answer.producer, producer) << number;
    } else {
      EXPECT_EQ(answer.producer, ProducerIdentity{}) << number;
    }
    ++number;
  }
}

// behaviours.md 135
TEST(EndTransaction, OfNothingIsRefusedInTheFirstGeneration) {
  ShardHarness harness(1);
  const auto producer = harness.init("a").producer;
  EXPECT_EQ(harness.end("a", producer, false, 0).error, ErrorCode::invalid_txn_state);
  EXPECT_EQ(harness.end("a", producer, true, 0).error, ErrorCode::invalid_txn_state);
}

TEST(EndTransaction, KnowsItsProducer) {
  for (const std::int16_t version : {0, 2}) {
    ShardHarness harness(version);
    const auto producer = harness.init("a").producer;
    ASSERT_EQ(harness.add("a", producer, two, version), ErrorCode::none);
    EXPECT_EQ(harness.end("b", producer, true, version).error, ErrorCode::invalid_producer_id_mapping);
    EXPECT_EQ(harness.end("a", {5, 0}, true, version).error, ErrorCode::invalid_producer_id_mapping);
    EXPECT_EQ(harness.end("a", {1000, 1}, true, version).error, ErrorCode::producer_fenced);
    EXPECT_EQ(harness.state("a"), TransactionState::ongoing);
  }
}

// behaviours.md 136
TEST(EndTransaction, LetsNothingElseHappenUntilTheMarkersAreWritten) {
  for (const std::int16_t version : {0, 2}) {
    ShardHarness harness(version);
    const auto producer = harness.init("a").producer;
    ASSERT_EQ(harness.add("a", producer, two, version), ErrorCode::none);
    const auto next = harness.end("a", producer, true, version).producer;
    const auto asked = version == 2 ? next : producer;
    EXPECT_EQ(harness.add("a", asked, two, version), ErrorCode::concurrent_transactions);
    EXPECT_EQ(harness.verify("a", asked, two).error, ErrorCode::concurrent_transactions);
    EXPECT_EQ(harness.end("a", asked, true, version).error, ErrorCode::concurrent_transactions);
    EXPECT_EQ(harness.init("a").error, ErrorCode::concurrent_transactions);
    harness.report();
    EXPECT_EQ(harness.add("a", asked, two, version), ErrorCode::none);
  }
}

// behaviours.md 137
TEST(EndTransaction, TakesANewProducerIdWhenTheEpochsAreUsedUp) {
  ShardHarness harness;
  for (int epoch = 0; epoch <= 32766; ++epoch) harness.init("a");
  const ProducerIdentity last{1000, 32766};
  ASSERT_EQ(harness.add("a", last, two), ErrorCode::none);
  EXPECT_EQ(harness.end("a", last, true).producer, (ProducerIdentity{1001, 0}));
  EXPECT_EQ(harness.end("a", last, true).error, ErrorCode::concurrent_transactions);
  const auto order = harness.report();
  EXPECT_EQ(order.marker.producer_id, 1000);
  EXPECT_EQ(order.marker.producer_epoch, 32767);
  EXPECT_EQ(harness.end("a", last, true).producer, (ProducerIdentity{1001, 0})) << "a lost answer";
  EXPECT_EQ(harness.end("a", last, false).error, ErrorCode::invalid_txn_state);
  EXPECT_EQ(harness.add("a", {1001, 0}, two), ErrorCode::none);
}

TEST(EndTransaction, SurvivesARestartInTheMiddleOfARotation) {
  ShardHarness harness;
  for (int epoch = 0; epoch <= 32766; ++epoch) harness.init("a");
  const ProducerIdentity last{1000, 32766};
  ASSERT_EQ(harness.add("a", last, two), ErrorCode::none);
  ASSERT_EQ(harness.end("a", last, true).producer, (ProducerIdentity{1001, 0}));
  harness.restart();
  ASSERT_EQ(harness.orders.size(), 1U);
  EXPECT_EQ(harness.report().marker.producer_epoch, 32767);
  EXPECT_EQ(harness.describe("a").metadata.producer_id, 1001);
  EXPECT_EQ(harness.describe("a").metadata.producer_epoch, 0);
}

TEST(EndTransaction, WaitsForAProducerIdWhenNoneIsAtHand) {
  ShardHarness harness;
  for (int epoch = 0; epoch <= 32766; ++epoch) harness.init("a");
  ASSERT_EQ(harness.add("a", {1000, 32766}, two), ErrorCode::none);
  harness.producer_ids.clear();
  EXPECT_EQ(harness.end("a", {1000, 32766}, true).error, ErrorCode::coordinator_load_in_progress);
  EXPECT_EQ(harness.state("a"), TransactionState::ongoing);
}

TEST(EndTransaction, NeedsTheLog) {
  ShardHarness harness;
  const auto producer = harness.init("a").producer;
  ASSERT_EQ(harness.add("a", producer, two), ErrorCode::none);
  harness.fail_appends(ErrorCode::coordinator_not_available);
  EXPECT_EQ(harness.end("a", producer, true).error, ErrorCode::coordinator_not_available);
  EXPECT_EQ(harness.state("a"), TransactionState::ongoing);
  EXPECT_TRUE(harness.orders.empty());
  harness.fail_appends({});
  EXPECT_EQ(harness.end("a", producer, true).error, ErrorCode::none);
}

TEST(Markers, AreSentAgainWhereTheyCouldNotBeWritten) {
  ShardHarness harness;
  const auto producer = harness.init("a").producer;
  ASSERT_EQ(harness.add("a", producer, two), ErrorCode::none);
  ASSERT_EQ(harness.end("a", producer, true).error, ErrorCode::none);
  harness.report({{{"u", 3}, ErrorCode::not_leader_or_follower}});
  EXPECT_EQ(harness.state("a"), TransactionState::prepare_commit);
  EXPECT_TRUE(harness.orders.empty());
  harness.advance(harness.settings.marker_retry_first_ms);
  const auto again = harness.report();
  EXPECT_EQ(again.partitions, (std::set<TopicPartition>{{"u", 3}}));
  EXPECT_EQ(harness.state("a"), TransactionState::complete_commit);
}

TEST(Markers, AreSentAgainAtOnceAndThenLessAndLessOften) {
  ShardHarness harness;
  auto producer = harness.init("a").producer;
  // The second transaction begins with the short pause again.
  for (int transaction = 0; transaction < 2; ++transaction) {
    ASSERT_EQ(harness.add("a", producer, two), ErrorCode::none);
    const auto ended = harness.end("a", producer, true);
    ASSERT_EQ(ended.error, ErrorCode::none);
    for (const std::int64_t pause_ms : {2, 4, 8, 16, 32, 64, 100, 100}) {
      harness.report({{{"u", 3}, ErrorCode::not_leader_or_follower}});
      harness.advance(pause_ms - 1);
      EXPECT_TRUE(harness.orders.empty()) << pause_ms;
      harness.advance(1);
      ASSERT_EQ(harness.orders.size(), 1U) << pause_ms;
    }
    harness.report();
    EXPECT_EQ(harness.state("a"), TransactionState::complete_commit);
    producer = ended.producer;
  }
}

TEST(Markers, OfAFencedCoordinatorAreLeftToTheNextOne) {
  for (const auto error : {ErrorCode::invalid_producer_epoch, ErrorCode::transaction_coordinator_fenced}) {
    ShardHarness harness;
    const auto producer = harness.init("a").producer;
    ASSERT_EQ(harness.add("a", producer, two), ErrorCode::none);
    ASSERT_EQ(harness.end("a", producer, true).error, ErrorCode::none);
    harness.report({{{"t", 0}, error}});
    harness.advance(60'000);
    EXPECT_EQ(harness.state("a"), TransactionState::prepare_commit);
    EXPECT_TRUE(harness.orders.empty());
  }
}

TEST(Markers, OfAnEarlierTransactionChangeNothing) {
  ShardHarness harness;
  const auto producer = harness.init("a").producer;
  ASSERT_EQ(harness.add("a", producer, two), ErrorCode::none);
  const auto next = harness.end("a", producer, true).producer;
  harness.orders.push_back(harness.orders.front());
  harness.report();
  ASSERT_EQ(harness.add("a", next, two), ErrorCode::none);
  ASSERT_EQ(harness.end("a", next, true).error, ErrorCode::none);
  harness.report();
  EXPECT_EQ(harness.state("a"), TransactionState::prepare_commit);
  harness.report();
  EXPECT_EQ(harness.state("a"), TransactionState::complete_commit);
}

// behaviours.md 192
TEST(Markers, AreSentAgainAfterARestart) {
  ShardHarness harness;
  const auto producer = harness.init("a").producer;
  ASSERT_EQ(harness.add("a", producer, two), ErrorCode::none);
  ASSERT_EQ(harness.end("a", producer, false).error, ErrorCode::none);
  harness.restart();
  ASSERT_EQ(harness.orders.size(), 1U);
  const auto order = harness.report();
  EXPECT_EQ(order.marker.type, protocol::ControlRecordType::abort);
  EXPECT_EQ(order.marker.producer_epoch, 1);
  EXPECT_EQ(order.partitions, two);
  EXPECT_EQ(harness.state("a"), TransactionState::complete_abort);
}

TEST(Markers, AreFollowedByTheCompletionAsSoonAsTheLogTakesIt) {
  ShardHarness harness;
  const auto producer = harness.init("a").producer;
  ASSERT_EQ(harness.add("a", producer, two), ErrorCode::none);
  ASSERT_EQ(harness.end("a", producer, true).error, ErrorCode::none);
  harness.fail_appends(ErrorCode::coordinator_not_available);
  harness.report();
  EXPECT_EQ(harness.state("a"), TransactionState::prepare_commit);
  harness.advance(harness.settings.marker_retry_last_ms);
  EXPECT_EQ(harness.state("a"), TransactionState::prepare_commit);
  harness.fail_appends({});
  harness.advance(harness.settings.marker_retry_last_ms);
  EXPECT_EQ(harness.state("a"), TransactionState::complete_commit);
}

}  // namespace
}  // namespace dohle::transactions
