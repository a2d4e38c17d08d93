// A coordinator's partition as replica/ keeps it. Source: kafka.coordinator.group.CoordinatorPartitionWriter.
#pragma once

#include <memory>
#include <string>

#include "server/coordinator/partition_log.h"
#include "server/metadata/metadata_image.h"
#include "server/replica/replica_set.h"
#include "server/runtime/disk_pool.h"
#include "server/runtime/snapshot.h"

namespace dohle::coordinator {

/// The partitions of `topic` that `replicas` hosts, by the newest image. All outlive what is made.
PartitionLogs replica_partition_logs(std::string topic, replica::ReplicaSet& replicas, runtime::DiskPool& disk_pool,
                                     const runtime::Snapshot<metadata::MetadataImage>& image);

}  // namespace dohle::coordinator
