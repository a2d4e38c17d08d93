// The hash of what a group's assignment depends on: its topics' ids, partitions and racks (KIP-1101).
// Source: org.apache.kafka.coordinator.group.Utils, ModernGroup.computeMetadataHash.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "server/metadata/metadata_image.h"

namespace dohle::groups {

std::int64_t topic_metadata_hash(const metadata::TopicImage& topic, const metadata::ClusterImage& cluster);

/// Of the topics' hashes in the order of their names. 0: there are none.
std::int64_t group_metadata_hash(const std::vector<std::int64_t>& topic_hashes);

/// Of those topics that exist.
std::int64_t group_metadata_hash(const std::set<std::string>& topic_names, const metadata::MetadataImage& image);

}  // namespace dohle::groups
