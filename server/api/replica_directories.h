// Asks the controller to note in which log directory a replica lies: the one that a new replica was given, and the one
// that a replica moves to (KIP-858). Source: org.apache.kafka.server.AssignmentsManager, ReplicaAlterLogDirsThread,
// ReplicationControlManager.handleAssignReplicasToDirs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "codec/uuid.h"
#include "server/metadata/controller.h"
#include "server/replica/replica_mover.h"

namespace dohle::api {

class ControllerHome;

struct ReplicaDirectory {
  codec::Uuid topic_id;
  std::int32_t partition = 0;
  codec::Uuid directory;
};

/// The records that note the directories of `node_id`'s replicas; none for what is known or gone.
metadata::ControllerResult<std::monostate> assign_directories(const metadata::Controller& controller,
                                                              const metadata::MetadataImage& image,
                                                              std::int32_t node_id,
                                                              const std::vector<ReplicaDirectory>& replicas);

class ReplicaDirectories {
 public:
  /// Both outlive it.
  ReplicaDirectories(std::int32_t node_id, ControllerHome& home, replica::ReplicaSet& replicas);

  /// On the controller's home thread (ReplicaSet::on_directory_chosen). All that come before the home is idle again are
  /// one commit.
  void chosen(const ReplicaDirectory& replica);
  /// Any thread (ReplicaMover::Ready). `mover` outlives the home's thread.
  void ready(const std::shared_ptr<replica::Partition>& partition, const codec::Uuid& directory,
             replica::ReplicaMover& mover);

 private:
  const std::int32_t node_id_;
  ControllerHome& home_;
  replica::ReplicaSet& replicas_;
  std::vector<ReplicaDirectory> chosen_;  // home thread only
};

}  // namespace dohle::api
