// ElectLeaders, key 43, v0 to v2. v1: the election type, and an error for the whole request; null partitions mean all,
// and then those that need no election are left out. Source: org.apache.kafka.controller.ReplicationControlManager.

#include <set>

#include "protocol/messages/elect_leaders.h"
#include "server/api/async_handlers.h"
#include "server/api/controller_home.h"
#include "server/api/services.h"

namespace dohle::api {

namespace {

using Wanted = std::optional<std::vector<std::pair<std::string, std::int32_t>>>;

Wanted wanted_partitions(const protocol::ElectLeadersRequest& request) {
  if (!request.topic_partitions) return std::nullopt;
  Wanted wanted(std::in_place);
  for (const auto& topic : *request.topic_partitions) {
    for (const auto index : topic.partitions) wanted->emplace_back(topic.topic, index);
  }
  return wanted;
}

/// ElectLeadersRequest.getErrorResponse.
void add_failures(const protocol::ElectLeadersRequest& request, const metadata::ApiError& error,
                  protocol::ElectLeadersResponse& response) {
  if (!request.topic_partitions) return;
  for (const auto& topic : *request.topic_partitions) {
    auto& answers = response.replica_election_results.emplace_back();
    answers.topic = topic.topic;
    for (const auto index : topic.partitions) {
      auto& answer = answers.partition_result.emplace_back();
      answer.partition_id = index;
      answer.error_code = static_cast<std::int16_t>(error.code);
      answer.error_message = error.message;
    }
  }
}

/// When all are meant, every topic is named, also those of which no partition needed anything.
void add_empty_topics(const metadata::MetadataImage& image, protocol::ElectLeadersResponse& response) {
  std::set<std::string> named;
  for (const auto& topic : response.replica_election_results) named.insert(topic.topic);
  image.topics->for_each([&](const metadata::TopicImage& topic) {
    if (!named.contains(topic.name)) response.replica_election_results.emplace_back().topic = topic.name;
  });
}

}  // namespace

boost::asio::awaitable<protocol::ElectLeadersResponse> elect_leaders(Services& services, RequestContext& context,
                                                                     protocol::ElectLeadersRequest& request) {
  const auto operation = [&request](const metadata::Controller& controller, const metadata::MetadataImage& image) {
    // The event's deadline has passed before its turn comes; Kafka's controller does not begin it.
    if (request.timeout_ms <= 0) {
      metadata::ControllerResult<std::vector<metadata::PartitionResult>> late;
      late.error.code = protocol::ErrorCode::request_timed_out;
      return late;
    }
    return controller.elect_leaders(image, request.election_type, wanted_partitions(request));
  };
  const auto result = co_await services.controller.run<std::vector<metadata::PartitionResult>>(operation);

  protocol::ElectLeadersResponse response;
  // v0 has no code for the request as a whole: its partitions say it.
  if (context.version() >= 1) response.error_code = static_cast<std::int16_t>(result.error.code);
  if (result.error.failed()) {
    add_failures(request, result.error, response);
    co_return response;
  }
  for (const auto& partition : result.response) {
    if (response.replica_election_results.empty() ||
        response.replica_election_results.back().topic != partition.topic) {
      response.replica_election_results.emplace_back().topic = partition.topic;
    }
    auto& answer = response.replica_election_results.back().partition_result.emplace_back();
    answer.partition_id = partition.partition;
    answer.error_code = static_cast<std::int16_t>(partition.error.code);
    answer.error_message = partition.error.message;
  }
  if (!request.topic_partitions) add_empty_topics(*services.image.current(), response);
  co_return response;
}

}  // namespace dohle::api
