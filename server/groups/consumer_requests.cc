// The group coordinator's requests of the consumer protocol (KIP-848).
#include <utility>

#include "server/groups/consumer_group_settings.h"
#include "server/groups/group_coordinator.h"
#include "server/groups/refusals.h"

namespace dohle::groups {

using coordinator::OperationContext;
using protocol::ErrorCode;

void GroupCoordinator::consumer_heartbeat(ClientInfo client, protocol::ConsumerGroupHeartbeatRequest request,
                                          Reply<protocol::ConsumerGroupHeartbeatResponse> reply) {
  const auto assignors =
      settings_.broker ? consumer_group_settings(*settings_.broker, {}).assignors : ConsumerGroupSettings{}.assignors;
  if (auto failure = ConsumerCoordinator::check(request, client.version, assignors)) {
    auto refusal = error_response<protocol::ConsumerGroupHeartbeatResponse>(failure->error);
    refusal.error_message = std::move(failure->message);
    reply(std::move(refusal));
    return;
  }
  const auto partition = runtime_.partition_for(request.group_id);
  runtime_.write<protocol::ConsumerGroupHeartbeatResponse>(
      partition,
      [client = std::move(client), request = std::move(request)](
          GroupShard& shard, const OperationContext& context, Reply<protocol::ConsumerGroupHeartbeatResponse> answer) {
        return shard.consumer_heartbeat(context, client, request, std::move(answer));
      },
      std::move(reply), error_response<protocol::ConsumerGroupHeartbeatResponse>);
}

void GroupCoordinator::consumer_describe(std::int32_t partition, std::vector<std::string> ids,
                                         Reply<DescribedConsumerGroups> reply) {
  auto refusal = [ids](ErrorCode error) { return refused_consumer_description(ids, error); };
  runtime_.write<DescribedConsumerGroups>(
      partition,
      [ids = std::move(ids)](GroupShard& shard, const OperationContext& context,
                             Reply<DescribedConsumerGroups> answer) {
        return shard.consumer_describe(context, ids, std::move(answer));
      },
      std::move(reply), std::move(refusal));
}

}  // namespace dohle::groups
