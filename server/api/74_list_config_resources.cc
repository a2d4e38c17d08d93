// ListConfigResources, key 74, v0 (client metrics subscriptions alone, KIP-714) and v1 (KIP-1142: any types; none means
// all). Source: kafka.server.KafkaApis.handleListConfigResources.

#include <algorithm>

#include "protocol/messages/list_config_resources.h"
#include "server/api/handlers.h"
#include "server/api/services.h"

namespace dohle::api {

namespace {

using metadata::ConfigResourceType;
using Response = protocol::ListConfigResourcesResponse;

std::vector<ConfigResourceType> supported_types(std::int16_t version) {
  if (version == 0) return {ConfigResourceType::client_metrics};
  return {ConfigResourceType::topic, ConfigResourceType::broker, ConfigResourceType::broker_logger,
          ConfigResourceType::client_metrics, ConfigResourceType::group};
}

void add(Response& response, ConfigResourceType type, std::string name) {
  auto& resource = response.config_resources.emplace_back();
  resource.resource_type = static_cast<std::int8_t>(type);
  resource.resource_name = std::move(name);
}

/// Topics and brokers are listed with or without configs of their own, the others only when they have some.
void add_all(Response& response, const metadata::MetadataImage& image, ConfigResourceType type,
             const std::string& listener) {
  switch (type) {
    case ConfigResourceType::topic:
      for (const auto& topic : image.topics->sorted_by_name()) add(response, type, topic->name);
      return;
    case ConfigResourceType::broker:
    case ConfigResourceType::broker_logger:
      for (const auto& [id, broker] : image.cluster->brokers) {
        if (!broker.fenced && broker.endpoint(listener) != nullptr) add(response, type, std::to_string(id));
      }
      return;
    case ConfigResourceType::client_metrics:
    case ConfigResourceType::group:
      for (const auto& [resource, configs] : image.configs->resources) {
        if (resource.type == type && !configs.empty()) add(response, type, resource.name);
      }
      return;
    case ConfigResourceType::unknown:
      return;
  }
}

}  // namespace

Response list_config_resources(Services& services, RequestContext& context,
                               protocol::ListConfigResourcesRequest& request) {
  const auto supported = supported_types(context.version());
  const auto is_asked_for = [&](ConfigResourceType type) {
    return request.resource_types.empty() ||
           std::ranges::find(request.resource_types, static_cast<std::int8_t>(type)) != request.resource_types.end();
  };
  Response response;
  for (const auto type : request.resource_types) {
    if (std::ranges::find(supported, static_cast<ConfigResourceType>(type)) != supported.end()) continue;
    response.error_code = static_cast<std::int16_t>(protocol::ErrorCode::unsupported_version);
    return response;
  }
  const auto image = services.image.current();
  // Kafka's order of types.
  for (const auto type : {ConfigResourceType::group, ConfigResourceType::client_metrics,
                          ConfigResourceType::broker_logger, ConfigResourceType::broker, ConfigResourceType::topic}) {
    const bool is_supported = std::ranges::find(supported, type) != supported.end();
    if (is_supported && is_asked_for(type)) add_all(response, *image, type, context.session.listener);
  }
  return response;
}

}  // namespace dohle::api
