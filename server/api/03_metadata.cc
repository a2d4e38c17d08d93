// Metadata, key 3, v0 to v13. v0: an empty list means all topics; v1: null does, brokers have racks, the controller is
// named. v2 cluster id; v4 allow_auto_topic_creation; v7 leader epochs; v8 authorized operations; v10 topic ids, v12
// also in requests; v13 a top-level error. Source: kafka.server.KafkaApis.handleTopicMetadataRequest.

#include <algorithm>
#include <unordered_set>

#include "protocol/messages/metadata.h"
#include "server/api/authorized_operations.h"
#include "server/api/auto_topic_creator.h"
#include "server/api/handlers.h"
#include "server/api/services.h"
#include "server/api/topic_description.h"
#include "server/api/topic_name.h"

namespace dohle::api {

namespace {

using protocol::ErrorCode;
using Topic = protocol::MetadataResponse::MetadataResponseTopic;

Topic failed_topic(ErrorCode error, std::optional<std::string> name, const codec::Uuid& id = {}) {
  Topic topic;
  topic.error_code = static_cast<std::int16_t>(error);
  topic.is_internal = name.has_value() && is_internal_topic(*name);
  topic.name = std::move(name);
  topic.topic_id = id;
  return topic;
}

Topic describe(const metadata::MetadataImage& image, const metadata::TopicImage& topic, std::string_view listener,
               std::int16_t version) {
  const DescriptionOptions options{.error_unavailable_endpoints = version == 0,
                                   .error_unavailable_listeners = version >= 6};
  Topic result;
  result.name = topic.name;
  result.topic_id = topic.id;
  result.is_internal = is_internal_topic(topic.name);
  result.partitions.reserve(topic.partitions.size());
  for (const auto& [index, partition] : topic.partitions) {
    auto description = describe_partition(image, partition, listener, options);
    auto& answer = result.partitions.emplace_back();
    answer.error_code = static_cast<std::int16_t>(description.error);
    answer.partition_index = index;
    answer.leader_id = description.leader_id;
    answer.leader_epoch = partition.leader_epoch;
    answer.replica_nodes = std::move(description.replicas);
    answer.isr_nodes = std::move(description.isr);
    answer.offline_replicas = std::move(description.offline_replicas);
  }
  return result;
}

void add_named_topics(Services& services, const RequestContext& context, const protocol::MetadataRequest& request,
                      const metadata::MetadataImage& image, protocol::MetadataResponse& response) {
  const bool may_create = services.config.current()->auto_create_topics_enable && request.allow_auto_topic_creation;
  std::unordered_set<std::string> seen;
  std::vector<std::string> to_create;
  std::vector<Topic> unknown;  // after those that are known
  for (const auto& asked : *request.topics) {
    const std::string name = asked.name.value_or("");
    if (!seen.insert(name).second) continue;
    if (const auto* topic = image.topics->find(name); topic != nullptr) {
      response.topics.push_back(describe(image, *topic, context.session.listener, context.version()));
    } else if (!is_valid_topic_name(name)) {
      unknown.push_back(failed_topic(ErrorCode::invalid_topic_exception, name));
    } else {
      unknown.push_back(failed_topic(ErrorCode::unknown_topic_or_partition, name));
      if (may_create) to_create.push_back(name);
    }
  }
  std::ranges::move(unknown, std::back_inserter(response.topics));
  if (!to_create.empty()) services.auto_topics.create(std::move(to_create));
}

void add_topics_by_id(const RequestContext& context, const protocol::MetadataRequest& request,
                      const metadata::MetadataImage& image, protocol::MetadataResponse& response) {
  std::unordered_set<codec::Uuid> seen;
  std::vector<const metadata::TopicImage*> known;
  for (const auto& asked : *request.topics) {
    if (asked.topic_id.is_zero() || !seen.insert(asked.topic_id).second) continue;
    if (const auto* topic = image.topics->find(asked.topic_id); topic != nullptr) {
      known.push_back(topic);
    } else {
      response.topics.push_back(failed_topic(ErrorCode::unknown_topic_id, std::nullopt, asked.topic_id));
    }
  }
  for (const auto* topic : known) {
    response.topics.push_back(describe(image, *topic, context.session.listener, context.version()));
  }
}

bool asks_all(const protocol::MetadataRequest& request, std::int16_t version) {
  return !request.topics.has_value() || (version == 0 && request.topics->empty());
}

/// v10 and v11 have ids in their requests, which the server must not use.
bool is_invalid(const protocol::MetadataRequest& request, std::int16_t version) {
  if (version >= 12 || asks_all(request, version)) return false;
  return std::ranges::any_of(*request.topics,
                             [](const auto& topic) { return !topic.name.has_value() || !topic.topic_id.is_zero(); });
}

/// v12 and above: a topic by neither name nor id, and none by id. Kafka trips over the null name.
bool is_unspeakable(const protocol::MetadataRequest& request, std::int16_t version) {
  if (version < 12 || asks_all(request, version)) return false;
  const auto has_id = [](const auto& topic) { return !topic.topic_id.is_zero(); };
  const auto has_name = [](const auto& topic) { return topic.name.has_value(); };
  return std::ranges::none_of(*request.topics, has_id) && !std::ranges::all_of(*request.topics, has_name);
}

void add_error_topics(const protocol::MetadataRequest& request, ErrorCode error, protocol::MetadataResponse& response) {
  if (request.topics.has_value()) {
    for (const auto& topic : *request.topics) {
      // MetadataRequest.getErrorResponse: a null name cannot be written below v12, and becomes an empty one.
      auto failed = failed_topic(error, topic.name.value_or(""), topic.topic_id);
      failed.is_internal = false;
      response.topics.push_back(std::move(failed));
    }
  }
  response.error_code = static_cast<std::int16_t>(error);
}

void add_brokers(const metadata::MetadataImage& image, std::string_view listener,
                 protocol::MetadataResponse& response) {
  for (const auto& [id, broker] : image.cluster->brokers) {
    const auto* endpoint = broker.endpoint(listener);
    if (broker.fenced || endpoint == nullptr) continue;
    auto& answer = response.brokers.emplace_back();
    answer.node_id = id;
    answer.host = endpoint->host;
    answer.port = endpoint->port;
    answer.rack = broker.rack;
  }
}

}  // namespace

protocol::MetadataResponse metadata(Services& services, RequestContext& context, protocol::MetadataRequest& request) {
  protocol::MetadataResponse response;
  const auto version = context.version();
  if (is_invalid(request, version)) {
    add_error_topics(request, ErrorCode::invalid_request, response);
    return response;
  }
  if (is_unspeakable(request, version)) {
    add_error_topics(request, ErrorCode::unknown_server_error, response);
    return response;
  }
  const auto image = services.image.current();
  const bool by_id = !asks_all(request, version) &&
                     std::ranges::any_of(*request.topics, [](const auto& topic) { return !topic.topic_id.is_zero(); });
  if (asks_all(request, version)) {
    response.topics.reserve(image->topics->size());
    image->topics->for_each([&](const metadata::TopicImage& topic) {
      response.topics.push_back(describe(*image, topic, context.session.listener, version));
    });
  } else if (by_id) {
    add_topics_by_id(context, request, *image, response);
  } else {
    add_named_topics(services, context, request, *image, response);
  }

  if (version >= 8 && version <= 10 && request.include_cluster_authorized_operations) {
    response.cluster_authorized_operations = cluster_operations;
  }
  if (version >= 8 && request.include_topic_authorized_operations) {
    for (auto& topic : response.topics) {
      if (topic.error_code == 0 || topic.name.has_value()) topic.topic_authorized_operations = topic_operations;
    }
  }
  add_brokers(*image, context.session.listener, response);
  response.cluster_id = services.cluster_id;
  response.controller_id = alive_broker(*image);
  return response;
}

}  // namespace dohle::api
