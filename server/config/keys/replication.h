// Keys of replication, in the order in which Kafka defines them.
#pragma once

#include "server/config/keys/row.h"

namespace dohle::config::keys {

inline constexpr ConfigKey replication_keys[] = {
    {"controller.socket.timeout.ms", int32, "30000", any, medium, read_only, implemented,
     "Socket timeout of the channel to the controller."},
    {"default.replication.factor", int32, "1", any, medium, read_only, implemented,
     "Replicas of a topic that is created without saying how many."},
    {"replica.lag.time.max.ms", int64, "30000", any, high, read_only, implemented,
     "How long a follower may lag before it leaves the in-sync replicas."},
    {"replica.socket.timeout.ms", int32, "30000", any, high, read_only, implemented,
     "Socket timeout of a follower's fetches."},
    {"replica.socket.receive.buffer.bytes", int32, "65536", any, high, read_only, implemented,
     "Receive buffer of a follower's sockets, in bytes."},
    {"replica.fetch.max.bytes", int32, "1048576", at_least("0"), medium, read_only, implemented,
     "Bytes that a follower fetches of one partition at a time."},
    {"replica.fetch.wait.max.ms", int32, "500", any, high, read_only, implemented,
     "How long a follower's fetch waits for data."},
    {"replica.fetch.backoff.ms", int32, "1000", at_least("0"), medium, read_only, implemented,
     "Pause of a follower after an error."},
    {"replica.fetch.min.bytes", int32, "1", any, high, read_only, implemented,
     "Bytes that a follower's fetch waits for."},
    {"replica.fetch.response.max.bytes", int32, "10485760", at_least("0"), medium, read_only, implemented,
     "Bytes that a follower fetches at a time in all."},
    {"num.replica.fetchers", int32, "1", at_least("1"), high, cluster_wide, implemented,
     "Fetch threads per source broker."},
    {"replica.high.watermark.checkpoint.interval.ms", int64, "5000", any, high, read_only, implemented,
     "Pause between two saves of the high watermarks."},
    {"fetch.purgatory.purge.interval.requests", int32, "1000", any, medium, read_only, no_effect,
     "When Kafka clears its list of waiting fetches."},
    {"producer.purgatory.purge.interval.requests", int32, "1000", any, medium, read_only, no_effect,
     "When Kafka clears its list of waiting produce requests."},
    {"delete.records.purgatory.purge.interval.requests", int32, "1", any, medium, read_only, no_effect,
     "When Kafka clears its list of waiting DeleteRecords."},
    {"auto.leader.rebalance.enable", boolean, "true", any, high, read_only, implemented,
     "Whether leaderships go back to preferred replicas by themselves."},
    {"leader.imbalance.check.interval.seconds", int64, "300", at_least("1"), high, read_only, implemented,
     "Pause between two checks of the leaders' balance, in seconds."},
    {"unclean.leader.election.interval.ms", int64, "300000", at_least("1"), medium, read_only, implemented,
     "Pause between two looks for partitions that need an unclean election.", no_synonyms, internal_key},
    {"unclean.leader.election.enable", boolean, "false", any, high, cluster_wide, implemented,
     "Whether a replica out of sync may become leader, at the price of lost records."},
    {"security.inter.broker.protocol", string, "PLAINTEXT", one_of("PLAINTEXT,SSL,SASL_PLAINTEXT,SASL_SSL"), medium,
     read_only, implemented, "Security protocol between brokers, where no listener is named for it."},
    {"inter.broker.listener.name", string, null, any, medium, read_only, implemented, "Listener between brokers."},
    {"replica.selector.class", string, null, any, medium, read_only, no_effect,
     "Class that picks the replica that a consumer fetches from."},
    {"follower.fetch.last.tiered.offset.enable", boolean, "false", any, medium, cluster_wide, no_effect,
     "Whether a new follower starts at the end of the tiered log."},
};

}  // namespace dohle::config::keys
