#include "server/metadata/meta_properties.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <ctime>
#include <map>
#include <utility>

#include "server/config/properties.h"
#include "server/metadata/metadata_image.h"

namespace dohle::metadata {

using runtime::ErrorKind;

namespace {

std::optional<std::int32_t> parse_int(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// What Properties.store does to a value: no key or value of ours has anything else that it would escape.
std::string escape(std::string_view value) {
  std::string escaped;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (c == '\\' || c == '=' || c == ':' || c == '#' || c == '!' || (c == ' ' && i == 0)) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// Date.toString() in UTC: "Sun Nov 29 13:35:58 UTC 2026".
std::string java_date(std::int64_t now_ms) {
  static constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t seconds = now_ms / 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{} {} {:02} {:02}:{:02}:{:02} UTC {}", days[utc.tm_wday], months[utc.tm_mon], utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec, utc.tm_year + 1900);
}

}  // namespace

runtime::Result<MetaProperties> parse_meta_properties(std::string_view text, const std::string& path) {
  const auto parsed = config::parse_properties(text);
  if (!parsed) return runtime::failure(ErrorKind::invalid, fmt::format("{}: {}", path, parsed.error().message));
  const auto value_of = [&](const char* key) -> std::optional<std::string> {
    const auto found = parsed->find(key);
    return found == parsed->end() ? std::nullopt : std::optional<std::string>(found->second);
  };

  MetaProperties properties;
  const auto version = parse_int(value_of("version").value_or("0"));
  if (!version || *version < 0 || *version > 1) {
    return runtime::failure(ErrorKind::invalid, fmt::format("{}: unknown meta.properties version '{}'", path,
                                                            value_of("version").value_or("")));
  }
  properties.version = *version;
  properties.cluster_id = value_of("cluster.id");
  const char* id_key = properties.version == 0 ? "broker.id" : "node.id";
  if (const auto id = value_of(id_key)) {
    properties.node_id = parse_int(*id);
    if (!properties.node_id) {
      return runtime::failure(ErrorKind::invalid,
                              fmt::format("{}: Unable to read {} as a base-10 number.", path, id_key));
    }
  } else if (properties.version == 1) {
    return runtime::failure(ErrorKind::invalid, fmt::format("{}: Failed to find node.id", path));
  }
  if (properties.version == 1 && !properties.cluster_id) {
    return runtime::failure(ErrorKind::invalid, fmt::format("{}: cluster.id was not found.", path));
  }
  if (const auto id = value_of("directory.id")) {
    properties.directory_id = codec::Uuid::parse(*id);
    if (!properties.directory_id) {
      return runtime::failure(ErrorKind::invalid,
                              fmt::format("{}: Unable to read directory.id as a Uuid: {}", path, *id));
    }
  }
  return properties;
}

std::string format_meta_properties(const MetaProperties& properties, std::int64_t now_ms) {
  // The order in which Java's Properties lists these keys.
  std::string text = fmt::format("#\n#{}\n", java_date(now_ms));
  if (properties.version == 0 && properties.node_id) text += fmt::format("broker.id={}\n", *properties.node_id);
  if (properties.version != 0) text += fmt::format("node.id={}\n", properties.node_id.value_or(-1));
  if (properties.directory_id) text += fmt::format("directory.id={}\n", properties.directory_id->to_string());
  text += fmt::format("version={}\n", properties.version);
  if (properties.cluster_id) text += fmt::format("cluster.id={}\n", escape(*properties.cluster_id));
  return text;
}

runtime::Result<std::optional<MetaProperties>> read_meta_properties(runtime::Directory& directory) {
  const auto exists = directory.exists(meta_properties_name);
  if (!exists) return std::unexpected(exists.error());
  if (!*exists) return std::optional<MetaProperties>{};
  const auto text = directory.read_file(meta_properties_name, 1 << 20);
  if (!text) return std::unexpected(text.error());
  auto properties = parse_meta_properties(*text, directory.path() + "/" + meta_properties_name);
  if (!properties) return std::unexpected(std::move(properties.error()));
  return std::optional<MetaProperties>(std::move(*properties));
}

runtime::Status write_meta_properties(runtime::Directory& directory, const MetaProperties& properties,
                                      std::int64_t now_ms) {
  return directory.replace_file(meta_properties_name, format_meta_properties(properties, now_ms));
}

runtime::Result<std::string> check_meta_properties(const std::vector<LogDirectoryProperties>& directories,
                                                   std::int32_t node_id, std::optional<std::string> cluster_id) {
  std::map<codec::Uuid, std::string> seen;
  for (const auto& [path, properties] : directories) {
    const std::string file = path + "/" + meta_properties_name;
    if (properties.cluster_id) {
      if (!cluster_id) cluster_id = properties.cluster_id;
      if (*cluster_id != *properties.cluster_id) {
        return runtime::failure(ErrorKind::invalid, fmt::format("Invalid cluster.id in: {}. Expected {}, but read {}",
                                                                file, *cluster_id, *properties.cluster_id));
      }
    }
    if (properties.node_id && *properties.node_id != node_id) {
      return runtime::failure(
          ErrorKind::invalid,
          fmt::format(
              "Stored node id {} doesn't match previous node id {} in {}. If you moved your data, make sure your "
              "configured node id matches. If you intend to create a new node, you should remove all data in "
              "your data directories.",
              *properties.node_id, node_id, file));
    }
    if (!properties.directory_id) continue;
    if (is_reserved_directory(*properties.directory_id)) {
      return runtime::failure(ErrorKind::invalid, fmt::format("Invalid reserved directory ID {} found in {}",
                                                              properties.directory_id->to_string(), path));
    }
    const auto [former, fresh] = seen.emplace(*properties.directory_id, path);
    if (!fresh) {
      return runtime::failure(ErrorKind::invalid,
                              fmt::format("Duplicate directory ID {} found. It was the ID of {}, but also of {}",
                                          properties.directory_id->to_string(), former->second, path));
    }
  }
  return cluster_id.value_or("");
}

}  // namespace dohle::metadata
