// Controller: topics that are created, grow and go.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "server/metadata/config_alterations.h"
#include "server/metadata/controller.h"
#include "server/metadata/image_writer.h"
#include "server/metadata/replica_assignment.h"
#include "server/metadata/replica_placer.h"
#include "server/metadata/topic_name.h"

namespace dohle::metadata {

using protocol::CreatePartitionsRequest;
using protocol::CreatePartitionsResponse;
using protocol::CreateTopicsRequest;
using protocol::CreateTopicsResponse;
using protocol::DeleteTopicsRequest;
using protocol::DeleteTopicsResponse;
using protocol::ErrorCode;

namespace {

using CreatableTopic = CreateTopicsRequest::CreatableTopic;
using NewPartitions = std::map<std::int32_t, PartitionRegistration>;

ApiError default_error(ErrorCode code) {
  return {code, std::string(protocol::default_message(code))};
}

std::mt19937_64 placement_random(const ControllerSettings& settings) {
  return std::mt19937_64(settings.placement_seed ? *settings.placement_seed : std::random_device{}());
}

/// The names that stand more than once in the request.
template <typename Topics>
std::set<std::string> duplicate_names(const Topics& topics) {
  std::set<std::string> seen;
  std::set<std::string> duplicates;
  for (const auto& topic : topics) {
    if (!seen.insert(topic.name).second) duplicates.insert(topic.name);
  }
  return duplicates;
}

ApiError check_total(const std::vector<const CreatableTopic*>& topics, std::int32_t default_partitions) {
  std::int64_t total = 0;
  for (const CreatableTopic* topic : topics) {
    if (!topic->assignments.empty()) {
      total += static_cast<std::int64_t>(topic->assignments.size());
    } else if (topic->num_partitions == -1) {
      total += default_partitions;
    } else if (topic->num_partitions > 0) {
      total += topic->num_partitions;
    }
    if (total > partitions_per_batch_max) {
      return {ErrorCode::policy_violation, "Excessively large number of partitions per request."};
    }
  }
  return {};
}

ApiError check_name(const MetadataImage& image, const std::string& name) {
  if (image.topics->find(name) != nullptr) {
    return {ErrorCode::topic_already_exists, fmt::format("Topic '{}' already exists.", name)};
  }
  ApiError error;
  if (auto why = invalid_topic_name(name)) error = {ErrorCode::invalid_topic_exception, std::move(why)};
  if (!has_collision_characters(name)) return error;
  std::string colliding;
  image.topics->for_each([&](const TopicImage& topic) {
    if (topic_names_collide(topic.name, name) && (colliding.empty() || topic.name < colliding)) colliding = topic.name;
  });
  if (!colliding.empty()) {
    error = {ErrorCode::invalid_topic_exception,
             fmt::format("Topic '{}' collides with existing topic: {}", name, colliding)};
  }
  return error;
}

/// The topic's own configuration as an alteration; INVALID_CONFIG where a value is null.
ApiError config_alteration(const CreatableTopic& topic, ConfigAlteration& alteration) {
  alteration.resource = {ConfigResourceType::topic, topic.name};
  std::vector<std::string> nulls;
  std::map<std::string, std::string> values;
  for (const auto& config : topic.configs) {
    if (config.value) {
      values[config.name] = *config.value;
    } else {
      nulls.push_back(config.name);
    }
  }
  for (auto& [name, value] : values) alteration.entries.push_back({name, ConfigAlteration::Op::set, value});
  if (nulls.empty()) return {};
  return {ErrorCode::invalid_config,
          fmt::format("Null value not supported for topic configs: {}", fmt::join(nulls, ","))};
}

ApiError assign_manually(const ClusterImage& cluster, const CreatableTopic& topic, NewPartitions& partitions) {
  if (topic.replication_factor != -1) {
    return {ErrorCode::invalid_request,
            "A manual partition assignment was specified, but replication factor was not set to -1."};
  }
  if (topic.num_partitions != -1) {
    return {ErrorCode::invalid_request,
            "A manual partition assignment was specified, but numPartitions was not set to -1."};
  }
  std::optional<std::size_t> replication_factor;
  for (const auto& assignment : topic.assignments) {
    if (partitions.contains(assignment.partition_index)) {
      return {ErrorCode::invalid_replica_assignment,
              fmt::format("Found multiple manual partition assignments for partition {}", assignment.partition_index)};
    }
    if (ApiError error = check_manual_assignment(cluster, assignment.broker_ids, replication_factor); error.failed()) {
      return error;
    }
    replication_factor = assignment.broker_ids.size();
    auto partition = new_partition(cluster, assignment.broker_ids);
    if (!partition) {
      return {ErrorCode::invalid_replica_assignment,
              fmt::format("All brokers specified in the manual partition assignment for partition {} are fenced or in "
                          "controlled shutdown.",
                          assignment.partition_index)};
    }
    partitions.emplace(assignment.partition_index, std::move(*partition));
  }
  const auto last = partitions.rbegin()->first;
  if (partitions.begin()->first != 0 || last != static_cast<std::int32_t>(partitions.size()) - 1) {
    return {ErrorCode::invalid_replica_assignment, "partitions should be a consecutive 0-based integer sequence"};
  }
  return {};
}

ApiError assign_automatically(const ClusterImage& cluster, const CreatableTopic& topic,
                              const ControllerSettings& settings, NewPartitions& partitions) {
  if (topic.replication_factor < -1 || topic.replication_factor == 0) {
    return {ErrorCode::invalid_replication_factor,
            "Replication factor must be larger than 0, or -1 to use the default value."};
  }
  if (topic.num_partitions < -1 || topic.num_partitions == 0) {
    return {ErrorCode::invalid_partitions, "Number of partitions was set to an invalid non-positive value."};
  }
  const std::int32_t count = topic.num_partitions == -1 ? settings.default_partitions : topic.num_partitions;
  const std::int16_t factor =
      topic.replication_factor == -1 ? settings.default_replication_factor : topic.replication_factor;
  std::mt19937_64 random = placement_random(settings);
  const Placement placement = place_replicas(cluster, count, factor, random);
  const auto refuse = [&](const std::string& why) {
    return ApiError{ErrorCode::invalid_replication_factor,
                    fmt::format("Unable to replicate the partition {} time(s): {}", factor, why)};
  };
  if (placement.error.failed()) return refuse(placement.error.message.value_or(""));
  for (std::size_t i = 0; i < placement.partitions.size(); ++i) {
    auto partition = new_partition(cluster, placement.partitions[i]);
    if (!partition) return refuse("All brokers are currently fenced or in controlled shutdown.");
    partitions.emplace(static_cast<std::int32_t>(i), std::move(*partition));
  }
  return {};
}

void set_error(CreateTopicsResponse::CreatableTopicResult& result, const ApiError& error) {
  result.error_code = static_cast<std::int16_t>(error.code);
  result.error_message = error.message;
}

/// Creates one topic, or says why not. The records are appended only if it succeeds.
ApiError create_topic(const MetadataImage& image, const CreatableTopic& topic, const ControllerSettings& settings,
                      const ConfigSchema& schema, CreateTopicsResponse::CreatableTopicResult& result,
                      std::vector<MetadataRecord>& records) {
  if (ApiError error = check_name(image, topic.name); error.failed()) return error;
  ConfigAlteration alteration;
  if (ApiError error = config_alteration(topic, alteration); error.failed()) return error;
  std::vector<MetadataRecord> config_records;
  if (!alteration.entries.empty()) {
    ApiError error = alter_config_incrementally(image, schema, alteration, true, config_records);
    if (error.failed()) return error;
    add_clear_elr_records(image, 0, config_records);
  }
  NewPartitions partitions;
  ApiError error = topic.assignments.empty() ? assign_automatically(*image.cluster, topic, settings, partitions)
                                             : assign_manually(*image.cluster, topic, partitions);
  if (error.failed()) return error;

  protocol::TopicRecord record;
  record.name = topic.name;
  record.topic_id = settings.new_id ? settings.new_id() : codec::Uuid::random();
  result.topic_id = record.topic_id;
  result.num_partitions = static_cast<std::int32_t>(partitions.size());
  result.replication_factor = static_cast<std::int16_t>(partitions.begin()->second.replicas.size());
  ConfigMap own;
  for (const auto& entry : alteration.entries) own[entry.name] = *entry.value;
  const ConfigResource cluster_default{ConfigResourceType::broker, ""};
  const ConfigResource node{ConfigResourceType::broker, std::to_string(settings.node_id)};
  result.configs.emplace();
  for (EffectiveConfig& config :
       schema.effective_topic_configs(own, image.configs->configs(cluster_default), image.configs->configs(node))) {
    CreateTopicsResponse::CreatableTopicConfigs line;
    line.name = std::move(config.name);
    line.value = config.sensitive ? std::nullopt : std::move(config.value);
    line.read_only = config.read_only;
    line.config_source = config.source;
    line.is_sensitive = config.sensitive;
    result.configs->push_back(std::move(line));
  }
  std::ranges::sort(*result.configs, {}, &CreateTopicsResponse::CreatableTopicConfigs::name);
  const codec::Uuid topic_id = record.topic_id;
  // The configuration stands between the topic and its partitions.
  records.push_back({std::move(record), 0});
  std::move(config_records.begin(), config_records.end(), std::back_inserter(records));
  for (const auto& [index, partition] : partitions) {
    records.push_back(partition_to_record(topic_id, index, partition, *image.features));
  }
  return {};
}

}  // namespace

ControllerResult<CreateTopicsResponse> Controller::create_topics(const MetadataImage& image,
                                                                 const CreateTopicsRequest& request) const {
  ControllerResult<CreateTopicsResponse> result;
  const std::set<std::string> duplicates = duplicate_names(request.topics);
  std::vector<const CreatableTopic*> topics;
  for (const CreatableTopic& topic : request.topics) {
    if (!duplicates.contains(topic.name) && topic.name != cluster_metadata_topic) topics.push_back(&topic);
  }
  result.error = check_total(topics, settings_.default_partitions);
  if (result.error.failed()) return result;

  for (const CreatableTopic* topic : topics) {
    auto& line = result.response.topics.emplace_back();
    line.name = topic->name;
    line.error_message = std::nullopt;
    const ApiError error = create_topic(image, *topic, settings_, *schema_, line, result.records);
    if (error.failed()) set_error(line, error);
  }
  const auto refuse = [&](const std::string& name, std::string message) {
    auto& line = result.response.topics.emplace_back();
    line.name = name;
    set_error(line, {ErrorCode::invalid_request, std::move(message)});
  };
  for (const std::string& name : duplicates) refuse(name, "Duplicate topic name.");
  for (const CreatableTopic& topic : request.topics) {
    if (topic.name != cluster_metadata_topic || duplicates.contains(topic.name)) continue;
    refuse(topic.name, fmt::format("Creation of internal topic {} is prohibited.", cluster_metadata_topic));
  }
  result = bounded(std::move(result));
  if (request.validate_only) result.records.clear();
  return result;
}

// --- Deletion ------------------------------------------------------------------------------------------------------

namespace {

/// What a DeleteTopics request names, sorted out: `topics` are those to delete, the others have their line already.
class Deletion {
 public:
  Deletion(const MetadataImage& image, DeleteTopicsResponse& response) : image_(image), response_(response) {}

