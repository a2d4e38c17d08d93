// The composition: what is made of what, and in which order it starts and stops. No logic of its own.
// Source of the order: kafka.server.BrokerServer.startup and shutdown, KafkaRaftServer.
#pragma once

#include <memory>

#include "server/config/broker_config.h"
#include "server/runtime/result.h"

namespace dohle::server {

class Broker {
 public:
  /// Locks and reads the log directories (an empty one is formatted), becomes the quorum's leader, recovers the logs,
  /// registers, opens the listeners. When it returns, clients are served. Any failure is one line for the user.
  static runtime::Result<std::unique_ptr<Broker>> start(config::BrokerConfig config);
  ~Broker();

  /// In good order: responses in flight are finished, logs are closed, the clean-shutdown markers are written.
  runtime::Status stop();

 private:
  struct Parts;
  explicit Broker(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace dohle::server
