// Formatting log directories, exactly as 4.4.0's StorageTool does: meta.properties in each, and in the metadata log
// directory the bootstrap snapshot `__cluster_metadata-0/00000000000000000000-0000000000.checkpoint` with the feature
// levels of a new cluster. A directory that has anything in it is never formatted.
// Source: org.apache.kafka.metadata.storage.Formatter (KIP-1170), kafka.tools.StorageTool.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codec/uuid.h"
#include "server/metadata/meta_properties.h"
#include "server/metadata/metadata_image.h"
#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::metadata {

inline constexpr const char* cluster_metadata_directory = "__cluster_metadata-0";

struct FormatOptions {
  std::int32_t node_id = 1;
  std::string cluster_id;
  /// `--standalone`: this node is the only voter of a dynamic quorum (kraft.version 1). False when
  /// controller.quorum.voters is set: kraft.version 0.
  bool dynamic_quorum = true;
  /// The advertised listener of the first of controller.listener.names.
  Endpoint controller_endpoint;
};

/// Whether the directory can be formatted: nothing in it but what a file system puts there (lost+found) and our lock.
runtime::Result<bool> is_empty_directory(const runtime::Directory& directory);

/// Formats one directory. `is_metadata_directory`: it is metadata.log.dir, or the first of log.dirs. The snapshot is
/// written before meta.properties, so that a directory with meta.properties is always whole. invalid if it is not
/// empty.
runtime::Status format_directory(runtime::Directory& directory, bool is_metadata_directory,
                                 const FormatOptions& options, std::int64_t now_ms);

/// A random cluster id, as `kafka-storage random-uuid` gives.
std::string random_cluster_id();

}  // namespace dohle::metadata
