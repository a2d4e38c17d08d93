#include "server/metadata/supported_features.h"

#include <array>

namespace dohle::metadata {

namespace {

struct MetadataVersion {
  std::string_view name;
  bool changes_records;
};

/// By level, from metadata_version_min on. Source: MetadataVersion of kafka-server-common-4.4.0.jar.
constexpr std::array<MetadataVersion, 27> metadata_versions{{
    {"3.3-IV3", true},  {"3.4-IV0", true},  {"3.5-IV0", false}, {"3.5-IV1", false}, {"3.5-IV2", true},
    {"3.6-IV0", false}, {"3.6-IV1", true},  {"3.6-IV2", true},  {"3.7-IV0", true},  {"3.7-IV1", false},
    {"3.7-IV2", true},  {"3.7-IV3", false}, {"3.7-IV4", false}, {"3.8-IV0", false}, {"3.9-IV0", false},
    {"4.0-IV0", false}, {"4.0-IV1", true},  {"4.0-IV2", false}, {"4.0-IV3", false}, {"4.1-IV0", false},
    {"4.1-IV1", false}, {"4.2-IV0", false}, {"4.2-IV1", false}, {"4.3-IV0", true},  {"4.4-IV0", false},
    {"4.4-IV1", true},  {"4.4-IV2", true},
}};
static_assert(metadata_version_min + metadata_versions.size() - 1 == metadata_version_latest);

}  // namespace

const FeatureRanges& supported_features() {
  static const FeatureRanges ranges{
      {"eligible.leader.replicas.version", {0, 1}},
      {"group.version", {0, 1}},
      {"kraft.version", {0, 1}},
      {"metadata.version", {metadata_version_min, metadata_version_latest}},
      {"share.version", {0, 2}},
      {"streams.version", {0, 1}},
      {"transaction.version", {0, 2}},
  };
  return ranges;
}

const std::vector<std::pair<std::string, std::int16_t>>& bootstrap_feature_levels() {
  static const std::vector<std::pair<std::string, std::int16_t>> levels{
      {"metadata.version", metadata_version_latest},
      {"eligible.leader.replicas.version", 1},
      {"group.version", 1},
      {"share.version", 2},
      {"streams.version", 1},
      {"transaction.version", 2},
  };
  return levels;
}

std::string_view metadata_version_name(std::int16_t level) {
  if (level < metadata_version_min || level > metadata_version_latest) return {};
  return metadata_versions[static_cast<std::size_t>(level - metadata_version_min)].name;
}

bool metadata_changed_between(std::int16_t higher, std::int16_t lower) {
  for (std::int16_t level = higher; level > lower; --level) {
    if (level <= metadata_version_min || level > metadata_version_latest) continue;
    if (metadata_versions[static_cast<std::size_t>(level - metadata_version_min)].changes_records) return true;
  }
  return false;
}

}  // namespace dohle::metadata
