// What Metadata and DescribeTopicPartitions say of a partition, seen from one listener: leaders and replicas are only
// those that a client can reach through it. Source: org.apache.kafka.metadata.KRaftMetadataCache.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "protocol/error_code.h"
#include "server/metadata/metadata_image.h"

namespace dohle::api {

struct PartitionDescription {
  protocol::ErrorCode error = protocol::ErrorCode::none;
  std::int32_t leader_id = -1;
  std::vector<std::int32_t> replicas;
  std::vector<std::int32_t> isr;
  std::vector<std::int32_t> offline_replicas;
};

struct DescriptionOptions {
  /// Metadata v0: replicas that cannot be reached are left out, and REPLICA_NOT_AVAILABLE says so.
  bool error_unavailable_endpoints = false;
  /// Metadata v6 and above: LISTENER_NOT_FOUND where the leader lacks the listener, else LEADER_NOT_AVAILABLE.
  bool error_unavailable_listeners = true;
};

PartitionDescription describe_partition(const metadata::MetadataImage& image,
                                        const metadata::PartitionRegistration& partition, std::string_view listener,
                                        DescriptionOptions options);

/// The smallest id of the brokers that are neither fenced nor without this listener; -1 if there is none. Kafka picks
/// one at random.
std::int32_t alive_broker(const metadata::MetadataImage& image);

}  // namespace dohle::api
