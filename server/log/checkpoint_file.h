// The text format of Kafka's *-checkpoint files, and the three of a log directory that give an offset per partition.
// Line 1: version 0; line 2: number of entries; then one entry a line. An empty text is no entries; anything else that
// is not exactly this is `corrupt`. Follows Kafka's CheckpointFile and OffsetCheckpointFile.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::log {

struct TopicPartition {
  std::string topic;
  std::int32_t partition = 0;
  auto operator<=>(const TopicPartition&) const = default;
};

/// The fields of each entry, which are separated by white space; each entry has `field_count` of them. The views are
/// into `text`.
runtime::Result<std::vector<std::vector<std::string_view>>> parse_checkpoint(std::string_view text,
                                                                             std::size_t field_count);
std::string format_checkpoint(const std::vector<std::string>& lines);

/// Decimal, with a sign, and nothing after it; false if it is none or does not fit.
bool parse_number(std::string_view text, std::int64_t& number);
bool parse_number(std::string_view text, std::int32_t& number);

inline constexpr const char* recovery_point_checkpoint = "recovery-point-offset-checkpoint";
inline constexpr const char* log_start_checkpoint = "log-start-offset-checkpoint";
inline constexpr const char* high_watermark_checkpoint = "replication-offset-checkpoint";
inline constexpr const char* cleaner_checkpoint = "cleaner-offset-checkpoint";

using PartitionOffsets = std::map<TopicPartition, std::int64_t>;

runtime::Result<PartitionOffsets> parse_offset_checkpoint(std::string_view text);
std::string format_offset_checkpoint(const PartitionOffsets& offsets);
/// A file that is not there has no entries.
runtime::Result<PartitionOffsets> read_offset_checkpoint(runtime::Directory& directory, const std::string& name);
/// Replaces the file; it is on the disk when this returns.
runtime::Status write_offset_checkpoint(runtime::Directory& directory, const std::string& name,
                                        const PartitionOffsets& offsets);

}  // namespace dohle::log
