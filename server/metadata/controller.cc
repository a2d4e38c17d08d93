// Controller: configurations, features, elections.
#include "server/metadata/controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "server/metadata/config_alterations.h"
#include "server/metadata/partition_changes.h"
#include "server/metadata/supported_features.h"

namespace dohle::metadata {

using protocol::ErrorCode;

Controller::Controller(ControllerSettings settings, const ConfigSchema& schema)
    : settings_(std::move(settings)), schema_(&schema) {}

// --- Configurations ------------------------------------------------------------------------------------------------

ControllerResult<std::vector<ConfigAlterationResult>> Controller::incremental_alter_configs(
    const MetadataImage& image, const std::vector<ConfigAlteration>& alterations) const {
  ControllerResult<std::vector<ConfigAlterationResult>> result;
  for (const ConfigAlteration& alteration : alterations) {
    ApiError error = alter_config_incrementally(image, *schema_, alteration, false, result.records);
    result.response.push_back({alteration.resource, std::move(error)});
  }
  add_clear_elr_records(image, 0, result.records);
  return bounded(std::move(result));
}

ControllerResult<std::vector<ConfigAlterationResult>> Controller::legacy_alter_configs(
    const MetadataImage& image, const std::vector<ConfigAlteration>& alterations) const {
  ControllerResult<std::vector<ConfigAlterationResult>> result;
  for (const ConfigAlteration& alteration : alterations) {
    ApiError error = replace_config(image, *schema_, alteration, result.records);
    result.response.push_back({alteration.resource, std::move(error)});
  }
  add_clear_elr_records(image, 0, result.records);
  return bounded(std::move(result));
}

// --- Features ------------------------------------------------------------------------------------------------------

namespace {

constexpr const char* metadata_version_feature = "metadata.version";
constexpr const char* kraft_version_feature = "kraft.version";
constexpr const char* elr_feature = "eligible.leader.replicas.version";
/// ELR needs the record fields that 4.0-IV1 brought.
constexpr std::int16_t elr_metadata_version = 23;

std::optional<std::string> not_supported(const std::string& who, const FeatureRanges& features,
                                         const FeatureUpdate& update) {
  const auto found = features.find(update.name);
  const VersionRange range = found == features.end() ? VersionRange{} : found->second;
  if (range.contains(update.level)) return std::nullopt;
  if (range.max == 0) return who + " does not support this feature.";
  if (range.min == range.max) return fmt::format("{} only supports versions {}", who, range.min);
  return fmt::format("{} only supports versions {}-{}", who, range.min, range.max);
}

std::optional<std::string> not_supported_anywhere(const MetadataImage& image, std::int32_t node_id,
                                                  const FeatureUpdate& update) {
  if (auto why = not_supported(fmt::format("Local controller {}", node_id), supported_features(), update)) return why;
  for (const auto& [id, broker] : image.cluster->brokers) {
    if (auto why = not_supported(fmt::format("Broker {}", id), broker.features, update)) return why;
  }
  for (const auto& [id, controller] : image.cluster->controllers) {
    if (id == node_id) continue;
    if (auto why = not_supported(fmt::format("Controller {}", id), controller.features, update)) return why;
  }
  return std::nullopt;
}

ApiError check_metadata_version(std::int16_t current, const FeatureUpdate& update) {
  if (update.level >= current || !metadata_changed_between(current, update.level)) return {};
  return {
      ErrorCode::invalid_update_version,
      fmt::format("Unsupported metadata.version downgrade from {} to {}. {}", current, update.level,
                  update.kind == FeatureUpdate::Kind::unsafe_downgrade
                      ? "Unsafe metadata downgrade is not supported in this version."
                      : "Refusing to perform the requested downgrade because it might delete metadata information.")};
}

/// `levels` is what all features would be at after the whole request.
ApiError check_dependencies(const FeatureUpdate& update, const std::map<std::string, std::int16_t>& levels) {
  const auto refuse = [&](const std::string& why) {
    return ApiError{ErrorCode::invalid_update_version,
                    fmt::format("Invalid update version {} for feature {}. {}", update.level, update.name, why)};
  };
  const std::int16_t metadata_version = levels.at(metadata_version_feature);
  if (update.name == elr_feature && update.level >= 1 && metadata_version < elr_metadata_version) {
    return refuse(fmt::format("{} could not be set to {} because it depends on metadata.version level {}", update.name,
                              update.level, elr_metadata_version));
  }
  return {};
}

ApiError check_update(const MetadataImage& image, std::int32_t node_id, std::int16_t current,
                      const FeatureUpdate& update, const std::map<std::string, std::int16_t>& levels) {
  const auto refuse = [&](const std::string& why) {
    return ApiError{ErrorCode::invalid_update_version,
                    fmt::format("Invalid update version {} for feature {}. {}", update.level, update.name, why)};
  };
  const bool upgrade = update.kind == FeatureUpdate::Kind::upgrade;
  if (update.kind < FeatureUpdate::Kind::upgrade || update.kind > FeatureUpdate::Kind::unsafe_downgrade) {
    return refuse("The controller does not support the given upgrade type.");
  }
  if (update.level < 0) return refuse("A feature version cannot be less than 0.");
  if (const auto why = not_supported_anywhere(image, node_id, update)) return refuse(*why);
  if (update.level < current && upgrade) {
    return refuse(
        "Can't downgrade the version of this feature without setting the upgrade type to either safe or unsafe "
        "downgrade.");
  }
  if (update.level > current && !upgrade) return refuse("Can't downgrade to a newer version.");
  if (update.name == metadata_version_feature) return check_metadata_version(current, update);
  if (update.name != kraft_version_feature) return check_dependencies(update, levels);
  if (update.level < current) return refuse("Can't downgrade the version of this feature.");
  // Kafka would rewrite the voter set here; a static quorum of ours stays static for now.
  if (update.level > current) return refuse("Upgrading kraft.version is not supported by this server yet.");
  return {};
}

MetadataRecord config_record(std::string resource_name, std::string name, std::optional<std::string> value) {
  protocol::ConfigRecord record;
  record.resource_type = static_cast<std::int8_t>(ConfigResourceType::broker);
  record.resource_name = std::move(resource_name);
  record.name = std::move(name);
  record.value = std::move(value);
  return {std::move(record), 0};
}

/// Before ELR is switched on the cluster must have a min.insync.replicas of its own, and no broker one.
void add_elr_safety_records(const MetadataImage& image, std::int32_t default_min_isr,
                            std::vector<MetadataRecord>& records) {
  static const std::string key = "min.insync.replicas";
  if (!image.configs->configs({ConfigResourceType::broker, ""}).contains(key)) {
    records.push_back(config_record("", key, std::to_string(default_min_isr)));
  }
  for (const auto& [resource, configs] : image.configs->resources) {
    if (resource.type != ConfigResourceType::broker || resource.name.empty() || !configs.contains(key)) continue;
    records.push_back(config_record(resource.name, key, std::nullopt));
  }
}

}  // namespace

ControllerResult<std::monostate> Controller::update_features(const MetadataImage& image, std::int16_t kraft_version,
                                                             const std::vector<FeatureUpdate>& updates) const {
  ControllerResult<std::monostate> result;
  std::map<std::string, std::int16_t> levels(image.features->levels.begin(), image.features->levels.end());
  levels[metadata_version_feature] = image.features->metadata_version.value_or(0);
  for (const FeatureUpdate& update : updates) levels[update.name] = update.level;
  bool enables_elr = false;
  for (const FeatureUpdate& update : updates) {
    const std::int16_t current =
        update.name == kraft_version_feature ? kraft_version : image.features->level(update.name);
    if (ApiError error = check_update(image, settings_.node_id, current, update, levels); error.failed()) {
      result.records.clear();
      result.error = {error.code, "The update failed for all features since the following feature had an error: " +
                                      error.message.value_or("")};
      return result;
    }
    if (update.name == kraft_version_feature) {
      // Something to wait for, as Kafka writes; the version itself lives in control records.
      if (update.kind == FeatureUpdate::Kind::upgrade) result.records.push_back({protocol::NoOpRecord{}, 0});
      continue;
    }
    enables_elr = enables_elr || (update.name == elr_feature && update.level > 0);
    protocol::FeatureLevelRecord record;
    record.name = update.name;
    record.feature_level = update.level;
    result.records.push_back({std::move(record), 0});
  }
  if (enables_elr) {
    std::vector<MetadataRecord> records;
    add_elr_safety_records(image, settings_.default_min_insync_replicas, records);
    records.insert(records.end(), result.records.begin(), result.records.end());
    result.records = std::move(records);
  }
  return result;
}

// --- Elections -----------------------------------------------------------------------------------------------------

namespace {

constexpr std::int8_t preferred_election = 0;
constexpr std::int8_t unclean_election = 1;

ApiError default_error(ErrorCode code) {
  return {code, std::string(protocol::default_message(code))};
}

ApiError elect_leader(const MetadataImage& image, const ControllerSettings& settings, const std::string& name,
                      std::int32_t index, bool unclean, std::vector<MetadataRecord>& records) {
  const TopicImage* topic = image.topics->find(name);
  if (topic == nullptr) return {ErrorCode::unknown_topic_or_partition, "No such topic as " + name};
  const PartitionRegistration* partition = topic->partition(index);
  if (partition == nullptr) {
    return {ErrorCode::unknown_topic_or_partition, fmt::format("No such partition as {}-{}", name, index)};
  }
  const bool settled = unclean ? partition->has_leader() : partition->leader == partition->preferred_replica();
  if (settled) return default_error(ErrorCode::election_not_needed);
  auto builder = change_partition(image, *topic, index, *partition, settings);
  builder.set_election(unclean ? Election::unclean : Election::preferred);
  auto record = builder.build();
  if (!record) {
    return default_error(unclean ? ErrorCode::eligible_leaders_not_available
                                 : ErrorCode::preferred_leader_not_available);
  }
  records.push_back(std::move(*record));
  return {};
}

}  // namespace

ControllerResult<std::vector<PartitionResult>> Controller::elect_leaders(
    const MetadataImage& image, std::int8_t election_type,
    const std::optional<std::vector<std::pair<std::string, std::int32_t>>>& partitions) const {
  ControllerResult<std::vector<PartitionResult>> result;
  if (election_type != preferred_election && election_type != unclean_election) {
    result.error = {ErrorCode::invalid_request, fmt::format("Unknown election type {}", election_type)};
    return result;
  }
  const bool unclean = election_type == unclean_election;
  if (partitions) {
    for (const auto& [topic, index] : *partitions) {
      ApiError error = elect_leader(image, settings_, topic, index, unclean, result.records);
      result.response.push_back({topic, index, std::move(error)});
    }
    return bounded(std::move(result));
  }
  for (const TopicPointer& topic : image.topics->sorted_by_name()) {
    for (const auto& [index, partition] : topic->partitions) {
      ApiError error = elect_leader(image, settings_, topic->name, index, unclean, result.records);
      // Where all are asked for, those that need nothing are not named.
      if (error.code == ErrorCode::election_not_needed) continue;
      result.response.push_back({topic->name, index, std::move(error)});
    }
  }
  return bounded(std::move(result));
}

}  // namespace dohle::metadata
