// Keys of producers and transactions, in the order in which Kafka defines them.
#pragma once

#include "server/config/keys/row.h"

namespace dohle::config::keys {

inline constexpr ConfigKey transaction_keys[] = {
    {"transaction.state.log.min.isr", int32, "2", at_least("1"), high, read_only, implemented,
     "min.insync.replicas of __transaction_state."},
    {"transaction.state.log.load.buffer.size", int32, "5242880", at_least("1"), high, read_only, implemented,
     "Bytes read at a time when transactions are loaded."},
    {"transaction.state.log.replication.factor", int16, "3", at_least("1"), high, read_only, implemented,
     "Replicas of __transaction_state."},
    {"transaction.state.log.num.partitions", int32, "50", at_least("1"), high, read_only, implemented,
     "Partitions of __transaction_state; must not change afterwards."},
    {"transaction.state.log.segment.bytes", int32, "104857600", at_least("1"), high, read_only, implemented,
     "Segment size of __transaction_state, in bytes."},
    {"transaction.partition.verification.enable", boolean, "true", any, low, cluster_wide, implemented,
     "Whether a transactional write is checked against the coordinator first."},
    {"producer.id.expiration.ms", int32, "86400000", at_least("1"), low, cluster_wide, implemented,
     "How long a partition remembers a producer that is silent."},
    {"producer.id.expiration.check.interval.ms", int32, "600000", at_least("1"), low, read_only, implemented,
     "Pause between two looks for silent producers.", no_synonyms, internal_key},
    {"transactional.id.expiration.ms", int32, "604800000", at_least("1"), high, read_only, implemented,
     "How long an unused transactional id is remembered."},
    {"transaction.max.timeout.ms", int32, "900000", at_least("1"), high, read_only, implemented,
     "Longest transaction timeout that a producer may ask for."},
    {"transaction.abort.timed.out.transaction.cleanup.interval.ms", int32, "10000", at_least("1"), low, read_only,
     implemented, "Pause between two looks for transactions that took too long."},
    {"transaction.remove.expired.transaction.cleanup.interval.ms", int32, "3600000", at_least("1"), low, read_only,
     implemented, "Pause between two looks for expired transactional ids."},
    {"transaction.two.phase.commit.enable", boolean, "false", any, low, read_only, no_effect,
     "Whether transactions of an external coordinator (2PC) are served."},
};

}  // namespace dohle::config::keys
