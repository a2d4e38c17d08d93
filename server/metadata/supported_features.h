// The features of a 4.4.0 node: which levels it supports, which ones a new cluster begins with, and what depends on
// what. Source: org.apache.kafka.server.common.Feature, MetadataVersion; QuorumFeatures.defaultSupportedFeatureMap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/metadata/metadata_image.h"

namespace dohle::metadata {

inline constexpr std::int16_t metadata_version_min = 7;      // 3.3-IV3
inline constexpr std::int16_t metadata_version_latest = 33;  // 4.4-IV2

/// The ranges that a 4.4.0 node says it supports: metadata.version, and each other feature whose highest level is not
/// 0.
const FeatureRanges& supported_features();

/// What StorageTool of 4.4.0 gives a new cluster: metadata.version first, then the others above 0 by name, without
/// kraft.version.
const std::vector<std::pair<std::string, std::int16_t>>& bootstrap_feature_levels();

/// What metadata.version `level` is called ("4.4-IV2"); empty for an unknown one.
std::string_view metadata_version_name(std::int16_t level);
/// Whether going from `higher` down to `lower` passes a version that changed the format of records
/// (MetadataVersion.checkIfMetadataChanged).
bool metadata_changed_between(std::int16_t higher, std::int16_t lower);

}  // namespace dohle::metadata
