// ElectLeaders, key 43, v0 to v2. v1: the election type, and an error for the whole request; null partitions mean all,
// and then those that need no election are left out. Source: org.apache.kafka.controller.ReplicationControlManager.

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

}  // namespace

boost::asio::awaitable<protocol::ElectLeadersResponse> elect_leaders(Services& services, RequestContext&,
                                                                     protocol::ElectLeadersRequest& request) {
  const auto operation = [&request](const metadata::Controller& controller, const metadata::MetadataImage& image) {
    return controller.elect_leaders(image, request.election_type, wanted_partitions(request));
  };
  const auto result = co_await services.controller.run<std::vector<metadata::PartitionResult>>(operation);

  protocol::ElectLeadersResponse response;
  response.error_code = static_cast<std::int16_t>(result.error.code);
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
  co_return response;
}

}  // namespace dohle::api
