// A broker's way through the metadata of its own node: registered and fenced at start, unfenced when its logs are
// there, out of leaderships and fenced again at a clean stop, so that Kafka (or we) can start on the directory without
// leaderless partitions. What Kafka's broker does by RPC to its own controller. Source:
// org.apache.kafka.server.BrokerLifecycleManager, ReplicationControlManager.processBrokerHeartbeat.
#pragma once

#include <cstdint>

#include "server/metadata/controller.h"
#include "server/metadata/quorum_node.h"
#include "server/runtime/result.h"

namespace dohle::metadata {

/// Lives on the controller's home thread. The node is active.
class BrokerLifecycle {
 public:
  /// Both outlive it.
  BrokerLifecycle(QuorumNode& node, const Controller& controller) : node_(node), controller_(controller) {}

  /// Registers a new incarnation, fenced, and deals with what the former one left: `request.previous_broker_epoch`
  /// tells a clean stop from an unclean one. Gives the broker's epoch. invalid: the controller refuses it (a finalized
  /// feature that we do not support, another cluster's id).
  runtime::Result<std::int64_t> register_broker(const BrokerRegistrationRequest& request);
  /// When the broker has caught up and its logs are open: leaders are elected for partitions that have none.
  runtime::Status unfence();
  /// Two steps, as Kafka's log shows them: out of ISRs and leaderships (KIP-841), then fenced. Afterwards the logs are
  /// closed and `.kafka_cleanshutdown` with epoch() is written into every log directory.
  runtime::Status stop();

  std::int64_t epoch() const { return epoch_; }

 private:
  runtime::Status commit(ControllerResult<std::monostate> result);

  QuorumNode& node_;
  const Controller& controller_;
  std::int32_t broker_id_ = -1;
  std::int64_t epoch_ = -1;
  std::vector<codec::Uuid> cordoned_directories_;
};

}  // namespace dohle::metadata
