#include "server/metadata/config_alterations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace dohle::metadata {

using protocol::ErrorCode;

namespace {

constexpr const char* min_isr_key = "min.insync.replicas";
constexpr const char* cordoned_key = "cordoned.log.dirs";
constexpr std::size_t value_length_max = std::numeric_limits<std::int16_t>::max();
constexpr std::int16_t cordoned_directories_version = 30;

using Change = std::pair<std::string, std::optional<std::string>>;  // nullopt deletes

ApiError invalid_config(std::string message) {
  return {ErrorCode::invalid_config, std::move(message)};
}

/// String.split(","): empty parts at the end are dropped, and an empty text is one empty part.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t comma = text.find(',', begin);
    parts.emplace_back(text.substr(begin, comma - begin));
    if (comma == std::string_view::npos) break;
    begin = comma + 1;
  }
  while (parts.size() > 1 && parts.back().empty()) parts.pop_back();
  return parts;
}

std::string join(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ","));
}

/// APPEND and SUBTRACT work on what is set, else on the default.
std::vector<std::string> current_parts(const std::optional<std::string>& current, const ConfigSchema& schema,
                                       ConfigResourceType type, const std::string& key) {
  const std::string text = current ? *current : schema.default_value(type, key).value_or("");
  if (text.empty()) return {};
  std::vector<std::string> parts = split(text);
  std::erase_if(parts, [](const std::string& part) { return part.empty(); });
  return parts;
}

std::string append_to(std::vector<std::string> parts, const std::string& value) {
  for (std::string& part : split(value)) {
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(std::move(part));
  }
  return join(parts);
}

std::string subtract_from(std::vector<std::string> parts, const std::string& value) {
  for (const std::string& part : split(value)) {
    if (const auto found = std::find(parts.begin(), parts.end(), part); found != parts.end()) parts.erase(found);
  }
  return join(parts);
}

ApiError check_elr_rules(const MetadataImage& image, const ConfigResource& resource, const Change& change) {
  if (resource.type != ConfigResourceType::broker) return {};
  if (change.first == min_isr_key && image.features->elr_enabled()) {
    if (!resource.name.empty()) {
      return invalid_config("Broker-level min.insync.replicas cannot be altered while ELR is enabled.");
    }
    if (!change.second)
      return invalid_config("Cluster-level min.insync.replicas cannot be removed while ELR is enabled.");
  }
  if (change.first == cordoned_key && image.features->metadata_version.value_or(0) < cordoned_directories_version) {
    return invalid_config(
        "The cordoned.log.dirs configuration value cannot be set because it requires metadata.version >= 4.3-IV0");
  }
  return {};
}

/// Whether what is to be configured is there at all.
ApiError check_existence(const MetadataImage& image, const ConfigResource& resource) {
  if (resource.type == ConfigResourceType::topic && image.topics->find(resource.name) == nullptr) {
    return {ErrorCode::unknown_topic_or_partition, fmt::format("The topic '{}' does not exist.", resource.name)};
  }
  if (resource.type != ConfigResourceType::broker || resource.name.empty()) return {};
  std::int32_t id = 0;
  const char* end = resource.name.data() + resource.name.size();
  const auto parsed = std::from_chars(resource.name.data(), end, id);
  if (parsed.ec != std::errc{} || parsed.ptr != end) {
    return {ErrorCode::invalid_request, fmt::format("Invalid broker name {}", resource.name)};
  }
  if (image.cluster->broker(id) == nullptr && !image.cluster->controllers.contains(id)) {
    return {ErrorCode::broker_id_not_registered, fmt::format("No node with id {} found.", id)};
  }
  return {};
}

ApiError check(const MetadataImage& image, const ConfigSchema& schema, const ConfigResource& resource, bool fresh,
               const std::vector<Change>& changes) {
  const ConfigMap& existing = image.configs->configs(resource);
  ConfigMap configs = existing;
  for (const Change& change : changes) {
    if (ApiError error = check_elr_rules(image, resource, change); error.failed()) return error;
    if (!change.second) {
      configs.erase(change.first);
    } else if (change.second->size() > value_length_max) {
      return invalid_config(
          fmt::format("The configuration value cannot be added because it exceeds the maximum value size of {} bytes.",
                      value_length_max));
    } else {
      configs[change.first] = *change.second;
    }
  }
  if (ApiError error = schema.validate(resource, configs, existing); error.failed()) return error;
  return fresh ? ApiError{} : check_existence(image, resource);
}

