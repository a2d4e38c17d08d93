// EndTxn, key 26, v0 to v5. v2 PRODUCER_FENCED; v4 TRANSACTION_ABORTABLE; v5 bumps the epoch and answers it (KIP-890).
// Source: kafka.server.KafkaApis.handleEndTxnRequest.

#include "protocol/messages/end_txn.h"
#include "server/api/async_handlers.h"
#include "server/api/producer_id_allocator.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/transactions/transaction_coordinator.h"

namespace dohle::api {

using protocol::ErrorCode;

boost::asio::awaitable<protocol::EndTxnResponse> end_txn(Services& services, RequestContext& context,
                                                         protocol::EndTxnRequest& request) {
  constexpr std::int16_t first_version_with_producer_fenced = 2;
  constexpr std::int16_t first_version_with_epoch_bump = 5;
  transactions::EndTransaction ending;
  ending.transactional_id = request.transactional_id;
  ending.producer = {request.producer_id, request.producer_epoch};
  ending.commit = request.committed;
  if (context.version() >= first_version_with_epoch_bump) {
    ending.client_version = transactions::first_version_with_epoch_bump;
    // A transaction with the last epoch takes a new producer id, if one is at hand.
    if (transactions::is_epoch_exhausted(request.producer_epoch)) co_await services.producer_ids.fill();
  }
  Promise<transactions::ProducerAnswer> promise;
  services.transactions.end(std::move(ending), promise.reply());
  const auto awaited = co_await promise.wait(context.session.closing);
  const auto answer = awaited.value_or(transactions::ProducerAnswer());
  const bool is_old = context.version() < first_version_with_producer_fenced;
  const auto error =
      is_old && answer.error == ErrorCode::producer_fenced ? ErrorCode::invalid_producer_epoch : answer.error;
  protocol::EndTxnResponse response;
  response.error_code = static_cast<std::int16_t>(error);
  response.producer_id = answer.producer.id;
  response.producer_epoch = answer.producer.epoch;
  co_return response;
}

}  // namespace dohle::api
