// CreateTopics, key 19, v2 to v7. v4: -1 for the broker's defaults; v5: the answer has the configuration; v6:
// THROTTLING_QUOTA_EXCEEDED; v7: topic ids. Source: kafka.server.ControllerApis.handleCreateTopics.

#include "protocol/messages/create_topics.h"
#include "server/api/async_handlers.h"
#include "server/api/controller_home.h"
#include "server/api/services.h"
#include "server/api/topic_changes.h"

namespace dohle::api {

boost::asio::awaitable<protocol::CreateTopicsResponse> create_topics(Services& services, RequestContext&,
                                                                     protocol::CreateTopicsRequest& request) {
  const auto operation = [&request](const metadata::Controller& controller, const metadata::MetadataImage& image) {
    return in_time(request.timeout_ms, [&] { return controller.create_topics(image, request); });
  };
  auto result = co_await services.controller.run<protocol::CreateTopicsResponse>(operation, request.validate_only);
  if (result.error.failed()) {
    result.response = {};
    refuse_each(request.topics, result.error, result.response.topics);
  }
  co_return std::move(result.response);
}

}  // namespace dohle::api
