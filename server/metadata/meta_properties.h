// `meta.properties`, which says of each log directory whose it is: the cluster, the node, and the directory's own id.
// Source: org.apache.kafka.metadata.properties.MetaProperties, MetaPropertiesEnsemble (KIP-78, KIP-631, KIP-858).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/uuid.h"
#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::metadata {

inline constexpr const char* meta_properties_name = "meta.properties";

struct MetaProperties {
  /// 0 is ZooKeeper's form, with broker.id and perhaps without a cluster; Kafka 4 writes 1.
  int version = 1;
  std::optional<std::string> cluster_id;
  std::optional<std::int32_t> node_id;
  /// nullopt in directories from before KIP-858: Kafka gives them one at start.
  std::optional<codec::Uuid> directory_id;
  bool operator==(const MetaProperties&) const = default;
};

/// `path` is for messages. invalid: a version other than 0 and 1, a missing or unreadable key.
runtime::Result<MetaProperties> parse_meta_properties(std::string_view text, const std::string& path);

/// As Java's Properties.store writes it; `now_ms` is for the comment with the date (UTC).
std::string format_meta_properties(const MetaProperties& properties, std::int64_t now_ms);

/// nullopt if the directory has none.
runtime::Result<std::optional<MetaProperties>> read_meta_properties(runtime::Directory& directory);

/// Written so that the old or the new file is there after a crash.
runtime::Status write_meta_properties(runtime::Directory& directory, const MetaProperties& properties,
                                      std::int64_t now_ms);

/// One directory of log.dirs, with what its file says.
struct LogDirectoryProperties {
  std::string path;
  MetaProperties properties;
};

/// Whether all belong to the same cluster and to this node, and no two have the same id. Without `cluster_id` the first
/// one's holds. Gives the cluster id (empty if none says one); invalid with Kafka's line otherwise.
runtime::Result<std::string> check_meta_properties(const std::vector<LogDirectoryProperties>& directories,
                                                   std::int32_t node_id, std::optional<std::string> cluster_id);

}  // namespace dohle::metadata