void append_records(const ConfigResource& resource, std::vector<Change> changes, std::vector<MetadataRecord>& records) {
  for (auto& [name, value] : changes) {
    protocol::ConfigRecord record;
    record.resource_type = static_cast<std::int8_t>(resource.type);
    record.resource_name = resource.name;
    record.name = std::move(name);
    record.value = std::move(value);
    records.push_back({std::move(record), 0});
  }
}

std::optional<std::string> value_in(const ConfigMap& configs, const std::string& key) {
  const auto found = configs.find(key);
  return found == configs.end() ? std::nullopt : std::optional<std::string>(found->second);
}

}  // namespace

ApiError alter_config_incrementally(const MetadataImage& image, const ConfigSchema& schema,
                                    const ConfigAlteration& alteration, bool fresh,
                                    std::vector<MetadataRecord>& records) {
  const ConfigResource& resource = alteration.resource;
  const ConfigMap& existing = image.configs->configs(resource);
  std::vector<Change> changes;
  for (const ConfigAlteration::Entry& entry : alteration.entries) {
    const std::optional<std::string> current = fresh ? std::nullopt : value_in(existing, entry.name);
    std::optional<std::string> next;
    if (entry.op == ConfigAlteration::Op::set) {
      next = entry.value;
    } else if (entry.op != ConfigAlteration::Op::remove) {
      const bool append = entry.op == ConfigAlteration::Op::append;
      if (!schema.is_list(resource.type, entry.name)) {
        return invalid_config(fmt::format("Can't {} to key {} because its type is not LIST.",
                                          append ? "APPEND" : "SUBTRACT", entry.name));
      }
      auto parts = current_parts(current, schema, resource.type, entry.name);
      const std::string value = entry.value.value_or("");
      next = append ? append_to(std::move(parts), value) : subtract_from(std::move(parts), value);
    }
    // KAFKA-14136: brokers read their files again when they are told what they have already.
    if (next != current || resource.type == ConfigResourceType::broker)
      changes.emplace_back(entry.name, std::move(next));
  }
  if (ApiError error = check(image, schema, resource, fresh, changes); error.failed()) return error;
  append_records(resource, std::move(changes), records);
  return {};
}

ApiError replace_config(const MetadataImage& image, const ConfigSchema& schema, const ConfigAlteration& alteration,
                        std::vector<MetadataRecord>& records) {
  const ConfigResource& resource = alteration.resource;
  const ConfigMap& existing = image.configs->configs(resource);
  std::map<std::string, std::optional<std::string>> wanted;
  for (const ConfigAlteration::Entry& entry : alteration.entries) wanted[entry.name] = entry.value;
  std::vector<Change> changes;
  for (const auto& [name, value] : wanted) {
    if (value != value_in(existing, name) || resource.type == ConfigResourceType::broker)
      changes.emplace_back(name, value);
  }
  for (const auto& [name, value] : existing) {
    if (!wanted.contains(name)) changes.emplace_back(name, std::nullopt);
  }
  if (ApiError error = check(image, schema, resource, false, changes); error.failed()) return error;
  append_records(resource, std::move(changes), records);
  return {};
}

void add_clear_elr_records(const MetadataImage& image, std::size_t begin, std::vector<MetadataRecord>& records) {
  if (!image.features->elr_enabled()) return;
  const std::size_t end = records.size();
  for (std::size_t i = begin; i < end; ++i) {
    const auto* config = std::get_if<protocol::ConfigRecord>(&records[i].message);
    if (config == nullptr || config->name != min_isr_key) continue;
    protocol::ClearElrRecord clear;
    const bool of_topic = config->resource_type == static_cast<std::int8_t>(ConfigResourceType::topic);
    if (of_topic) clear.topic_name = config->resource_name;
    records.push_back({std::move(clear), 0});
  }
}

}  // namespace dohle::metadata
