// Keys of roles and the metadata log, in the order in which Kafka defines them.
#pragma once

#include "server/config/keys/row.h"

namespace dohle::config::keys {

inline constexpr ConfigKey metadata_keys[] = {
    {"process.roles", list, required, some_list_of("broker,controller"), high, read_only, implemented,
     "What this node is: broker, controller or both."},
    {"node.id", int32, required, at_least("0"), high, read_only, implemented, "Number of this node in the cluster."},
    {"initial.broker.registration.timeout.ms", int32, "60000", any, medium, read_only, implemented,
     "How long the broker tries to register before it gives up."},
    {"broker.heartbeat.interval.ms", int32, "2000", any, medium, read_only, implemented,
     "Pause between the broker's heartbeats to the controller."},
    {"broker.session.timeout.ms", int32, "9000", any, medium, read_only, implemented,
     "How long the controller waits for a heartbeat before it fences a broker."},
    {"controller.listener.names", list, required, some_list, high, read_only, implemented,
     "Names of the controller's listeners, the preferred first."},
    {"sasl.mechanism.controller.protocol", string, "GSSAPI", any, high, read_only, no_effect,
     "SASL mechanism towards the controllers."},
    {"controller.performance.sample.period.ms", int64, "60000", at_least("100"), medium, read_only, no_effect,
     "Pause between the controller's log lines about slow events.", no_synonyms, internal_key},
    {"controller.performance.always.log.threshold.ms", int64, "2000", at_least("0"), medium, read_only, no_effect,
     "Duration from which an event of the controller is always logged.", no_synonyms, internal_key},
    {"server.max.startup.time.ms", int64, "9223372036854775807", at_least("0"), medium, read_only, implemented,
     "Longest time that the start may take.", no_synonyms, internal_key},
    {"metadata.log.max.record.bytes.between.snapshots", int64, "20971520", at_least("1"), high, read_only, implemented,
     "Bytes of the metadata log after which a snapshot is written."},
    {"metadata.log.max.snapshot.interval.ms", int64, "3600000", at_least("0"), high, read_only, implemented,
     "Time after which a snapshot of the metadata is written; 0 for none by time."},
    {"metadata.log.dir", string, null, any, high, read_only, implemented,
     "Directory of the metadata log; the first log directory if unset."},
    {"metadata.log.segment.bytes", int32, "1073741824", at_least("8388608"), high, read_only, implemented,
     "Largest size of a segment of the metadata log, in bytes."},
    {"metadata.log.segment.ms", int64, "604800000", any, high, read_only, implemented,
     "Age at which a segment of the metadata log is closed."},
    {"metadata.max.retention.bytes", int64, "104857600", any, high, read_only, implemented,
     "Size of metadata log and snapshots from which old ones are deleted, in bytes."},
    {"metadata.max.retention.ms", int64, "604800000", any, high, read_only, implemented,
     "Age from which old segments and snapshots of the metadata are deleted."},
    {"metadata.max.idle.interval.ms", int32, "500", at_least("0"), low, read_only, implemented,
     "Pause after which the active controller writes a no-op record; 0 for never."},
    {"internal.metadata.log.segment.bytes", int32, null, any, low, read_only, implemented,
     "Segment size of the metadata log for tests, in bytes.", no_synonyms, internal_key},
    {"internal.metadata.max.batch.size.in.bytes", int32, "8388608", any, low, read_only, implemented,
     "Largest batch in the metadata log, in bytes.", no_synonyms, internal_key},
    {"internal.metadata.delete.delay.millis", int64, "60000", any, low, read_only, implemented,
     "Pause before a deleted file of the metadata log is removed.", no_synonyms, internal_key},
};

}  // namespace dohle::config::keys
