#include "server/transactions/transaction_shard.h"

#include <gtest/gtest.h>

#include "server/transactions/shard_harness.h"

namespace dohle::transactions {
namespace {

using protocol::ErrorCode;

const std::set<TopicPartition> one = {{"t", 0}};

TEST(AddPartitions, NeedsTheRightProducer) {
  ShardHarness harness;
  harness.init("a");
  EXPECT_EQ(harness.add("b", {1000, 0}, one), ErrorCode::invalid_producer_id_mapping);
  EXPECT_EQ(harness.add("a", {999, 0}, one), ErrorCode::invalid_producer_id_mapping);
  EXPECT_EQ(harness.add("a", {1000, 1}, one), ErrorCode::producer_fenced);
  EXPECT_EQ(harness.state("a"), TransactionState::empty);
}

TEST(AddPartitions, WritesOnlyWhatIsNew) {
  ShardHarness harness;
  const auto producer = harness.init("a").producer;
  ASSERT_EQ(harness.add("a", producer, one), ErrorCode::none);
  const auto records = harness.log().size();
  EXPECT_EQ(harness.add("a", producer, one), ErrorCode::none);
  EXPECT_EQ(harness.log().size(), records);
  EXPECT_EQ(harness.add("a", producer, {{"t", 0}, {"t", 1}}), ErrorCode::none);
  EXPECT_EQ(harness.log().size(), records + 1);
  EXPECT_EQ(harness.describe("a").metadata.partitions, (std::set<TopicPartition>{{"t", 0}, {"t", 1}}));
}

TEST(AddPartitions, ShutsOthersOutUntilTheyAreCommitted) {
  ShardHarness harness;
  const auto producer = harness.init("a").producer;
  harness.hold_commits();
  harness.begin_add("a", producer, one);
  EXPECT_EQ(harness.add("a", producer, {{"t", 1}}), ErrorCode::concurrent_transactions);
  EXPECT_EQ(harness.end("a", producer, true).error, ErrorCode::concurrent_transactions);
  EXPECT_EQ(harness.init("a").error, ErrorCode::concurrent_transactions);
  harness.commit_held();
  EXPECT_EQ(harness.add("a", producer, {{"t", 1}}), ErrorCode::none);
}

TEST(AddPartitions, NeedsTheLog) {
  ShardHarness harness;
  const auto producer = harness.init("a").producer;
  harness.fail_appends(ErrorCode::not_coordinator);
  EXPECT_EQ(harness.add("a", producer, one), ErrorCode::not_coordinator);
  EXPECT_EQ(harness.state("a"), TransactionState::empty);
  harness.fail_appends({});
  EXPECT_EQ(harness.add("a", producer, one), ErrorCode::none);
}

TEST(TransactionVersion, OfLevelZeroHasNoRecordForTheSecondGeneration) {
  ShardHarness harness(0);
  const auto producer = harness.init("a").producer;
  EXPECT_EQ(harness.add("a", producer, {{"t", 0}}, 2), ErrorCode::unsupported_version);
  EXPECT_EQ(harness.end("a", producer, false, 2).error, ErrorCode::unsupported_version);
  EXPECT_EQ(harness.state("a"), TransactionState::empty);
  ASSERT_EQ(harness.add("a", producer, {{"t", 0}}, 0), ErrorCode::none);
  EXPECT_EQ(harness.end("a", producer, true, 2).error, ErrorCode::unsupported_version);
  EXPECT_EQ(harness.state("a"), TransactionState::ongoing);
  EXPECT_EQ(harness.end("a", producer, true, 0).error, ErrorCode::none);
}

// behaviours.md 133
TEST(VerifyPartitions, FindsWhatWasNotAdded) {
  ShardHarness harness;
  const auto producer = harness.init("a").producer;
  ASSERT_EQ(harness.add("a", producer, one), ErrorCode::none);
  const auto verdicts = harness.verify("a", producer, {{"t", 0}, {"t", 1}}).verdicts;
  EXPECT_EQ(verdicts.at({"t", 0}), ErrorCode::none);
  EXPECT_EQ(verdicts.at({"t", 1}), ErrorCode::transaction_abortable);
  EXPECT_EQ(harness.verify("b", producer, one).error, ErrorCode::invalid_producer_id_mapping);
  EXPECT_EQ(harness.verify("a", {999, 0}, one).error, ErrorCode::invalid_producer_id_mapping);
  EXPECT_EQ(harness.verify("a", {1000, 9}, one).error, ErrorCode::producer_fenced);
}

// behaviours.md 138
TEST(TimedOutTransaction, IsAbortedByTheCoordinator) {
  for (const std::int16_t level : {0, 2}) {
    ShardHarness harness(level);
    const auto producer = harness.init("a", {}, 30'000).producer;
    ASSERT_EQ(harness.add("a", producer, one, level), ErrorCode::none);
    harness.advance(30'000);
    EXPECT_EQ(harness.state("a"), TransactionState::ongoing) << "not longer than its timeout";
    harness.advance(10'000);
    EXPECT_EQ(harness.state("a"), TransactionState::prepare_abort);
    EXPECT_EQ(harness.report().marker.producer_epoch, 1);
    EXPECT_EQ(harness.state("a"), TransactionState::complete_abort);
    EXPECT_EQ(harness.add("a", producer, one, level), ErrorCode::producer_fenced);
    EXPECT_EQ(harness.init("a").producer, (ProducerIdentity{1000, 2}));
  }
}

TEST(TimedOutTransaction, IsTriedAgainWhenTheLogRefused) {
  ShardHarness harness;
  const auto producer = harness.init("a", {}, 1'000).producer;
  ASSERT_EQ(harness.add("a", producer, one), ErrorCode::none);
  harness.fail_appends(ErrorCode::coordinator_not_available);
  harness.advance(10'000);
  EXPECT_EQ(harness.state("a"), TransactionState::ongoing);
  harness.fail_appends({});
  harness.advance(10'000);
  EXPECT_EQ(harness.state("a"), TransactionState::prepare_abort);
}

TEST(TimedOutTransaction, IsFoundAfterARestart) {
  ShardHarness harness;
  const auto producer = harness.init("a", {}, 1'000).producer;
  ASSERT_EQ(harness.add("a", producer, one), ErrorCode::none);
  harness.restart();
  EXPECT_TRUE(harness.orders.empty());
  harness.advance(10'000);
  EXPECT_EQ(harness.state("a"), TransactionState::prepare_abort);
}

TEST(TransactionalId, IsForgottenWhenNobodyUsesIt) {
  ShardHarness harness;
  harness.settings.id_expiration_ms = 5'000'000;
  harness.init("idle");
  const auto busy = harness.init("busy", {}, 2'000'000'000).producer;
  ASSERT_EQ(harness.add("busy", busy, one), ErrorCode::none);
  harness.advance(3'600'000);
  EXPECT_EQ(harness.describe("idle").error, ErrorCode::none);
  harness.fail_appends(ErrorCode::coordinator_not_available);
  harness.advance(3'600'000);
  EXPECT_EQ(harness.describe("idle").error, ErrorCode::none) << "the log refused";
  harness.fail_appends({});
  harness.advance(3'600'000);
  EXPECT_EQ(harness.describe("idle").error, ErrorCode::transactional_id_not_found);
  EXPECT_EQ(harness.state("busy"), TransactionState::ongoing);
  EXPECT_FALSE(harness.log().back().value.has_value());
  harness.restart();
  EXPECT_EQ(harness.describe("idle").error, ErrorCode::transactional_id_not_found);
  EXPECT_EQ(harness.init("idle").producer.id, 1002);
}

TEST(TransactionList, IsFiltered) {
  ShardHarness harness;
  const auto a = harness.init("a").producer;
  harness.init("b");
  ASSERT_EQ(harness.add("a", a, one), ErrorCode::none);
  using Ids = std::vector<std::string>;
  EXPECT_EQ(harness.list({}), (Ids{"a", "b"}));
  EXPECT_EQ(harness.list({.producer_ids = {1001}}), (Ids{"b"}));
  EXPECT_EQ(harness.list({.states = std::vector{TransactionState::ongoing}}), (Ids{"a"}));
  EXPECT_EQ(harness.list({.states = std::vector<TransactionState>{}}), Ids{}) << "only unknown names were given";
  EXPECT_EQ(harness.list({.open_longer_than_ms = 0}), (Ids{"b"})) << "an id at rest counts as open for ever";
  harness.advance(1);
  EXPECT_EQ(harness.list({.open_longer_than_ms = 0}), (Ids{"a", "b"}));
  EXPECT_EQ(harness.list({.matches_id = [](const std::string& id) { return id == "b"; }}), (Ids{"b"}));
}

TEST(TransactionShard, DoesNotLoadWhatItCannotRead) {
  ShardHarness harness;
  harness.init("a");
  const std::int64_t now_ms = 0;
  FakeTimers timers(now_ms);
  const ProducerIdSource source = [] { return std::nullopt; };
  struct NoMarkers final : MarkerSender {
    void send(std::int32_t, MarkerOrder) override {}
  } markers;
  TransactionShard shard(0, harness.settings, timers, source, markers);
  auto record = harness.log().back();
  EXPECT_TRUE(shard.replay(record, 0, -1, -1).has_value());
  record.value->resize(4);
  EXPECT_FALSE(shard.replay(record, 1, -1, -1).has_value());
}

}  // namespace
}  // namespace dohle::transactions
