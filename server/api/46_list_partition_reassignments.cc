// ListPartitionReassignments, key 46, v0 (KIP-455): null topics means all that are under way.
// Source: org.apache.kafka.controller.ReplicationControlManager.listPartitionReassignments.

#include "protocol/messages/list_partition_reassignments.h"
#include "server/api/controller_home.h"
#include "server/api/handlers.h"
#include "server/api/services.h"

namespace dohle::api {

protocol::ListPartitionReassignmentsResponse list_partition_reassignments(
    Services& services, RequestContext&, protocol::ListPartitionReassignmentsRequest& request) {
  std::optional<std::vector<std::pair<std::string, std::int32_t>>> wanted;
  if (request.topics) {
    wanted.emplace();
    for (const auto& topic : *request.topics) {
      for (const auto index : topic.partition_indexes) wanted->emplace_back(topic.name, index);
    }
  }
  protocol::ListPartitionReassignmentsResponse response;
  response.error_message.reset();
  const auto image = services.image.current();
  for (auto& ongoing : services.controller.controller().list_partition_reassignments(*image, wanted)) {
    if (response.topics.empty() || response.topics.back().name != ongoing.topic) {
      response.topics.emplace_back().name = ongoing.topic;
    }
    auto& answer = response.topics.back().partitions.emplace_back();
    answer.partition_index = ongoing.partition;
    answer.replicas = std::move(ongoing.replicas);
    answer.adding_replicas = std::move(ongoing.adding_replicas);
    answer.removing_replicas = std::move(ongoing.removing_replicas);
  }
  return response;
}

}  // namespace dohle::api
