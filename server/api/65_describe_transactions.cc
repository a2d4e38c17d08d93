// DescribeTransactions, key 65, v0. Source: kafka.coordinator.transaction.TransactionCoordinator.
// handleDescribeTransactions.

#include "protocol/messages/describe_transactions.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/transactions/transaction_coordinator.h"

namespace dohle::api {

namespace {

using Response = protocol::DescribeTransactionsResponse;

void fill(const transactions::TransactionMetadata& metadata, Response::TransactionState& answer) {
  answer.producer_id = metadata.producer_id;
  answer.producer_epoch = metadata.producer_epoch;
  answer.transaction_state = transactions::name(metadata.state);
  answer.transaction_timeout_ms = metadata.timeout_ms;
  answer.transaction_start_time_ms = metadata.start_ms;
  for (const auto& [topic, partition] : metadata.partitions) {
    if (answer.topics.empty() || answer.topics.back().topic != topic) answer.topics.emplace_back().topic = topic;
    answer.topics.back().partitions.push_back(partition);
  }
}

}  // namespace

boost::asio::awaitable<Response> describe_transactions(Services& services, RequestContext& context,
                                                       protocol::DescribeTransactionsRequest& request) {
  Response response;
  for (const auto& id : request.transactional_ids) {
    Promise<transactions::DescribedTransaction> promise;
    services.transactions.describe(id, promise.reply());
    const auto described = co_await promise.wait(context.session.closing);
    if (!described) break;
    auto& answer = response.transaction_states.emplace_back();
    answer.transactional_id = id;
    answer.error_code = static_cast<std::int16_t>(described->error);
    if (described->error == protocol::ErrorCode::none) fill(described->metadata, answer);
  }
  co_return response;
}

}  // namespace dohle::api
