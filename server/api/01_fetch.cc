// Fetch, key 1, v4 to v18. v5 log start offset, v7 sessions (KIP-227), v9 current leader epoch, v11 rack, v12 last
// fetched epoch and divergence, v13 topic ids, v15 replica state, v16 leader hints, v17 directory id, v18 high
// watermark in the request. Source: kafka.server.KafkaApis.handleFetchRequest, DelayedFetch.

#include "protocol/messages/fetch.h"
#include "server/api/async_handlers.h"
#include "server/api/fetch_reader.h"
#include "server/api/services.h"

namespace dohle::api {

namespace {

/// Parks until some partition moves, as often as it takes to have enough, at most until the deadline; then what there
/// is has been read.
boost::asio::awaitable<void> wait_for_data(FetchReader& reader, std::int64_t deadline_ms,
                                           runtime::StopSignal& closing) {
  const auto waiter = runtime::Waiter::create();
  auto reason = runtime::WakeReason::woken;
  while (reason == runtime::WakeReason::woken) {
    reader.watch(waiter);
    // What came between the last read and the registration would wake nobody.
    reader.read();
    if (reader.is_complete()) break;
    reason = co_await waiter->wait(deadline_ms, &closing);
    reader.unwatch(waiter);
    if (reason == runtime::WakeReason::deadline) reader.read();
  }
  reader.unwatch(waiter);
}

/// FetchRequest.getErrorResponse: the session stays what it became; v13 and above name no topics.
protocol::FetchResponse refuse(const protocol::FetchRequest& request, std::int16_t version, protocol::ErrorCode error) {
  protocol::FetchResponse response;
  response.error_code = static_cast<std::int16_t>(error);
  response.session_id = request.session_id;
  if (version >= 13) return response;
  for (const auto& topic : request.topics) {
    auto& answers = response.responses.emplace_back();
    answers.topic = topic.topic;
    for (const auto& partition : topic.partitions) {
      auto& answer = answers.partitions.emplace_back();
      answer.partition_index = partition.partition;
      answer.error_code = static_cast<std::int16_t>(error);
      answer.high_watermark = -1;
      answer.records = protocol::Records{};
    }
  }
  return response;
}

}  // namespace

boost::asio::awaitable<protocol::FetchResponse> fetch(Services& services, RequestContext& context,
                                                      protocol::FetchRequest& request) {
  FetchReader reader(services, context, request);
  const bool is_known_isolation = request.isolation_level == 0 || request.isolation_level == 1;
  if (!is_known_isolation && reader.can_read()) {
    co_return refuse(request, context.version(), protocol::ErrorCode::unknown_server_error);
  }
  reader.read();
  if (!reader.is_complete()) {
    // A fetch was copied out of its frame when it was decoded.
    if (context.frame_owner != nullptr) context.frame_owner->release_frame();
    const auto deadline_ms = services.clock.monotonic_ms() + request.max_wait_ms;
    co_await wait_for_data(reader, deadline_ms, context.session.closing);
  }
  co_return reader.answer();
}

}  // namespace dohle::api
