// InitProducerId, key 22, v0 to v5. v3: the producer's id and epoch, to bump it (KIP-360); v4 PRODUCER_FENCED; v5
// TRANSACTION_ABORTABLE. Without a transactional id every call gives a fresh id with epoch 0.
// Source: kafka.server.KafkaApis.handleInitProducerIdRequest.

#include "protocol/messages/init_producer_id.h"
#include "server/api/async_handlers.h"
#include "server/api/producer_id_allocator.h"
#include "server/api/services.h"

namespace dohle::api {

boost::asio::awaitable<protocol::InitProducerIdResponse> init_producer_id(Services& services, RequestContext&,
                                                                          protocol::InitProducerIdRequest& request) {
  protocol::InitProducerIdResponse response;
  response.producer_id = -1;
  response.producer_epoch = -1;
  const auto fail = [&response](protocol::ErrorCode error) { response.error_code = static_cast<std::int16_t>(error); };
  const bool has_id = request.producer_id != -1;
  const bool has_epoch = request.producer_epoch != -1;
  if (has_id != has_epoch) {
    fail(protocol::ErrorCode::invalid_request);
    co_return response;
  }
  if (request.transactional_id.has_value()) {
    // An empty id is refused for good; real ones are served once there is a transaction coordinator.
    fail(request.transactional_id->empty() ? protocol::ErrorCode::invalid_request
                                           : protocol::ErrorCode::coordinator_not_available);
    co_return response;
  }
  const auto id = co_await services.producer_ids.next();
  if (!id) {
    fail(protocol::ErrorCode::coordinator_load_in_progress);
    co_return response;
  }
  response.producer_id = *id;
  response.producer_epoch = 0;
  co_return response;
}

}  // namespace dohle::api
