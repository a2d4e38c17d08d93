#include "protocol/messages/add_offsets_to_txn.h"
#include "protocol/messages/describe_transactions.h"
#include "server/api/transaction_fixture.h"

namespace dohle::api {
namespace {

using protocol::AddOffsetsToTxnRequest;
using protocol::AddOffsetsToTxnResponse;
using protocol::ErrorCode;

using AddOffsetsToTxn = TransactionFixture;

TEST_F(AddOffsetsToTxn, AddsThePartitionOfTheGroup) {
  const auto producer = init("a");
  AddOffsetsToTxnRequest request;
  request.transactional_id = "a";
  request.producer_id = producer.producer_id;
  request.producer_epoch = producer.producer_epoch;
  request.group_id = "g";
  EXPECT_EQ((call<AddOffsetsToTxnRequest, AddOffsetsToTxnResponse>(3, request).error_code), 0);
  protocol::DescribeTransactionsRequest describe;
  describe.transactional_ids = {"a"};
  const auto described =
      call<protocol::DescribeTransactionsRequest, protocol::DescribeTransactionsResponse>(0, describe);
  EXPECT_EQ(described.transaction_states.at(0).topics.at(0).topic, "__consumer_offsets");
  EXPECT_EQ(described.transaction_states[0].topics[0].partitions, std::vector<std::int32_t>{0});

  request.producer_epoch += 1;
  EXPECT_EQ((call<AddOffsetsToTxnRequest, AddOffsetsToTxnResponse>(1, request).error_code),
            code(ErrorCode::invalid_producer_epoch));
  EXPECT_EQ((call<AddOffsetsToTxnRequest, AddOffsetsToTxnResponse>(2, request).error_code),
            code(ErrorCode::producer_fenced));
}

}  // namespace
}  // namespace dohle::api
