// The thread that fills the logs of replicas that move to another log directory, and asks for their promotion when they
// have caught up. Source: kafka.server.ReplicaAlterLogDirsManager, ReplicaAlterLogDirsThread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "server/config/broker_config.h"
#include "server/replica/replica_set.h"
#include "server/runtime/snapshot.h"

namespace dohle::replica {

class ReplicaMover {
 public:
  /// Called on the mover's thread for a replica that has caught up: the controller is to note the directory, then
  /// ReplicaSet::promote() is to be called by the thread that applies metadata, and done() after it.
  using Ready = std::function<void(const std::shared_ptr<Partition>& partition, const codec::Uuid& directory)>;

  /// All outlive it.
  ReplicaMover(ReplicaSet& replicas, const runtime::Snapshot<config::BrokerConfig>& config, Ready ready);
  ~ReplicaMover() { stop(); }

  void start();
  void stop();
  /// The promotion of this replica was tried; if it still moves, it is copied on and asked for again. Any thread.
  void done(const Partition& partition);

  /// Copies some of each replica that moves. False: there is nothing to do now. The thread's work; public for tests.
  bool copy_some();

 private:
  void run();
  /// Waits as replica.alter.log.dirs.io.max.bytes.per.second says.
  void throttle(std::int64_t bytes);

  ReplicaSet& replicas_;
  const runtime::Snapshot<config::BrokerConfig>& config_;
  const Ready ready_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::set<const Partition*> asked_;
  /// Of the thread that copies.
  std::set<const Partition*> complained_;
  std::thread thread_;
};

}  // namespace dohle::replica
