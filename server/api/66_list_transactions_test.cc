#include "protocol/messages/list_transactions.h"
#include "server/api/transaction_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::ListTransactionsRequest;
using protocol::ListTransactionsResponse;

using ListTransactions = TransactionFixture;

TEST_F(ListTransactions, FiltersByStateAndPattern) {
  create_topic("t");
  ASSERT_EQ(add("a", init("a"), "t"), 0);
  init("b");
  ListTransactionsRequest request;
  request.state_filters = {"Ongoing", "Sleeping"};
  auto listed = call<ListTransactionsRequest, ListTransactionsResponse>(2, request);
  ASSERT_EQ(listed.transaction_states.size(), 1u);
  EXPECT_EQ(listed.transaction_states[0].transactional_id, "a");
  EXPECT_EQ(listed.unknown_state_filters, std::vector<std::string>{"Sleeping"});
  request.state_filters.clear();
  request.transactional_id_pattern = "b|c";
  listed = call<ListTransactionsRequest, ListTransactionsResponse>(2, request);
  ASSERT_EQ(listed.transaction_states.size(), 1u);
  EXPECT_EQ(listed.transaction_states[0].transaction_state, "Empty");
  request.transactional_id_pattern = "(";
  EXPECT_EQ((call<ListTransactionsRequest, ListTransactionsResponse>(2, request).error_code),
            code(ErrorCode::invalid_regular_expression));
}

}  // namespace
}  // namespace dohle::api
