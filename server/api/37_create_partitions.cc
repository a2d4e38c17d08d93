// CreatePartitions, key 37, v0 to v3: the count is the new total. v3: THROTTLING_QUOTA_EXCEEDED.
// Source: kafka.server.ControllerApis.createPartitions.

#include "protocol/messages/create_partitions.h"
#include "server/api/async_handlers.h"
#include "server/api/controller_home.h"
#include "server/api/services.h"

namespace dohle::api {

boost::asio::awaitable<protocol::CreatePartitionsResponse> create_partitions(
    Services& services, RequestContext&, protocol::CreatePartitionsRequest& request) {
  const auto operation = [&request](const metadata::Controller& controller, const metadata::MetadataImage& image) {
    // The event's deadline has passed before its turn comes; Kafka's controller does not begin it.
    if (request.timeout_ms <= 0) {
      metadata::ControllerResult<protocol::CreatePartitionsResponse> late;
      late.error.code = protocol::ErrorCode::request_timed_out;
      return late;
    }
    return controller.create_partitions(image, request);
  };
  auto result = co_await services.controller.run<protocol::CreatePartitionsResponse>(operation, request.validate_only);
  if (!result.error.failed()) co_return std::move(result.response);

  protocol::CreatePartitionsResponse response;
  for (const auto& topic : request.topics) {
    auto& answer = response.results.emplace_back();
    answer.name = topic.name;
    answer.error_code = static_cast<std::int16_t>(result.error.code);
    answer.error_message = result.error.message;
  }
  co_return response;
}

}  // namespace dohle::api
