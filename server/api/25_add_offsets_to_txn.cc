// AddOffsetsToTxn, key 25, v0 to v4. v2 PRODUCER_FENCED; v4 TRANSACTION_ABORTABLE. Only producers of the first
// generation send it. Source: kafka.server.KafkaApis.handleAddOffsetsToTxnRequest.

#include "protocol/messages/add_offsets_to_txn.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/groups/group_coordinator.h"
#include "server/transactions/transaction_coordinator.h"

namespace dohle::api {

using protocol::ErrorCode;

boost::asio::awaitable<protocol::AddOffsetsToTxnResponse> add_offsets_to_txn(
    Services& services, RequestContext& context, protocol::AddOffsetsToTxnRequest& request) {
  constexpr std::int16_t first_version_with_producer_fenced = 2;
  transactions::PartitionsOfTransaction asked;
  asked.transactional_id = request.transactional_id;
  asked.producer = {request.producer_id, request.producer_epoch};
  const auto partition = services.groups.runtime().partition_for(request.group_id);
  asked.partitions.insert({groups::offsets_topic, partition});
  Promise<ErrorCode> promise;
  services.transactions.add_partitions(std::move(asked), promise.reply());
  const auto answer = co_await promise.wait(context.session.closing);
  auto error = answer.value_or(ErrorCode::none);
  const bool is_old = context.version() < first_version_with_producer_fenced;
  if (is_old && error == ErrorCode::producer_fenced) error = ErrorCode::invalid_producer_epoch;
  protocol::AddOffsetsToTxnResponse response;
  response.error_code = static_cast<std::int16_t>(error);
  co_return response;
}

}  // namespace dohle::api
