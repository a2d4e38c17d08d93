// CreateTopics, key 19, v2 to v7. v4: -1 for the broker's defaults; v5: the answer has the configuration; v6:
// THROTTLING_QUOTA_EXCEEDED; v7: topic ids. Source: kafka.server.ControllerApis.handleCreateTopics.

#include "protocol/messages/create_topics.h"
#include "server/api/async_handlers.h"
#include "server/api/controller_home.h"
#include "server/api/services.h"

namespace dohle::api {

boost::asio::awaitable<protocol::CreateTopicsResponse> create_topics(Services& services, RequestContext&,
                                                                     protocol::CreateTopicsRequest& request) {
  const auto operation = [&request](const metadata::Controller& controller, const metadata::MetadataImage& image) {
    // The event's deadline has passed before its turn comes; Kafka's controller does not begin it.
    if (request.timeout_ms <= 0) {
      metadata::ControllerResult<protocol::CreateTopicsResponse> late;
      late.error.code = protocol::ErrorCode::request_timed_out;
      return late;
    }
    return controller.create_topics(image, request);
  };
  auto result = co_await services.controller.run<protocol::CreateTopicsResponse>(operation, request.validate_only);
  if (!result.error.failed()) co_return std::move(result.response);

  protocol::CreateTopicsResponse response;
  for (const auto& topic : request.topics) {
    auto& answer = response.topics.emplace_back();
    answer.name = topic.name;
    answer.error_code = static_cast<std::int16_t>(result.error.code);
    answer.error_message = result.error.message;
  }
  co_return response;
}

}  // namespace dohle::api
