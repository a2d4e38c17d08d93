#include "server/api/transaction_verifier.h"

#include "server/api/transaction_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;

using TransactionVerifier = TransactionFixture;

// behaviours.md 133
TEST_F(TransactionVerifier, KeepsWritesOutThatWereNotAdded) {
  create_topic("t");
  const auto producer = init("a");
  const auto old = write("a", producer, "t", 0, 9);
  EXPECT_EQ(old.error_code, code(ErrorCode::invalid_txn_state));
  EXPECT_EQ(old.error_message, "Partition was not added to the transaction");
  EXPECT_EQ(write("a", producer, "t", 0, 11).error_code, code(ErrorCode::transaction_abortable));
  EXPECT_EQ(broker().partition("t", 0)->log_end_offset(), 0);
  ASSERT_EQ(add("a", producer, "t"), 0);
  EXPECT_EQ(write("a", producer, "t", 0, 9).error_code, 0);
  EXPECT_EQ(write("a", producer, "t", 1, 9).error_code, 0);
}

TEST_F(TransactionVerifier, AddsForTheSecondGeneration) {
  create_topic("t");
  auto producer = init("a");
  EXPECT_EQ(write("a", producer, "t", 0, 12).error_code, 0);
  producer.producer_epoch += 1;
  EXPECT_EQ(write("a", producer, "t", 0, 12).error_code, code(ErrorCode::invalid_producer_epoch));
}

TEST_F(TransactionVerifier, WithoutACoordinatorLetsTheClientTryAgain) {
  create_topic("t");
  protocol::InitProducerIdResponse producer;
  producer.producer_id = 5;
  producer.producer_epoch = 0;
  const auto refused = write("a", producer, "t", 0, 9);
  EXPECT_EQ(refused.error_code, code(ErrorCode::not_enough_replicas));
  EXPECT_EQ(refused.error_message,
            "Unable to verify the partition has been added to the transaction. Underlying error: NOT_COORDINATOR");
}

TEST_F(TransactionVerifier, KnowsWhatAVersionUnderstands) {
  EXPECT_EQ(produce_support(10), VerificationSupport::old_errors);
  EXPECT_EQ(produce_support(11), VerificationSupport::abortable);
  EXPECT_EQ(produce_support(12), VerificationSupport::adds_partition);
  EXPECT_EQ(offset_commit_support(3), VerificationSupport::old_errors);
  EXPECT_EQ(offset_commit_support(4), VerificationSupport::abortable);
  EXPECT_EQ(offset_commit_support(5), VerificationSupport::adds_partition);
}

}  // namespace
}  // namespace dohle::api
