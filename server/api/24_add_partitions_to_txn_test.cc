#include "protocol/messages/add_partitions_to_txn.h"
#include "server/api/transaction_fixture.h"

namespace dohle::api {
namespace {

using protocol::AddPartitionsToTxnRequest;
using protocol::AddPartitionsToTxnResponse;
using protocol::ErrorCode;

using AddPartitionsToTxn = TransactionFixture;

TEST_F(AddPartitionsToTxn, KnowsItsProducer) {
  create_topic("t");
  auto producer = init("a");
  EXPECT_EQ(add("a", producer, "t"), 0);
  EXPECT_EQ(add("", producer, "t"), code(ErrorCode::invalid_request));
  producer.producer_epoch += 1;
  EXPECT_EQ(add("a", producer, "t"), code(ErrorCode::producer_fenced));
  EXPECT_EQ(add("a", producer, "t", 1), code(ErrorCode::invalid_producer_epoch));  // behaviours.md 131
  producer.producer_id += 1;
  EXPECT_EQ(add("a", producer, "t"), code(ErrorCode::invalid_producer_id_mapping));
}

TEST_F(AddPartitionsToTxn, OneUnknownPartitionKeepsAllOut) {
  create_topic("t");
  const auto producer = init("a");
  AddPartitionsToTxnRequest request;
  request.v3_and_below_transactional_id = "a";
  request.v3_and_below_producer_id = producer.producer_id;
  request.v3_and_below_producer_epoch = producer.producer_epoch;
  auto& topic = request.v3_and_below_topics.emplace_back();
  topic.name = "t";
  topic.partitions = {0, 1};
  const auto response = call<AddPartitionsToTxnRequest, AddPartitionsToTxnResponse>(3, request);
  const auto& results = response.results_by_topic_v3_and_below.at(0).results_by_partition;
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].partition_error_code, code(ErrorCode::operation_not_attempted));
  EXPECT_EQ(results[1].partition_error_code, code(ErrorCode::unknown_topic_or_partition));
}

TEST_F(AddPartitionsToTxn, VerifiesManyForOtherBrokers) {
  create_topic("t", 2);
  const auto producer = init("a");
  ASSERT_EQ(add("a", producer, "t"), 0);
  AddPartitionsToTxnRequest request;
  for (const auto* id : {"a", "b"}) {
    auto& transaction = request.transactions.emplace_back();
    transaction.transactional_id = id;
    transaction.producer_id = producer.producer_id;
    transaction.producer_epoch = producer.producer_epoch;
    transaction.verify_only = true;
    auto& topic = transaction.topics.emplace_back();
    topic.name = "t";
    topic.partitions = {0, 1};
  }
  const auto response = call<AddPartitionsToTxnRequest, AddPartitionsToTxnResponse>(5, request);
  ASSERT_EQ(response.results_by_transaction.size(), 2u);
  const auto& known = response.results_by_transaction[0].topic_results.at(0).results_by_partition;
  EXPECT_EQ(known.at(0).partition_error_code, 0);
  EXPECT_EQ(known.at(1).partition_error_code, code(ErrorCode::transaction_abortable));
  const auto& unknown = response.results_by_transaction[1].topic_results.at(0).results_by_partition;
  EXPECT_EQ(unknown.at(0).partition_error_code, code(ErrorCode::invalid_producer_id_mapping));
}

}  // namespace
}  // namespace dohle::api
