#include <gtest/gtest.h>

#include "server/transactions/shard_harness.h"

namespace dohle::transactions {
namespace {

using protocol::ErrorCode;

const std::set<TopicPartition> one = {{"t", 0}};

TEST(InitProducer, GivesAFreshIdThenHigherEpochs) {
  ShardHarness harness;
  const auto first = harness.init("a");
  EXPECT_EQ(first.error, ErrorCode::none);
  EXPECT_EQ(first.producer, (ProducerIdentity{1000, 0}));
  EXPECT_EQ(harness.init("a").producer, (ProducerIdentity{1000, 1}));
  EXPECT_EQ(harness.init("b").producer, (ProducerIdentity{1001, 0}));
  harness.restart();
  EXPECT_EQ(harness.init("a").producer, (ProducerIdentity{1000, 2}));
}

TEST(InitProducer, IsAskedAgainWhenNoIdIsAtHand) {
  ShardHarness harness;
  harness.producer_ids.clear();
  EXPECT_EQ(harness.init("a").error, ErrorCode::coordinator_load_in_progress);
  EXPECT_EQ(harness.describe("a").error, ErrorCode::transactional_id_not_found);
  EXPECT_TRUE(harness.log().empty());
}

// behaviours.md 129
TEST(InitProducer, AbortsAnOpenTransactionFirst) {
  for (const std::int16_t level : {0, 1, 2}) {
    ShardHarness harness(level);
    const auto old = harness.init("a").producer;
    ASSERT_EQ(harness.add("a", old, one, level == 2 ? 2 : 0), ErrorCode::none);
    EXPECT_EQ(harness.init("a").error, ErrorCode::concurrent_transactions);
    EXPECT_EQ(harness.state("a"), TransactionState::prepare_abort);
    EXPECT_EQ(harness.init("a").error, ErrorCode::concurrent_transactions) << "the markers are not written yet";
    ASSERT_EQ(harness.orders.size(), 1U);
    const auto order = harness.report();
    EXPECT_EQ(order.marker.type, protocol::ControlRecordType::abort);
    EXPECT_EQ(order.marker.producer_epoch, 1);
    EXPECT_EQ(order.partitions, one);
    EXPECT_EQ(order.transaction_version, level == 2 ? 2 : 0);
    EXPECT_EQ(harness.init("a").producer, (ProducerIdentity{1000, 2}));
    EXPECT_EQ(harness.add("a", old, one), ErrorCode::producer_fenced);
  }
}

// KIP-360
TEST(InitProducer, BumpsForAProducerThatKnowsItself) {
  ShardHarness harness;
  harness.init("a");
  EXPECT_EQ(harness.init("a", ProducerIdentity{1000, 0}).producer, (ProducerIdentity{1000, 1}));
  EXPECT_EQ(harness.init("a", ProducerIdentity{1000, 0}).producer, (ProducerIdentity{1000, 1})) << "a lost answer";
  EXPECT_EQ(harness.init("a", ProducerIdentity{1000, 5}).error, ErrorCode::producer_fenced);
  EXPECT_EQ(harness.init("a", ProducerIdentity{999, 1}).error, ErrorCode::producer_fenced);
  EXPECT_EQ(harness.init("a").producer, (ProducerIdentity{1000, 2}));
  EXPECT_EQ(harness.init("a", ProducerIdentity{1000, 1}).error, ErrorCode::producer_fenced);
}

TEST(InitProducer, OfAnUnknownIdTakesNoNoticeOfWhatTheProducerWas) {
  ShardHarness harness;
  EXPECT_EQ(harness.init("a", ProducerIdentity{5, 5}).producer, (ProducerIdentity{1000, 0}));
}

// behaviours.md 137
TEST(InitProducer, TakesANewIdWhenTheEpochsAreUsedUp) {
  ShardHarness harness;
  for (int epoch = 0; epoch < 32766; ++epoch) ASSERT_EQ(harness.init("a").producer.epoch, epoch);
  EXPECT_EQ(harness.init("a").producer, (ProducerIdentity{1000, 32766}));
  EXPECT_EQ(harness.init("a", ProducerIdentity{1000, 3}).error, ErrorCode::unknown_server_error);
  EXPECT_EQ(harness.init("a", ProducerIdentity{1000, 32766}).producer, (ProducerIdentity{1001, 0}));
  EXPECT_EQ(harness.init("a", ProducerIdentity{1000, 32766}).producer, (ProducerIdentity{1001, 0})) << "a lost answer";
}

TEST(InitProducer, NeedsTheLog) {
  ShardHarness harness;
  harness.fail_appends(ErrorCode::coordinator_not_available);
  const auto failed = harness.init("a");
  EXPECT_EQ(failed.error, ErrorCode::coordinator_not_available);
  EXPECT_EQ(failed.producer, ProducerIdentity{});
  harness.fail_appends({});
  EXPECT_EQ(harness.init("a").producer, (ProducerIdentity{1000, 0}));
}

TEST(InitProducer, FencesWithTheSameEpochAgainWhenTheLogRefused) {
  ShardHarness harness(1);
  const auto old = harness.init("a").producer;
  ASSERT_EQ(harness.add("a", old, one, 0), ErrorCode::none);
  harness.fail_appends(ErrorCode::coordinator_not_available);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(harness.init("a").error, ErrorCode::coordinator_not_available);
  harness.fail_appends({});
  EXPECT_EQ(harness.init("a").error, ErrorCode::concurrent_transactions);
  EXPECT_EQ(harness.report().marker.producer_epoch, 1);
  EXPECT_EQ(harness.init("a").producer, (ProducerIdentity{1000, 2}));
}

TEST(InitProducer, FencesWithoutABumpWhenTheLogRefusedInTheSecondGeneration) {
  ShardHarness harness;
  const auto old = harness.init("a").producer;
  ASSERT_EQ(harness.add("a", old, one), ErrorCode::none);
  harness.fail_appends(ErrorCode::not_coordinator);
  EXPECT_EQ(harness.init("a").error, ErrorCode::not_coordinator);
  harness.fail_appends({});
  EXPECT_EQ(harness.end("a", old, true).error, ErrorCode::none) << "nobody was fenced";
}

}  // namespace
}  // namespace dohle::transactions
