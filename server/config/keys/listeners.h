// Keys of listeners, connections and requests, in the order in which Kafka defines them.
#pragma once

#include "server/config/keys/row.h"

namespace dohle::config::keys {

inline constexpr ConfigKey listener_keys[] = {
    {"listeners", list, "PLAINTEXT://:9092", some_list, high, per_broker, implemented,
     "Addresses to listen on, as NAME://host:port."},
    {"advertised.listeners", list, null, some_list_or_null, high, read_only, implemented,
     "Addresses that clients are told to use, as NAME://host:port; as listeners if unset."},
    {"listener.security.protocol.map", string,
     "SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT", any, low, per_broker, implemented,
     "Security protocol of each listener name."},
    {"socket.send.buffer.bytes", int32, "102400", any, high, read_only, implemented,
     "Send buffer of a client's socket, in bytes; -1 for the system's default."},
    {"socket.receive.buffer.bytes", int32, "102400", any, high, read_only, implemented,
     "Receive buffer of a client's socket, in bytes; -1 for the system's default."},
    {"socket.request.max.bytes", int32, "104857600", at_least("1"), high, read_only, implemented,
     "Largest request, in bytes."},
    {"socket.listen.backlog.size", int32, "50", at_least("1"), medium, read_only, implemented,
     "Connections that wait to be accepted."},
    {"max.connections.per.ip", int32, "2147483647", at_least("0"), medium, cluster_wide, implemented,
     "Most connections from one address."},
    {"max.connections.per.ip.overrides", string, "", any, medium, cluster_wide, implemented,
     "Other limits for single addresses or names, as host:count."},
    {"max.connections", int32, "2147483647", at_least("0"), medium, cluster_wide, implemented,
     "Most connections in all."},
    {"max.connection.creation.rate", int32, "2147483647", at_least("0"), medium, cluster_wide, implemented,
     "Most new connections a second."},
    {"connections.max.idle.ms", int64, "600000", any, medium, read_only, implemented,
     "Time after which an idle connection is closed."},
    {"connection.failed.authentication.delay.ms", int32, "100", at_least("0"), low, read_only, no_effect,
     "Pause before a connection that failed to authenticate is closed."},
    {"queued.max.requests", int32, "500", at_least("1"), high, read_only, mapped,
     "Requests that may wait before the network reads no more."},
    {"queued.max.request.bytes", int64, "-1", any, medium, read_only, implemented,
     "Bytes of requests that may wait before the network reads no more; -1 for no limit."},
    {"num.network.threads", int32, "3", at_least("1"), high, cluster_wide, mapped,
     "Network threads in Kafka; here the number of reactors."},
};

}  // namespace dohle::config::keys