  void add_name(const std::string& name) {
    if (!names_.insert(name).second) duplicate_names_.insert(name);
  }

  void add(const DeleteTopicsRequest::DeleteTopicState& topic) {
    if (topic.name && !topic.topic_id.is_zero()) {
      line(topic.name, topic.topic_id,
           {ErrorCode::invalid_request, "You may not specify both topic name and topic id."});
    } else if (topic.name) {
      add_name(*topic.name);
    } else if (topic.topic_id.is_zero()) {
      line(std::nullopt, {}, {ErrorCode::invalid_request, "Neither topic name nor id were specified."});
    } else if (!ids_.insert(topic.topic_id).second) {
      duplicate_ids_.insert(topic.topic_id);
    }
  }

  /// Gives the topics to delete; everything else has got its line.
  std::map<codec::Uuid, std::string> resolve() {
    for (const std::string& name : duplicate_names_) {
      line(name, {}, {ErrorCode::invalid_request, "Duplicate topic name."});
    }
    for (const codec::Uuid& id : duplicate_ids_) {
      line(std::nullopt, id, {ErrorCode::invalid_request, "Duplicate topic id."});
    }
    std::map<codec::Uuid, std::string> topics;
    for (const codec::Uuid& id : ids_) {
      if (duplicate_ids_.contains(id)) continue;
      if (const TopicImage* topic = image_.topics->find(id)) {
        topics.emplace(id, topic->name);
      } else {
        line(std::nullopt, id, default_error(ErrorCode::unknown_topic_id));
      }
    }
    for (const std::string& name : names_) {
      if (!duplicate_names_.contains(name)) resolve_name(name, topics);
    }
    return topics;
  }

