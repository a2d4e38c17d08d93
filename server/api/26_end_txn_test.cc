#include "protocol/messages/end_txn.h"
#include "server/api/transaction_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;

using EndTxn = TransactionFixture;

TEST_F(EndTxn, OfTheFirstGenerationAnswersNoProducer) {
  create_topic("t");
  const auto producer = init("a");
  ASSERT_EQ(add("a", producer, "t"), 0);
  ASSERT_EQ(write("a", producer, "t", 0).error_code, 0);
  EXPECT_EQ(broker().partition("t", 0)->last_stable_offset(), 0);
  const auto ended = end("a", producer, true);
  EXPECT_EQ(ended.error_code, 0);
  EXPECT_EQ(ended.producer_id, -1);
  wait_for_stable("t", 2);  // one offset for the marker: behaviours.md 139
  EXPECT_EQ(end("a", producer, true).error_code, 0);
  EXPECT_EQ(end("a", producer, false).error_code, code(ErrorCode::invalid_txn_state));
}

TEST_F(EndTxn, OfTheSecondGenerationAnswersTheNextEpoch) {
  create_topic("t");
  auto producer = init("a");
  // The write adds the partition: behaviours.md 132.
  ASSERT_EQ(write("a", producer, "t", 0, 12).error_code, 0);
  const auto ended = end("a", producer, true, 5);
  EXPECT_EQ(ended.error_code, 0);
  EXPECT_EQ(ended.producer_id, producer.producer_id);
  EXPECT_EQ(ended.producer_epoch, producer.producer_epoch + 1);
  wait_for_stable("t", 2);
}

TEST_F(EndTxn, SaysByVersionWhoIsFenced) {
  auto producer = init("a");
  producer.producer_epoch += 1;
  EXPECT_EQ(end("a", producer, true, 1).error_code, code(ErrorCode::invalid_producer_epoch));
  EXPECT_EQ(end("a", producer, true, 2).error_code, code(ErrorCode::producer_fenced));
  EXPECT_EQ(end("", producer, true).error_code, code(ErrorCode::invalid_request));
}

}  // namespace
}  // namespace dohle::api
