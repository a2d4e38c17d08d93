#include "server/log/partition_metadata_file.h"

#include <fmt/format.h>

#include "server/log/checkpoint_file.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::failure;
using runtime::Result;
using runtime::Status;

namespace {

/// Takes a line away and gives what is after its ": "; false if it is not of the form `name: value`.
bool next_value(std::string_view& text, std::string_view& value) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos) return false;
  value = line.substr(line.find_first_not_of(' ', colon + 1) == std::string_view::npos
                          ? line.size()
                          : line.find_first_not_of(' ', colon + 1));
  if (value.ends_with('\r')) value.remove_suffix(1);
  return value.find(": ") == std::string_view::npos;
}

}  // namespace

std::string format_partition_metadata(const codec::Uuid& topic_id) {
  return fmt::format("version: 0\ntopic_id: {}", topic_id.to_string());
}

Result<codec::Uuid> parse_partition_metadata(std::string_view text) {
  std::string_view value;
  std::int32_t version = -1;
  if (!next_value(text, value) || !parse_number(value, version) || version < 0) {
    return failure(ErrorKind::corrupt, "partition metadata has no valid version");
  }
  if (!next_value(text, value)) return failure(ErrorKind::corrupt, "partition metadata has no topic id");
  const auto id = codec::Uuid::parse(value);
  if (!id || id->is_zero()) {
    return failure(ErrorKind::corrupt, fmt::format("partition metadata has the invalid topic id '{}'", value));
  }
  return *id;
}

Result<std::optional<codec::Uuid>> read_partition_metadata(runtime::Directory& directory) {
  const auto text = directory.read_file(partition_metadata_file_name);
  if (!text) {
    if (text.error().kind == ErrorKind::not_found) return std::nullopt;
    return std::unexpected(text.error());
  }
  auto id = parse_partition_metadata(*text);
  if (!id) return failure(id.error().kind, fmt::format("{}: {}", directory.path(), id.error().message));
  return *id;
}

Status write_partition_metadata(runtime::Directory& directory, const codec::Uuid& topic_id) {
  return directory.replace_file(partition_metadata_file_name, format_partition_metadata(topic_id));
}

}  // namespace dohle::log
