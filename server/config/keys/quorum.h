// Keys of the quorum of controllers, in the order in which Kafka defines them.
#pragma once

#include "server/config/keys/row.h"

namespace dohle::config::keys {

inline constexpr ConfigKey quorum_keys[] = {
    {"controller.quorum.voters", list, "", quorum_voters, high, read_only, implemented,
     "The voters of a static quorum, as id@host:port."},
    {"controller.quorum.bootstrap.servers", list, "", quorum_bootstrap_servers, high, read_only, implemented,
     "Controllers to find the quorum with, as host:port."},
    {"controller.quorum.election.timeout.ms", int32, "1000", at_least("0"), high, read_only, implemented,
     "How long a candidate waits for votes."},
    {"controller.quorum.fetch.timeout.ms", int32, "2000", at_least("0"), high, read_only, implemented,
     "How long a voter goes without a successful fetch before it calls an election."},
    {"controller.quorum.election.backoff.max.ms", int32, "1000", at_least("0"), high, read_only, implemented,
     "Longest pause before another election."},
    {"controller.quorum.append.linger.ms", int32, "25", at_least("0"), medium, read_only, implemented,
     "How long the leader gathers metadata records before it writes them."},
    {"controller.quorum.request.timeout.ms", int32, "2000", at_least("0"), medium, read_only, implemented,
     "How long a request of the quorum waits for its answer."},
    {"controller.quorum.retry.backoff.ms", int32, "20", at_least("0"), low, read_only, implemented,
     "Pause before a request of the quorum is sent again."},
    {"controller.quorum.auto.join.enable", boolean, "false", any, low, read_only, implemented,
     "Whether a controller joins a dynamic quorum by itself."},
    {"controller.quorum.fetch.snapshot.max.bytes", int32, "1048576", at_least("1"), low, read_only, implemented,
     "Bytes of a snapshot fetched at a time."},
    {"controller.quorum.fetch.max.bytes", int32, "1048576", at_least("1"), low, read_only, implemented,
     "Bytes of the metadata log fetched at a time."},
};

}  // namespace dohle::config::keys
