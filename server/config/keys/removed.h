// Keys that Kafka knew before 4.0. A file that still has them starts, with one line each.
#pragma once

#include <string_view>

namespace dohle::config::keys {

struct RemovedKey {
  /// A final dot stands for all names that begin so.
  std::string_view name;
  std::string_view advice;
};

inline constexpr RemovedKey removed_keys[] = {
    {"zookeeper.", "ZooKeeper is gone since 4.0; the metadata is kept by the controllers"},
    {"broker.id.generation.enable", "ids are not generated any more; set node.id"},
    {"reserved.broker.max.id", "ids are not generated any more; set node.id"},
    {"inter.broker.protocol.version", "the metadata.version feature took its place (kafka-features.sh)"},
    {"log.message.format.version", "there is one record format since 4.0"},
    {"log.message.downconversion.enable", "old record formats are not served since 4.0"},
    {"log.message.timestamp.difference.max.ms",
     "use log.message.timestamp.before.max.ms and log.message.timestamp.after.max.ms"},
    {"control.plane.listener.name", "controllers have listeners of their own: controller.listener.names"},
    {"delegation.token.master.key", "use delegation.token.secret.key"},
    {"offsets.commit.required.acks", "commits always wait for all in-sync replicas"},
    {"advertised.host.name", "use advertised.listeners"},
    {"advertised.port", "use advertised.listeners"},
    {"host.name", "use listeners"},
    {"port", "use listeners"},
    {"password.encoder.", "it belonged to ZooKeeper"},
    {"auto.include.jmx.reporter", "use metric.reporters"},
    {"controlled.shutdown.max.retries", "brokers and controllers agree on a shutdown by heartbeats"},
    {"controlled.shutdown.retry.backoff.ms", "brokers and controllers agree on a shutdown by heartbeats"},
    {"leader.imbalance.per.broker.percentage", "every imbalance is corrected"},
    {"unstable.metadata.versions.enable", "use unstable.feature.versions.enable"},
    {"group.coordinator.new.enable", "there is one group coordinator since 4.0"},
};

}  // namespace dohle::config::keys
