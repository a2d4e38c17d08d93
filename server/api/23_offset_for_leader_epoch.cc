// OffsetForLeaderEpoch, key 23, v2 to v4 (KIP-320): where an epoch ended. v3: a replica id; v4: flexible.
// Source: kafka.server.ReplicaManager.lastOffsetForLeaderEpoch.

#include "protocol/messages/offset_for_leader_epoch.h"
#include "server/api/handlers.h"
#include "server/api/services.h"
#include "server/replica/partition.h"
#include "server/replica/replica_set.h"

namespace dohle::api {

protocol::OffsetForLeaderEpochResponse offset_for_leader_epoch(Services& services, RequestContext&,
                                                               protocol::OffsetForLeaderEpochRequest& request) {
  const auto image = services.image.current();
  protocol::OffsetForLeaderEpochResponse response;
  for (const auto& topic : request.topics) {
    auto& answers = response.topics.emplace_back();
    answers.topic = topic.topic;
    for (const auto& partition : topic.partitions) {
      auto& answer = answers.partitions.emplace_back();
      answer.partition = partition.partition;
      const auto hosted = services.replicas.find(*image, topic.topic, partition.partition);
      replica::EpochEnd end{.error = hosted.error};
      if (hosted.partition) {
        end = hosted.partition->end_of_epoch(partition.leader_epoch, partition.current_leader_epoch, true);
      }
      answer.error_code = static_cast<std::int16_t>(end.error);
      answer.leader_epoch = end.leader_epoch;
      answer.end_offset = end.end_offset;
    }
  }
  return response;
}

}  // namespace dohle::api
