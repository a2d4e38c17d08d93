// InitProducerId, key 22, v0 to v5. v3: the producer's id and epoch, to bump it (KIP-360); v4 PRODUCER_FENCED; v5
// TRANSACTION_ABORTABLE. Without a transactional id every call gives a fresh id with epoch 0.
// Source: kafka.server.KafkaApis.handleInitProducerIdRequest.

#include "protocol/messages/init_producer_id.h"
#include "server/api/async_handlers.h"
#include "server/api/producer_id_allocator.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/transactions/transaction_coordinator.h"

namespace dohle::api {

namespace {

using protocol::ErrorCode;

constexpr std::int16_t first_version_with_producer_fenced = 4;

boost::asio::awaitable<transactions::ProducerAnswer> init_transactional(Services& services, RequestContext& context,
                                                                        protocol::InitProducerIdRequest& request) {
  // Nobody may use two-phase commits here (transaction.two.phase.commit.enable), and prepared ones cannot be kept.
  transactions::ProducerAnswer refused;
  if (request.transactional_id->empty()) {
    refused.error = ErrorCode::invalid_request;
  } else if (request.enable2_pc) {
    refused.error = ErrorCode::transactional_id_authorization_failed;
  } else if (request.keep_prepared_txn) {
    refused.error = ErrorCode::unsupported_version;
  }
  if (refused.error != ErrorCode::none) co_return refused;

  // The coordinator takes an id only if it is at hand.
  co_await services.producer_ids.fill();
  transactions::InitProducer init;
  init.transactional_id = *request.transactional_id;
  init.timeout_ms = request.transaction_timeout_ms;
  if (request.producer_id != -1) {
    init.expected = transactions::ProducerIdentity{request.producer_id, request.producer_epoch};
  }
  Promise<transactions::ProducerAnswer> promise;
  services.transactions.init_producer(std::move(init), promise.reply());
  const auto answer = co_await promise.wait(context.session.closing);
  co_return answer.value_or(refused);
}

}  // namespace

boost::asio::awaitable<protocol::InitProducerIdResponse> init_producer_id(Services& services, RequestContext& context,
                                                                          protocol::InitProducerIdRequest& request) {
  protocol::InitProducerIdResponse response;
  response.producer_id = -1;
  response.producer_epoch = -1;
  const auto fail = [&response](ErrorCode error) { response.error_code = static_cast<std::int16_t>(error); };
  const bool has_id = request.producer_id != -1;
  const bool has_epoch = request.producer_epoch != -1;
  if (has_id != has_epoch) {
    fail(ErrorCode::invalid_request);
    co_return response;
  }
  if (request.transactional_id.has_value()) {
    const auto answer = co_await init_transactional(services, context, request);
    const bool is_old = context.version() < first_version_with_producer_fenced;
    fail(is_old && answer.error == ErrorCode::producer_fenced ? ErrorCode::invalid_producer_epoch : answer.error);
    response.producer_id = answer.producer.id;
    response.producer_epoch = answer.producer.epoch;
    co_return response;
  }
  const auto id = co_await services.producer_ids.next();
  if (!id) {
    fail(ErrorCode::coordinator_load_in_progress);
    co_return response;
  }
  response.producer_id = *id;
  response.producer_epoch = 0;
  co_return response;
}

}  // namespace dohle::api