  void line(std::optional<std::string> name, const codec::Uuid& id, const ApiError& error) {
    auto& result = response_.responses.emplace_back();
    result.name = std::move(name);
    result.topic_id = id;
    result.error_code = static_cast<std::int16_t>(error.code);
    result.error_message = error.message;
  }

 private:
  void resolve_name(const std::string& name, std::map<codec::Uuid, std::string>& topics) {
    const TopicImage* topic = image_.topics->find(name);
    if (topic == nullptr) {
      line(name, {}, default_error(ErrorCode::unknown_topic_or_partition));
      return;
    }
    if (!duplicate_ids_.contains(topic->id) && topics.emplace(topic->id, name).second) return;
    duplicate_ids_.insert(topic->id);
    topics.erase(topic->id);
    line(name, topic->id,
         {ErrorCode::invalid_request, "The provided topic name maps to an ID that was already supplied."});
  }

  const MetadataImage& image_;
  DeleteTopicsResponse& response_;
  std::set<std::string> names_;
  std::set<std::string> duplicate_names_;
  std::set<codec::Uuid> ids_;
  std::set<codec::Uuid> duplicate_ids_;
};

}  // namespace

ControllerResult<DeleteTopicsResponse> Controller::delete_topics(const MetadataImage& image,
                                                                 const DeleteTopicsRequest& request,
                                                                 std::int16_t version) const {
  ControllerResult<DeleteTopicsResponse> result;
  if (!settings_.delete_topic_enable) {
    result.error = version < 3 ? ApiError{ErrorCode::invalid_request, "This version does not support topic deletion."}
                               : ApiError{ErrorCode::topic_deletion_disabled, std::nullopt};
    return result;
  }
  Deletion deletion(image, result.response);
  for (const std::string& name : request.topic_names) deletion.add_name(name);
  for (const auto& topic : request.topics) deletion.add(topic);
  for (const auto& [id, name] : deletion.resolve()) {
    protocol::RemoveTopicRecord record;
    record.topic_id = id;
    result.records.push_back({std::move(record), 0});
    deletion.line(name, id, {});
  }
  return bounded(std::move(result));
}

// --- Growth --------------------------------------------------------------------------------------------------------

namespace {

using GrowingTopic = CreatePartitionsRequest::CreatePartitionsTopic;

ApiError check_growth(const GrowingTopic& topic, std::int32_t existing) {
  if (topic.count == existing) {
    return {ErrorCode::invalid_partitions, fmt::format("Topic already has {} partition(s).", existing)};
  }
  if (topic.count < existing) {
    return {ErrorCode::invalid_partitions,
            fmt::format("The topic {} currently has {} partition(s); {} would not be an increase.", topic.name,
                        existing, topic.count)};
  }
  const std::int32_t additional = topic.count - existing;
  if (topic.assignments && static_cast<std::int32_t>(topic.assignments->size()) != additional) {
    return {ErrorCode::invalid_replica_assignment,
            fmt::format("Attempted to add {} additional partition(s), but only {} assignment(s) were specified.",
                        additional, topic.assignments->size())};
  }
  return {};
}

/// The replicas of the new partitions.
ApiError assign_growth(const ClusterImage& cluster, const GrowingTopic& topic, std::int32_t existing,
                       std::size_t replication_factor, const ControllerSettings& settings,
                       std::vector<std::vector<std::int32_t>>& assignments) {
  if (!topic.assignments) {
    std::mt19937_64 random = placement_random(settings);
    Placement placement =
        place_replicas(cluster, topic.count - existing, static_cast<std::int32_t>(replication_factor), random);
    assignments = std::move(placement.partitions);
    return placement.error;
  }
  std::int32_t index = existing;
  for (const auto& assignment : *topic.assignments) {
    ApiError error = check_manual_assignment(cluster, assignment.broker_ids, replication_factor);
    if (error.failed()) return error;
    if (!new_partition(cluster, assignment.broker_ids)) {
      return {ErrorCode::invalid_replica_assignment,
              fmt::format("All brokers specified in the manual partition assignment for partition {} are fenced or in "
                          "controlled shutdown.",
                          index)};
    }
    assignments.push_back(assignment.broker_ids);
    ++index;
  }
  return {};
}

ApiError grow_topic(const MetadataImage& image, const GrowingTopic& topic, const ControllerSettings& settings,
                    std::vector<MetadataRecord>& records) {
  const TopicImage* existing = image.topics->find(topic.name);
  if (existing == nullptr) return {ErrorCode::unknown_topic_or_partition, std::nullopt};
  const auto count = static_cast<std::int32_t>(existing->partitions.size());
  if (ApiError error = check_growth(topic, count); error.failed()) return error;
  const std::size_t replication_factor = existing->partitions.begin()->second.replicas.size();
  std::vector<std::vector<std::int32_t>> assignments;
  ApiError error = assign_growth(*image.cluster, topic, count, replication_factor, settings, assignments);
  if (error.failed()) return error;

  std::vector<MetadataRecord> added;
  for (std::size_t i = 0; i < assignments.size(); ++i) {
    const auto partition = new_partition(*image.cluster, assignments[i]);
    if (!partition) {
      return {ErrorCode::invalid_replication_factor,
              fmt::format("Unable to replicate the partition {} time(s): All brokers are currently fenced or in "
                          "controlled shutdown.",
                          replication_factor)};
    }
    added.push_back(
        partition_to_record(existing->id, count + static_cast<std::int32_t>(i), *partition, *image.features));
  }
  std::move(added.begin(), added.end(), std::back_inserter(records));
  return {};
}

}  // namespace

ControllerResult<CreatePartitionsResponse> Controller::create_partitions(const MetadataImage& image,
                                                                         const CreatePartitionsRequest& request) const {
  ControllerResult<CreatePartitionsResponse> result;
  const std::set<std::string> duplicates = duplicate_names(request.topics);
  std::int64_t total = 0;
  for (const GrowingTopic& topic : request.topics) {
    const TopicImage* existing = image.topics->find(topic.name);
    if (topic.count < 0 || existing == nullptr || duplicates.contains(topic.name)) continue;
    total += std::max<std::int64_t>(topic.count - static_cast<std::int64_t>(existing->partitions.size()), 0);
  }
  if (total > partitions_per_batch_max) {
    result.error = {ErrorCode::policy_violation, "Excessively large number of additional partitions per request."};
    return result;
  }
  const auto line = [&](const std::string& name, const ApiError& error) {
    auto& topic = result.response.results.emplace_back();
    topic.name = name;
    topic.error_code = static_cast<std::int16_t>(error.code);
    topic.error_message = error.message;
  };
  for (const std::string& name : duplicates) line(name, {ErrorCode::invalid_request, "Duplicate topic name."});
  for (const GrowingTopic& topic : request.topics) {
    if (!duplicates.contains(topic.name)) line(topic.name, grow_topic(image, topic, settings_, result.records));
  }
  result = bounded(std::move(result));
  if (request.validate_only) result.records.clear();
  return result;
}

}  // namespace dohle::metadata
