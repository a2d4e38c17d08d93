// FindCoordinator, key 10, v0 to v6. v1 key types and messages, v4 many keys (KIP-699), v6 share groups (KIP-932).
// Source: kafka.server.KafkaApis.handleFindCoordinatorRequest.

#include <string>
#include <utility>

#include "codec/java_string.h"
#include "protocol/messages/find_coordinator.h"
#include "server/api/auto_topic_creator.h"
#include "server/api/handlers.h"
#include "server/api/services.h"

namespace dohle::api {

namespace {

using protocol::ErrorCode;
using protocol::FindCoordinatorResponse;

constexpr std::int16_t first_version_with_keys = 4;
constexpr std::int16_t first_version_with_share_groups = 6;

enum class KeyType : std::int8_t { group = 0, transaction = 1, share = 2 };

FindCoordinatorResponse::Coordinator no_node(const std::string& key, ErrorCode error) {
  FindCoordinatorResponse::Coordinator answer;
  answer.key = key;
  answer.error_code = static_cast<std::int16_t>(error);
  answer.node_id = -1;
  answer.port = -1;
  return answer;
}

FindCoordinatorResponse::Coordinator leader_of(const metadata::MetadataImage& image, const metadata::TopicImage& topic,
                                               const std::string& key, std::string_view listener) {
  const auto partition_count = static_cast<std::int32_t>(topic.partitions.size());
  const auto* partition = topic.partition(codec::java_abs(codec::java_hash(key)) % partition_count);
  const auto* broker = partition == nullptr ? nullptr : image.cluster->broker(partition->leader);
  const auto* endpoint = broker == nullptr || broker->fenced ? nullptr : broker->endpoint(listener);
  auto answer = no_node(key, ErrorCode::coordinator_not_available);
  if (endpoint == nullptr) return answer;
  answer.error_code = 0;
  answer.node_id = broker->id;
  answer.host = endpoint->host;
  answer.port = endpoint->port;
  return answer;
}

FindCoordinatorResponse::Coordinator find(Services& services, const RequestContext& context, KeyType type,
                                          const std::string& key) {
  if (type == KeyType::share) {
    // The share coordinator is not here yet; only its clients of v6 may ask for it.
    const bool may_ask = context.version() >= first_version_with_share_groups;
    return no_node(key, may_ask ? ErrorCode::coordinator_not_available : ErrorCode::invalid_request);
  }
  const std::string topic_name = type == KeyType::group ? "__consumer_offsets" : "__transaction_state";
  const auto image = services.image.current();
  const auto* topic = image->topics->find(topic_name);
  if (topic == nullptr) {
    services.auto_topics.create({topic_name});
    return no_node(key, ErrorCode::coordinator_not_available);
  }
  return leader_of(*image, *topic, key, context.session.listener);
}

bool is_known(std::int8_t key_type) {
  return key_type >= static_cast<std::int8_t>(KeyType::group) && key_type <= static_cast<std::int8_t>(KeyType::share);
}

}  // namespace

FindCoordinatorResponse find_coordinator(Services& services, RequestContext& context,
                                         protocol::FindCoordinatorRequest& request) {
  FindCoordinatorResponse response;
  const auto type = static_cast<KeyType>(request.key_type);
  const bool known_type = is_known(request.key_type);
  if (context.version() >= first_version_with_keys) {
    for (const auto& key : request.coordinator_keys) {
      if (known_type) {
        response.coordinators.push_back(find(services, context, type, key));
      } else {
        auto& answer = response.coordinators.emplace_back(no_node(key, ErrorCode::invalid_request));
        answer.error_message = protocol::default_message(ErrorCode::invalid_request);
      }
    }
    return response;
  }
  const auto found =
      known_type ? find(services, context, type, request.key) : no_node(request.key, ErrorCode::invalid_request);
  response.error_code = found.error_code;
  response.error_message = protocol::default_message(static_cast<ErrorCode>(found.error_code));
  response.node_id = found.node_id;
  response.host = found.host;
  response.port = found.port;
  return response;
}

}  // namespace dohle::api
