// partition.metadata: which topic a partition's directory belongs to, by id. Two lines, the second without an end.
// Follows Kafka's PartitionMetadataFile (KIP-516).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codec/uuid.h"
#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::log {

inline constexpr const char* partition_metadata_file_name = "partition.metadata";

std::string format_partition_metadata(const codec::Uuid& topic_id);
/// `corrupt` for a negative version (a later one is read, as Kafka does), a bad or zero id, and other text.
runtime::Result<codec::Uuid> parse_partition_metadata(std::string_view text);

/// nullopt: there is no such file.
runtime::Result<std::optional<codec::Uuid>> read_partition_metadata(runtime::Directory& directory);
/// Replaces the file; it is on the disk when this returns.
runtime::Status write_partition_metadata(runtime::Directory& directory, const codec::Uuid& topic_id);

}  // namespace dohle::log
