// ListTransactions, key 66, v0 to v2. v1 duration filter (KIP-994), v2 pattern of ids (KIP-1152).
// Source: kafka.coordinator.transaction.TransactionStateManager.listTransactionStates.

#include <re2/re2.h>

#include <memory>

#include "protocol/messages/list_transactions.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/transactions/transaction_coordinator.h"

namespace dohle::api {

namespace {

using protocol::ErrorCode;
using Request = protocol::ListTransactionsRequest;
using Response = protocol::ListTransactionsResponse;

/// False: the pattern is no regular expression.
bool set_pattern(const Request& request, transactions::TransactionFilter& filter) {
  if (!request.transactional_id_pattern || request.transactional_id_pattern->empty()) return true;
  re2::RE2::Options options;
  options.set_log_errors(false);
  const auto pattern = std::make_shared<re2::RE2>(*request.transactional_id_pattern, options);
  if (!pattern->ok()) return false;
  filter.matches_id = [pattern](const std::string& id) { return re2::RE2::FullMatch(id, *pattern); };
  return true;
}

transactions::TransactionFilter filter_of(const Request& request, Response& response) {
  transactions::TransactionFilter filter;
  filter.producer_ids = request.producer_id_filters;
  filter.open_longer_than_ms = request.duration_filter;
  if (request.state_filters.empty()) return filter;
  auto& states = filter.states.emplace();
  for (const auto& state_name : request.state_filters) {
    if (const auto state = transactions::state_from_name(state_name)) {
      states.push_back(*state);
    } else {
      response.unknown_state_filters.push_back(state_name);
    }
  }
  return filter;
}

}  // namespace

boost::asio::awaitable<Response> list_transactions(Services& services, RequestContext& context, Request& request) {
  Response response;
  auto filter = filter_of(request, response);
  if (!set_pattern(request, filter)) {
    response.error_code = static_cast<std::int16_t>(ErrorCode::invalid_regular_expression);
    response.unknown_state_filters.clear();
    co_return response;
  }
  const auto partitions = services.transactions.runtime().led_partitions();
  for (const auto partition : partitions) {
    Promise<transactions::ListedTransactions> promise;
    services.transactions.list(partition, filter, promise.reply());
    const auto listed = co_await promise.wait(context.session.closing);
    if (!listed) break;
    if (listed->error == ErrorCode::coordinator_load_in_progress) {
      response = {};
      response.error_code = static_cast<std::int16_t>(listed->error);
      break;
    }
    for (const auto& [id, metadata] : listed->transactions) {
      auto& answer = response.transaction_states.emplace_back();
      answer.transactional_id = id;
      answer.producer_id = metadata.producer_id;
      answer.transaction_state = transactions::name(metadata.state);
    }
  }
  co_return response;
}

}  // namespace dohle::api
