#include "server/replica/replica_set.h"

#include <algorithm>

#include "server/runtime/log_line.h"

namespace dohle::replica {

using protocol::ErrorCode;

namespace {

constexpr const char* logger = "kafka.server.ReplicaManager";

PartitionState state_of(const metadata::PartitionRegistration& partition) {
  return {.leader = partition.leader,
          .leader_epoch = partition.leader_epoch,
          .partition_epoch = partition.partition_epoch,
          .replicas = partition.replicas,
          .isr = partition.isr};
}

}  // namespace

ReplicaSet::ReplicaSet(std::int32_t broker_id, log::LogDirectories& directories,
                       const runtime::Snapshot<config::BrokerConfig>& config)
    : broker_id_(broker_id), directories_(directories), config_(config) {}

ReplicaSet::Shard& ReplicaSet::shard_of(const codec::Uuid& topic_id) {
  return shards_[std::hash<codec::Uuid>{}(topic_id) % shard_count];
}

const ReplicaSet::Shard& ReplicaSet::shard_of(const codec::Uuid& topic_id) const {
  return shards_[std::hash<codec::Uuid>{}(topic_id) % shard_count];
}

std::shared_ptr<Partition> ReplicaSet::find(const codec::Uuid& topic_id, std::int32_t partition) const {
  const auto& shard = shard_of(topic_id);
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.topics.find(topic_id);
  if (found == shard.topics.end() || partition < 0) return nullptr;
  const auto index = static_cast<std::size_t>(partition);
  return index < found->second.size() ? found->second[index] : nullptr;
}

HostedPartition ReplicaSet::find(const metadata::MetadataImage& image, std::string_view topic,
                                 std::int32_t partition) const {
  const auto* known = image.topics->find(topic);
  if (known == nullptr || known->partition(partition) == nullptr) {
    return {ErrorCode::unknown_topic_or_partition, nullptr};
  }
  auto hosted = find(known->id, partition);
  if (!hosted) return {ErrorCode::not_leader_or_follower, nullptr};
  return {ErrorCode::none, std::move(hosted)};
}

void ReplicaSet::for_each(const std::function<void(const std::shared_ptr<Partition>&)>& visit) const {
  for (const auto& shard : shards_) {
    Partitions all;
    {
      const std::lock_guard lock(shard.mutex);
      for (const auto& [id, partitions] : shard.topics) all.insert(all.end(), partitions.begin(), partitions.end());
    }
    for (const auto& partition : all) {
      if (partition) visit(partition);
    }
  }
}

std::size_t ReplicaSet::size() const {
  std::size_t count = 0;
  for_each([&count](const auto&) { ++count; });
  return count;
}

std::shared_ptr<const config::LogConfig> ReplicaSet::log_config_of(const metadata::MetadataImage& image,
                                                                   const std::string& topic) const {
  const auto& overrides = image.configs->configs({metadata::ConfigResourceType::topic, topic});
  auto config = config::make_log_config(*config_.current(), config::ConfigMap(overrides.begin(), overrides.end()));
  if (config) return std::make_shared<config::LogConfig>(std::move(*config));
  // Validation lets no such value in; one that another version wrote falls back to the broker's own.
  runtime::log_warn(logger, "The configuration of topic {} is not valid: {}", topic, config.error().message);
  auto fallback = config::make_log_config(*config_.current(), {});
  return std::make_shared<config::LogConfig>(fallback ? std::move(*fallback) : config::LogConfig{});
}

void ReplicaSet::add(std::shared_ptr<Partition> partition) {
  auto& shard = shard_of(partition->topic_id());
  const std::lock_guard lock(shard.mutex);
  auto& partitions = shard.topics[partition->topic_id()];
  const auto index = static_cast<std::size_t>(partition->index());
  if (partitions.size() <= index) partitions.resize(index + 1);
  partitions[index] = std::move(partition);
}

void ReplicaSet::adopt(const metadata::MetadataImage& image, std::vector<log::LoadedLog> logs) {
  for (auto& loaded : logs) {
    const auto* topic = image.topics->find(loaded.partition.topic);
    const auto* registration = topic == nullptr ? nullptr : topic->partition(loaded.partition.partition);
    const bool is_ours = registration != nullptr && registration->has_replica(broker_id_) &&
                         (!loaded.topic_id || *loaded.topic_id == topic->id);
    if (!is_ours) {
      runtime::log_warn(logger, "Found a stray log {}-{}: the metadata does not place it here", loaded.partition.topic,
                        loaded.partition.partition);
      if (auto retired = directories_.retire(*loaded.directory, loaded.partition, *loaded.log, true); !retired) {
        runtime::log_error(logger, "{}", retired.error().message);
      }
      continue;
    }
    add(std::make_shared<Partition>(topic->name, topic->id, loaded.partition.partition, broker_id_, loaded.directory,
                                    std::move(loaded.log)));
  }
}

void ReplicaSet::start(const metadata::MetadataImage& image, std::vector<log::LoadedLog> logs) {
  adopt(image, std::move(logs));
  image.topics->for_each([&](const metadata::TopicImage& topic) { apply_topic(image, topic); });
}

void ReplicaSet::apply(const metadata::MetadataImage& image, const std::vector<codec::Uuid>& changed) {
  for (const auto& id : changed) {
    if (const auto* topic = image.topics->find(id); topic != nullptr) {
      apply_topic(image, *topic);
    } else {
      remove_topic(id);
    }
  }
}

void ReplicaSet::reconfigure(const metadata::MetadataImage& image) {
  for_each([&](const auto& partition) { partition->set_config(log_config_of(image, partition->topic())); });
}

void ReplicaSet::apply_topic(const metadata::MetadataImage& image, const metadata::TopicImage& topic) {
  const auto config = log_config_of(image, topic.name);
  for (const auto& [index, registration] : topic.partitions) {
    if (!registration.has_replica(broker_id_)) continue;
    auto partition = find(topic.id, index);
    if (!partition) {
      auto created = create(topic, index, registration.directory_of(broker_id_), *config);
      if (!created) {
        runtime::log_error(logger, "The log of {}-{} could not be created: {}", topic.name, index,
                           created.error().message);
        continue;
      }
      partition = std::move(*created);
      add(partition);
    }
    partition->set_config(config);
    if (auto applied = partition->apply(state_of(registration)); !applied) {
      report_disk_failure(*partition, applied.error().message);
    }
  }
}

runtime::Result<std::shared_ptr<Partition>> ReplicaSet::create(const metadata::TopicImage& topic, std::int32_t index,
                                                               const codec::Uuid& directory_id,
                                                               const config::LogConfig& config) {
  auto loaded = directories_.create({topic.name, index}, topic.id, config, directories_.find(directory_id));
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  return std::make_shared<Partition>(topic.name, topic.id, index, broker_id_, loaded->directory,
                                     std::move(loaded->log));
}

void ReplicaSet::remove_topic(const codec::Uuid& topic_id) {
  Partitions removed;
  {
    auto& shard = shard_of(topic_id);
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.topics.find(topic_id);
    if (found == shard.topics.end()) return;
    removed = std::move(found->second);
    shard.topics.erase(found);
  }
  for (const auto& partition : removed) {
    if (!partition) continue;
    // The flag first, under the partition's lock: nothing is written to a directory that is being renamed.
    partition->mark_deleted();
    const auto retired = partition->with_log([&](log::Log& log) {
      return directories_.retire(*partition->directory(), {partition->topic(), partition->index()}, log, false);
    });
    if (!retired) runtime::log_error(logger, "{} could not be deleted: {}", partition->name(), retired.error().message);
  }
}

void ReplicaSet::report_disk_failure(Partition& partition, const std::string& message) {
  auto& directory = *partition.directory();
  partition.mark_offline();
  if (!directory.online.exchange(false)) return;
  runtime::log_error(logger, "Stopping serving logs in dir {}: {}", directory.path, message);
  for_each([&](const auto& other) {
    if (other->directory() == &directory) other->mark_offline();
  });
  if (directory_failed_) directory_failed_(directory);
}

}  // namespace dohle::replica
