// Controller: partitions whose replicas move. Source: ReplicationControlManager, PartitionReassignmentReplicas,
// PartitionReassignmentRevert (KIP-455).
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "server/metadata/controller.h"
#include "server/metadata/partition_changes.h"
#include "server/metadata/replica_assignment.h"

namespace dohle::metadata {

using protocol::ErrorCode;

namespace {

using Ids = std::vector<std::int32_t>;

bool contains(const Ids& ids, std::int32_t id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// Those of `ids` that are not in `others`: by id for the sets that Kafka computes, else in order.
Ids without(const Ids& ids, const Ids& others) {
  Ids left;
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(left),
               [&](std::int32_t id) { return !contains(others, id); });
  return left;
}

Ids sorted(Ids ids) {
  std::sort(ids.begin(), ids.end());
  return ids;
}

ApiError cancel(const MetadataImage& image, const ControllerSettings& settings, const TopicImage& topic,
                std::int32_t index, const PartitionRegistration& partition, std::vector<MetadataRecord>& records) {
  if (!partition.is_reassigning()) return {ErrorCode::no_reassignment_in_progress, std::nullopt};
  const Ids replicas = without(partition.replicas, partition.adding_replicas);
  Ids isr = without(partition.isr, partition.adding_replicas);
  const bool unclean_allowed = unclean_leader_election(image, topic.name, settings);
  if (replicas.empty()) {
    return {ErrorCode::invalid_replica_assignment, "Invalid replica assignment: addingReplicas contains all replicas."};
  }
  if (isr.empty()) {
    if (!unclean_allowed) {
      return {ErrorCode::invalid_replica_assignment,
              fmt::format("Unable to revert partition assignment for {}:{} because it would require an unclean leader "
                          "election.",
                          topic.name, index)};
    }
    isr = {replicas.front()};
  }
  auto builder = change_partition(image, topic, index, partition, settings);
  if (unclean_allowed) builder.set_election(Election::unclean);
  builder.set_target_isr(std::move(isr)).set_target_replicas(replicas).set_target_removing({}).set_target_adding({});
  if (auto record = builder.build()) records.push_back(std::move(*record));
  return {};
}

/// How many replicas the partition has, or will have when a reassignment that is under way is done.
std::size_t settled_replication_factor(const PartitionRegistration& partition) {
  std::set<std::int32_t> ids(partition.replicas.begin(), partition.replicas.end());
  if (!partition.is_reassigning()) return partition.replicas.size();
  ids.insert(partition.adding_replicas.begin(), partition.adding_replicas.end());
  for (const std::int32_t id : partition.removing_replicas) ids.erase(id);
  return ids.size();
}

ApiError change(const MetadataImage& image, const ControllerSettings& settings, const TopicImage& topic,
                std::int32_t index, const PartitionRegistration& partition, const Ids& target,
                bool allow_replication_factor_change, std::vector<MetadataRecord>& records) {
  if (ApiError error = check_manual_assignment(*image.cluster, target, std::nullopt); error.failed()) return error;
  const std::size_t current = settled_replication_factor(partition);
  if (!allow_replication_factor_change && current != target.size()) {
    return {ErrorCode::invalid_replication_factor,
            fmt::format("The replication factor is changed from {} to {}", current, target.size())};
  }
  const Ids removing = sorted(without(partition.replicas, target));
  const Ids adding = sorted(without(target, partition.replicas));
  Ids replicas = target;
  replicas.insert(replicas.end(), removing.begin(), removing.end());
  auto builder = change_partition(image, topic, index, partition, settings);
  if (replicas != partition.replicas) builder.set_target_replicas(std::move(replicas));
  if (!removing.empty()) builder.set_target_removing(removing);
  if (!adding.empty()) builder.set_target_adding(adding);
  if (auto record = builder.build()) records.push_back(std::move(*record));
  return {};
}

ApiError reassign(const MetadataImage& image, const ControllerSettings& settings,
                  const PartitionReassignment& reassignment, bool allow_replication_factor_change,
                  std::vector<MetadataRecord>& records) {
  const TopicImage* topic = image.topics->find(reassignment.topic);
  if (topic == nullptr) {
    return {ErrorCode::unknown_topic_or_partition, fmt::format("Unable to find a topic named {}.", reassignment.topic)};
  }
  const PartitionRegistration* partition = topic->partition(reassignment.partition);
  if (partition == nullptr) {
    return {ErrorCode::unknown_topic_or_partition,
            fmt::format("Unable to find partition {}:{}.", reassignment.topic, reassignment.partition)};
  }
  if (!reassignment.replicas) return cancel(image, settings, *topic, reassignment.partition, *partition, records);
  return change(image, settings, *topic, reassignment.partition, *partition, *reassignment.replicas,
                allow_replication_factor_change, records);
}

}  // namespace

ControllerResult<std::vector<PartitionResult>> Controller::alter_partition_reassignments(
    const MetadataImage& image, const std::vector<PartitionReassignment>& reassignments,
    bool allow_replication_factor_change) const {
  ControllerResult<std::vector<PartitionResult>> result;
  for (const PartitionReassignment& reassignment : reassignments) {
    ApiError error = reassign(image, settings_, reassignment, allow_replication_factor_change, result.records);
    result.response.push_back({reassignment.topic, reassignment.partition, std::move(error)});
  }
  return bounded(std::move(result));
}

std::vector<OngoingReassignment> Controller::list_partition_reassignments(
    const MetadataImage& image,
    const std::optional<std::vector<std::pair<std::string, std::int32_t>>>& partitions) const {
  std::vector<OngoingReassignment> ongoing;
  const auto consider = [&](const TopicImage& topic, std::int32_t index, const PartitionRegistration* partition) {
    if (partition == nullptr || !partition->is_reassigning()) return;
    ongoing.push_back(
        {topic.name, index, partition->replicas, partition->adding_replicas, partition->removing_replicas});
  };
  if (!partitions) {
    for (const TopicPointer& topic : image.topics->sorted_by_name()) {
      for (const auto& [index, partition] : topic->partitions) consider(*topic, index, &partition);
    }
    return ongoing;
  }
  for (const auto& [name, index] : *partitions) {
    const TopicImage* topic = image.topics->find(name);
    if (topic != nullptr) consider(*topic, index, topic->partition(index));
  }
  return ongoing;
}

}  // namespace dohle::metadata
