// Names of partitions' directories: `topic-partition`, and with a suffix those that are being deleted, moved between
// disks, or that nobody asked for. Follows Kafka's LocalLog.parseTopicPartitionName and logDeleteDirName.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/log/checkpoint_file.h"

namespace dohle::log {

enum class LogDirectoryKind : std::uint8_t { current, deleted, future, stray };

struct LogDirectoryName {
  TopicPartition partition;  // the topic may be cut short in a deleted or stray one
  LogDirectoryKind kind = LogDirectoryKind::current;
  bool operator==(const LogDirectoryName&) const = default;
};

/// nullopt: not a partition's directory.
std::optional<LogDirectoryName> parse_log_directory_name(std::string_view name);

std::string log_directory_name(const TopicPartition& partition);
/// Unique; the topic is cut so that -delete and -stray names have at most 255 bytes. -future ones are never cut.
std::string deleted_directory_name(const TopicPartition& partition);
std::string stray_directory_name(const TopicPartition& partition);
std::string future_directory_name(const TopicPartition& partition);

}  // namespace dohle::log
