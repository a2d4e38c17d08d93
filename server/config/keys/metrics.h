// Keys of metrics and quotas, in the order in which Kafka defines them.
#pragma once

#include "server/config/keys/row.h"

namespace dohle::config::keys {

inline constexpr ConfigKey metrics_keys[] = {
    {"metrics.num.samples", int32, "2", at_least("1"), low, read_only, no_effect, "Samples kept to compute metrics."},
    {"metrics.sample.window.ms", int64, "30000", at_least("1"), low, read_only, no_effect,
     "Length of a sample of the metrics."},
    {"metric.reporters", list, "org.apache.kafka.common.metrics.JmxReporter", any_list, low, cluster_wide, no_effect,
     "Classes that report Kafka's metrics."},
    {"metrics.recording.level", string, "INFO", any, low, read_only, no_effect,
     "Detail of the metrics: INFO, DEBUG or TRACE."},
    {"kafka.metrics.reporters", list, "", any_list, low, read_only, no_effect, "Classes that report Yammer metrics."},
    {"kafka.metrics.polling.interval.secs", int32, "10", at_least("1"), low, read_only, no_effect,
     "Pause between two reports of Yammer metrics, in seconds."},
    {"telemetry.max.bytes", int32, "1048576", at_least("1"), low, read_only, no_effect,
     "Largest push of client metrics, in bytes."},
    {"quota.window.num", int32, "11", at_least("1"), low, read_only, implemented, "Samples kept for client quotas."},
    {"replication.quota.window.num", int32, "11", at_least("1"), low, read_only, implemented,
     "Samples kept for replication quotas."},
    {"alter.log.dirs.replication.quota.window.num", int32, "11", at_least("1"), low, read_only, implemented,
     "Samples kept for the quota of moves between directories."},
    {"controller.quota.window.num", int32, "11", at_least("1"), low, read_only, implemented,
     "Samples kept for the quota of controller mutations."},
    {"quota.window.size.seconds", int32, "1", at_least("1"), low, read_only, implemented,
     "Length of a sample of client quotas, in seconds."},
    {"replication.quota.window.size.seconds", int32, "1", at_least("1"), low, read_only, implemented,
     "Length of a sample of replication quotas, in seconds."},
    {"alter.log.dirs.replication.quota.window.size.seconds", int32, "1", at_least("1"), low, read_only, implemented,
     "Length of a sample of the quota of moves between directories, in seconds."},
    {"controller.quota.window.size.seconds", int32, "1", at_least("1"), low, read_only, implemented,
     "Length of a sample of the quota of controller mutations, in seconds."},
    {"client.quota.callback.class", class_name, null, any, low, read_only, fatal,
     "Class that decides the quotas of clients."},
};

}  // namespace dohle::config::keys
