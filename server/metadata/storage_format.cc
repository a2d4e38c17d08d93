#include "server/metadata/storage_format.h"

#include <fmt/format.h>

#include <utility>

#include "server/metadata/snapshot_file.h"
#include "server/metadata/supported_features.h"

namespace dohle::metadata {

using runtime::ErrorKind;

namespace {

std::vector<MetadataRecord> bootstrap_records() {
  std::vector<MetadataRecord> records;
  for (const auto& [name, level] : bootstrap_feature_levels()) {
    protocol::FeatureLevelRecord record;
    record.name = name;
    record.feature_level = level;
    records.push_back({std::move(record), 0});
  }
  return records;
}

protocol::VotersRecord sole_voter(const FormatOptions& options, const codec::Uuid& directory_id) {
  protocol::VotersRecord::Voter voter;
  voter.voter_id = options.node_id;
  voter.voter_directory_id = directory_id;
  protocol::VotersRecord::Endpoint endpoint;
  endpoint.name = options.controller_endpoint.name;
  endpoint.host = options.controller_endpoint.host;
  endpoint.port = options.controller_endpoint.port;
  voter.endpoints.push_back(std::move(endpoint));
  voter.kraft_version_feature.min_supported_version = supported_features().at("kraft.version").min;
  voter.kraft_version_feature.max_supported_version = supported_features().at("kraft.version").max;
  protocol::VotersRecord voters;
  voters.voters.push_back(std::move(voter));
  return voters;
}

runtime::Status write_bootstrap_snapshot(runtime::Directory& directory, const FormatOptions& options,
                                         const codec::Uuid& directory_id, std::int64_t now_ms) {
  const auto log_directory = directory.subdirectory(cluster_metadata_directory, true);
  if (!log_directory) return std::unexpected(log_directory.error());
  Snapshot snapshot;
  snapshot.id = bootstrap_snapshot_id;
  snapshot.last_contained_log_timestamp_ms = now_ms;
  snapshot.records = bootstrap_records();
  if (options.dynamic_quorum) {
    snapshot.kraft_version = 1;
    snapshot.voters = sole_voter(options, directory_id);
  }
  DOHLE_RETURN_IF_ERROR(write_snapshot(**log_directory, snapshot, now_ms));
  return directory.sync();
}

}  // namespace

runtime::Result<bool> is_empty_directory(const runtime::Directory& directory) {
  const auto entries = directory.list();
  if (!entries) return std::unexpected(entries.error());
  for (const runtime::DirectoryEntry& entry : *entries) {
    if (entry.name != "lost+found" && entry.name != ".lock") return false;
  }
  return true;
}

runtime::Status format_directory(runtime::Directory& directory, bool is_metadata_directory,
                                 const FormatOptions& options, std::int64_t now_ms) {
  const auto empty = is_empty_directory(directory);
  if (!empty) return std::unexpected(empty.error());
  if (!*empty) {
    return runtime::failure(
        ErrorKind::invalid,
        fmt::format("Log directory {} is not empty and has no meta.properties: it is not formatted. "
                    "Format it with kafka-storage, or use an empty directory.",
                    directory.path()));
  }
  const codec::Uuid directory_id = codec::Uuid::random();
  if (is_metadata_directory) {
    DOHLE_RETURN_IF_ERROR(write_bootstrap_snapshot(directory, options, directory_id, now_ms));
  }
  MetaProperties properties;
  properties.cluster_id = options.cluster_id;
  properties.node_id = options.node_id;
  properties.directory_id = directory_id;
  return write_meta_properties(directory, properties, now_ms);
}

std::string random_cluster_id() {
  return codec::Uuid::random().to_string();
}

}  // namespace dohle::metadata
