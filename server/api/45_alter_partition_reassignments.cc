// AlterPartitionReassignments, key 45, v0 and v1 (KIP-455): null replicas cancel. v1: allow_replication_factor_change.
// Source: org.apache.kafka.controller.ReplicationControlManager.alterPartitionReassignments.

#include "protocol/messages/alter_partition_reassignments.h"
#include "server/api/async_handlers.h"
#include "server/api/controller_home.h"
#include "server/api/services.h"

namespace dohle::api {

namespace {

std::vector<metadata::PartitionReassignment> reassignments_of(
    const protocol::AlterPartitionReassignmentsRequest& request) {
  std::vector<metadata::PartitionReassignment> reassignments;
  for (const auto& topic : request.topics) {
    for (const auto& partition : topic.partitions) {
      reassignments.push_back({topic.name, partition.partition_index, partition.replicas});
    }
  }
  return reassignments;
}

}  // namespace

boost::asio::awaitable<protocol::AlterPartitionReassignmentsResponse> alter_partition_reassignments(
    Services& services, RequestContext&, protocol::AlterPartitionReassignmentsRequest& request) {
  const auto operation = [&request](const metadata::Controller& controller, const metadata::MetadataImage& image) {
    // The event's deadline has passed before its turn comes; Kafka's controller does not begin it.
    if (request.timeout_ms <= 0) {
      metadata::ControllerResult<std::vector<metadata::PartitionResult>> late;
      late.error.code = protocol::ErrorCode::request_timed_out;
      return late;
    }
    return controller.alter_partition_reassignments(image, reassignments_of(request),
                                                    request.allow_replication_factor_change);
  };
  const auto result = co_await services.controller.run<std::vector<metadata::PartitionResult>>(operation);

  protocol::AlterPartitionReassignmentsResponse response;
  response.allow_replication_factor_change = request.allow_replication_factor_change;
  response.error_code = static_cast<std::int16_t>(result.error.code);
  response.error_message = result.error.message;
  // With nothing to do Kafka's controller leaves the message as it is made: empty, not null.
  if (request.topics.empty()) response.error_message = "";
  std::size_t position = 0;
  for (const auto& topic : request.topics) {
    auto& answers = response.responses.emplace_back();
    answers.name = topic.name;
    for (const auto& partition : topic.partitions) {
      const auto& error = result.error.failed() ? result.error : result.response[position++].error;
      auto& answer = answers.partitions.emplace_back();
      answer.partition_index = partition.partition_index;
      answer.error_code = static_cast<std::int16_t>(error.code);
      answer.error_message = error.message;
    }
  }
  co_return response;
}

}  // namespace dohle::api
