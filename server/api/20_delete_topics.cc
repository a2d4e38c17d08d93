// DeleteTopics, key 20, v1 to v6. v5: messages; v6: by name or by id. Source: kafka.server.ControllerApis.deleteTopics.

#include "protocol/messages/delete_topics.h"
#include "server/api/async_handlers.h"
#include "server/api/controller_home.h"
#include "server/api/services.h"

namespace dohle::api {

namespace {

protocol::DeleteTopicsResponse refuse_all(const protocol::DeleteTopicsRequest& request, std::int16_t version,
                                          const metadata::ApiError& error) {
  protocol::DeleteTopicsResponse response;
  const auto add = [&](std::optional<std::string> name, const codec::Uuid& id) {
    auto& answer = response.responses.emplace_back();
    answer.name = std::move(name);
    answer.topic_id = id;
    answer.error_code = static_cast<std::int16_t>(error.code);
    answer.error_message = error.message;
  };
  if (version >= 6) {
    for (const auto& topic : request.topics) add(topic.name, topic.topic_id);
  } else {
    for (const auto& name : request.topic_names) add(name, {});
  }
  return response;
}

}  // namespace

boost::asio::awaitable<protocol::DeleteTopicsResponse> delete_topics(Services& services, RequestContext& context,
                                                                     protocol::DeleteTopicsRequest& request) {
  const auto version = context.version();
  if (!services.config.current()->delete_topic_enable) {
    const metadata::ApiError disabled{
        version < 3 ? protocol::ErrorCode::invalid_request : protocol::ErrorCode::topic_deletion_disabled,
        version < 3 ? std::optional<std::string>("Topic deletion is disabled.") : std::nullopt};
    co_return refuse_all(request, version, disabled);
  }
  const auto operation = [&request, version](const metadata::Controller& controller,
                                             const metadata::MetadataImage& image) {
    // The event's deadline has passed before its turn comes; Kafka's controller does not begin it.
    if (request.timeout_ms <= 0) {
      metadata::ControllerResult<protocol::DeleteTopicsResponse> late;
      late.error.code = protocol::ErrorCode::request_timed_out;
      return late;
    }
    return controller.delete_topics(image, request, version);
  };
  auto result = co_await services.controller.run<protocol::DeleteTopicsResponse>(operation);
  if (result.error.failed()) co_return refuse_all(request, version, result.error);
  co_return std::move(result.response);
}

}  // namespace dohle::api
