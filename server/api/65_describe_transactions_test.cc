#include "protocol/messages/describe_transactions.h"
#include "server/api/transaction_fixture.h"

namespace dohle::api {
namespace {

using protocol::DescribeTransactionsRequest;
using protocol::DescribeTransactionsResponse;
using protocol::ErrorCode;

using DescribeTransactions = TransactionFixture;

TEST_F(DescribeTransactions, ShowsStateAndPartitions) {
  create_topic("t");
  const auto producer = init("a", 1234);
  ASSERT_EQ(add("a", producer, "t"), 0);
  DescribeTransactionsRequest request;
  request.transactional_ids = {"a", "b", ""};
  const auto states = call<DescribeTransactionsRequest, DescribeTransactionsResponse>(0, request).transaction_states;
  ASSERT_EQ(states.size(), 3u);
  EXPECT_EQ(states[0].transaction_state, "Ongoing");
  EXPECT_EQ(states[0].producer_id, producer.producer_id);
  EXPECT_EQ(states[0].transaction_timeout_ms, 1234);
  EXPECT_EQ(states[0].transaction_start_time_ms, broker().clock().wall_ms());
  EXPECT_EQ(states[0].topics.at(0).topic, "t");
  EXPECT_EQ(states[1].error_code, code(ErrorCode::transactional_id_not_found));
  EXPECT_EQ(states[2].error_code, code(ErrorCode::invalid_request));
}

}  // namespace
}  // namespace dohle::api
