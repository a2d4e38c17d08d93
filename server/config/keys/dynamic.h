// Keys of quotas of brokers that can be set dynamically only, in the order in which Kafka defines them.
#pragma once

#include "server/config/keys/row.h"

namespace dohle::config::keys {

inline constexpr ConfigKey dynamic_only_keys[] = {
    {"leader.replication.throttled.rate", int64, "9223372036854775807", at_least("0"), medium, cluster_wide, no_effect,
     "Limit of throttled replication as leader, in bytes per second."},
    {"follower.replication.throttled.rate", int64, "9223372036854775807", at_least("0"), medium, cluster_wide,
     no_effect, "Limit of throttled replication as follower, in bytes per second."},
    {"replica.alter.log.dirs.io.max.bytes.per.second", int64, "9223372036854775807", at_least("0"), medium,
     cluster_wide, no_effect, "Limit of moves between log directories, in bytes per second."},
};

}  // namespace dohle::config::keys
