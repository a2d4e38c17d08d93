// Keys of the server as a whole, in the order in which Kafka defines them.
#pragma once

#include "server/config/keys/row.h"

namespace dohle::config::keys {

inline constexpr ConfigKey server_keys[] = {
    {"broker.id", int32, "-1", any, high, read_only, implemented, "Older name of node.id."},
    {"message.max.bytes", int32, "1048588", at_least("0"), high, cluster_wide, implemented,
     "Largest record batch that a topic takes unless it says otherwise, in bytes."},
    {"max.decompressed.message.bytes", int32, "2147483639", between("1", "2147483639"), medium, cluster_wide,
     implemented, "Largest size to which a compressed batch may inflate, in bytes."},
    {"num.io.threads", int32, "8", at_least("1"), high, cluster_wide, mapped,
     "Request threads in Kafka; here the size of the disk pool."},
    {"num.replica.alter.log.dirs.threads", int32, null, any, high, read_only, no_effect,
     "Threads that move replicas between log directories."},
    {"background.threads", int32, "10", at_least("1"), high, cluster_wide, mapped,
     "Threads for upkeep: retention, flushing, deletion."},
    {"request.timeout.ms", int32, "30000", any, high, read_only, implemented,
     "How long a request to another node waits for its answer."},
    {"socket.connection.setup.timeout.ms", int64, "10000", any, medium, read_only, implemented,
     "How long a connection to another node may take at first."},
    {"socket.connection.setup.timeout.max.ms", int64, "30000", any, medium, read_only, implemented,
     "How long a connection to another node may take after several failures."},
    {"config.providers", list, "", any_list, low, cluster_wide, fatal,
     "Classes that resolve ${provider:path:key} in values."},
    {"authorizer.class.name", string, "", non_null, low, read_only, fatal,
     "Class that decides who may do what; empty for everybody everything."},
    {"early.start.listeners", list, null, any_list_or_null, high, read_only, implemented,
     "Listeners that open before the node has caught up with the metadata."},
    {"broker.rack", string, null, any, medium, read_only, implemented,
     "Rack of this broker, for placing replicas and for fetching from the nearest one."},
    {"controlled.shutdown.enable", boolean, "true", any, medium, read_only, implemented,
     "Whether the broker hands over its leaderships before it stops."},
    {"delete.topic.enable", boolean, "true", any, high, read_only, implemented, "Whether topics can be deleted."},
    {"compression.type", string, "producer", one_of("uncompressed,zstd,lz4,snappy,gzip,producer"), high, cluster_wide,
     implemented, "Codec in which batches are stored; producer keeps the producer's."},
    {"compression.gzip.level", int32, "-1", gzip_level, medium, cluster_wide, implemented,
     "Level of gzip where compression.type is gzip."},
    {"compression.lz4.level", int32, "9", between("1", "17"), medium, cluster_wide, implemented,
     "Level of lz4 where compression.type is lz4."},
    {"compression.zstd.level", int32, "3", between("-131072", "22"), medium, cluster_wide, implemented,
     "Level of zstd where compression.type is zstd."},
    {"max.incremental.fetch.session.cache.slots", int32, "1000", at_least("0"), medium, read_only, implemented,
     "Fetch sessions that the broker remembers."},
    {"fetch.max.bytes", int32, "57671680", at_least("1024"), medium, read_only, implemented,
     "Largest answer to a fetch, in bytes, but for a first batch that is larger."},
    {"max.request.partition.size.limit", int32, "2000", at_least("1"), medium, read_only, implemented,
     "Most partitions in one answer of DescribeTopicPartitions."},
    {"unstable.api.versions.enable", boolean, "false", any, high, read_only, no_effect,
     "Whether versions of requests that are still in development are offered.", no_synonyms, internal_key},
    {"unstable.feature.versions.enable", boolean, "false", any, high, read_only, no_effect,
     "Whether feature levels that are still in development can be used.", no_synonyms, internal_key},
};

}  // namespace dohle::config::keys
