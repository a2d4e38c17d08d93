// CreatePartitions, key 37, v0 to v3: the count is the new total. v3: THROTTLING_QUOTA_EXCEEDED.
// Source: kafka.server.ControllerApis.createPartitions.

#include "protocol/messages/create_partitions.h"
#include "server/api/async_handlers.h"
#include "server/api/controller_home.h"
#include "server/api/services.h"
#include "server/api/topic_changes.h"

namespace dohle::api {

boost::asio::awaitable<protocol::CreatePartitionsResponse> create_partitions(
    Services& services, RequestContext&, protocol::CreatePartitionsRequest& request) {
  const auto operation = [&request](const metadata::Controller& controller, const metadata::MetadataImage& image) {
    return in_time(request.timeout_ms, [&] { return controller.create_partitions(image, request); });
  };
  auto result = co_await services.controller.run<protocol::CreatePartitionsResponse>(operation, request.validate_only);
  if (result.error.failed()) {
    result.response = {};
    refuse_each(request.topics, result.error, result.response.results);
  }
  co_return std::move(result.response);
}

}  // namespace dohle::api
