#include "server/log/log_directory_name.h"

#include <fmt/format.h>

#include "codec/uuid.h"

namespace dohle::log {

namespace {

constexpr std::string_view delete_suffix = "-delete";
constexpr std::string_view future_suffix = "-future";
constexpr std::string_view stray_suffix = "-stray";
constexpr std::size_t name_bytes_max = 255;

bool has_space(std::string_view text) {
  return text.find_first_of(" \t\n\v\f\r") != std::string_view::npos;
}

std::string unique_suffix(const TopicPartition& partition, std::string_view suffix) {
  std::string hex;
  for (const std::uint8_t byte : codec::Uuid::random().bytes) hex += fmt::format("{:02x}", byte);
  return fmt::format("-{}.{}{}", partition.partition, hex, suffix);
}

std::string capped_name(const TopicPartition& partition, std::string_view suffix) {
  const std::string end = unique_suffix(partition, suffix);
  return partition.topic.substr(0, name_bytes_max - end.size()) + end;
}

}  // namespace

std::optional<LogDirectoryName> parse_log_directory_name(std::string_view name) {
  LogDirectoryName parsed;
  if (name.ends_with(delete_suffix)) parsed.kind = LogDirectoryKind::deleted;
  if (name.ends_with(future_suffix)) parsed.kind = LogDirectoryKind::future;
  if (name.ends_with(stray_suffix)) parsed.kind = LogDirectoryKind::stray;
  if (parsed.kind != LogDirectoryKind::current) {
    // Kafka: ^(\S+)-(\S+)\.(\S+)-delete, that is topic, partition and a unique part that is not empty.
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || has_space(name)) return std::nullopt;
    if (name.size() - dot - 1 <= name.substr(name.rfind('-')).size()) return std::nullopt;
    name = name.substr(0, dot);
  }
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || dash == 0 || dash + 1 == name.size()) return std::nullopt;
  if (!parse_number(name.substr(dash + 1), parsed.partition.partition)) return std::nullopt;
  parsed.partition.topic = name.substr(0, dash);
  return parsed;
}

std::string log_directory_name(const TopicPartition& partition) {
  return fmt::format("{}-{}", partition.topic, partition.partition);
}
std::string deleted_directory_name(const TopicPartition& partition) {
  return capped_name(partition, delete_suffix);
}
std::string stray_directory_name(const TopicPartition& partition) {
  return capped_name(partition, stray_suffix);
}
std::string future_directory_name(const TopicPartition& partition) {
  return partition.topic + unique_suffix(partition, future_suffix);
}

}  // namespace dohle::log
