#include "server/replica/replica_set.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "server/replica/checkpoint_lines.h"
#include "server/runtime/log_line.h"

namespace dohle::replica {

using protocol::ErrorCode;

namespace {

constexpr const char* logger = "kafka.server.ReplicaManager";
/// A change of few partitions is no work for more than one thread.
constexpr std::size_t apply_threads_max = 16;
constexpr std::size_t changes_per_thread_min = 4;

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
    if (loaded.is_future) continue;
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
    if (const auto other = find(topic->id, loaded.partition.partition)) {
      if (!settle_duplicate(*registration, *other, loaded)) continue;
    }
    add(std::make_shared<Partition>(topic->name, topic->id, loaded.partition.partition, broker_id_, loaded.directory,
                                    std::move(loaded.log)));
  }
  for (auto& loaded : logs) {
    if (loaded.is_future) adopt_future(image, loaded);
  }
}

void ReplicaSet::start(const metadata::MetadataImage& image, std::vector<log::LoadedLog> logs) {
  adopt(image, std::move(logs));
  std::vector<Change> changes;
  image.topics->for_each([&](const metadata::TopicImage& topic) { add_changes(image, topic, changes); });
  apply_changes(changes);
}

void ReplicaSet::apply(const metadata::MetadataImage& image, const std::vector<codec::Uuid>& changed) {
  std::vector<Change> changes;
  for (const auto& id : changed) {
    if (const auto* topic = image.topics->find(id); topic != nullptr) {
      add_changes(image, *topic, changes);
    } else {
      remove_topic(id);
    }
  }
  apply_changes(changes);
}

void ReplicaSet::reconfigure(const metadata::MetadataImage& image) {
  for_each([&](const auto& partition) { partition->set_config(log_config_of(image, partition->topic())); });
}

void ReplicaSet::add_changes(const metadata::MetadataImage& image, const metadata::TopicImage& topic,
                             std::vector<Change>& changes) {
  const auto config = log_config_of(image, topic.name);
  for (const auto& [index, registration] : topic.partitions) {
    if (!registration.has_replica(broker_id_)) continue;
    auto& change = changes.emplace_back();
    change.topic = &topic;
    change.registration = &registration;
    change.index = index;
    change.config = config;
    change.partition = find(topic.id, index);
    if (change.partition) continue;
    const auto preferred = preferred_.extract({topic.name, index});
    auto* wanted = directories_.find(registration.directory_of(broker_id_));
    if (wanted == nullptr && !preferred.empty()) wanted = preferred.mapped();
    change.directory = directories_.place(wanted);
  }
}

/// Any thread.
void ReplicaSet::apply_change(Change& change) const {
  if (!change.partition) {
    if (change.directory == nullptr) {
      change.failure = "No log directory is online";
      return;
    }
    if (!change.directory->online) {
      change.failure = change.directory->path + " is offline";
      return;
    }
    const log::TopicPartition key{change.topic->name, change.index};
    auto created = directories_.create_at(key, change.topic->id, *change.config, *change.directory);
    if (!created) {
      change.failure = std::move(created.error().message);
      return;
    }
    change.partition = std::make_shared<Partition>(change.topic->name, change.topic->id, change.index, broker_id_,
                                                   created->directory, std::move(created->log));
  }
  change.partition->set_config(change.config);
  if (auto applied = change.partition->apply(state_of(*change.registration)); !applied) {
    change.disk_failure = std::move(applied.error().message);
  }
}

void ReplicaSet::apply_changes(std::vector<Change>& changes) {
  std::set<log::TopicPartition> made;
  for (const auto& change : changes) {
    if (!change.partition) made.emplace(log::TopicPartition{change.topic->name, change.index});
  }
  if (!made.empty()) forget_lines(directories_, made);
  std::atomic<std::size_t> next{0};
  const auto serve = [&] {
    for (auto i = next.fetch_add(1); i < changes.size(); i = next.fetch_add(1)) apply_change(changes[i]);
  };
  std::vector<std::jthread> pool;
  for (std::size_t i = 1; i < std::min(apply_threads_max, changes.size() / changes_per_thread_min); ++i) {
    pool.emplace_back(serve);
  }
  serve();
  pool.clear();
  // What is synced in a new partition's directory is there after a loss of power only if that directory itself is.
  std::map<log::LogDirectory*, runtime::Status> synced;
  for (auto& change : changes) {
    if (change.directory == nullptr || !change.partition) continue;
    auto [status, is_first] = synced.try_emplace(change.directory);
    if (is_first) status->second = change.directory->directory->sync();
    if (!status->second) change.disk_failure = status->second.error().message;
  }
  for (auto& change : changes) {
    if (!change.failure.empty()) {
      runtime::log_error(logger, "The log of {}-{} could not be created: {}", change.topic->name, change.index,
                         change.failure);
      continue;
    }
    if (change.directory != nullptr) add(change.partition);
    if (!change.disk_failure.empty()) report_disk_failure(*change.partition, change.disk_failure);
    tell_directory(*change.registration, *change.partition);
  }
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
    end_move(*partition);
    const auto retired = partition->with_log([&](log::Log& log) {
      return directories_.retire(*partition->directory(), {partition->topic(), partition->index()}, log, false);
    });
    // What lies there still would be found by a topic of the same name.
    if (!retired) {
      report_disk_failure(*partition, partition->name() + " could not be deleted: " + retired.error().message);
    }
  }
}

void ReplicaSet::report_disk_failure(Partition& partition, const std::string& message) {
  auto& directory = *partition.directory();
  partition.mark_offline();
  if (!directory.online.exchange(false)) return;
  runtime::log_error(logger, "Stopping serving logs in dir {}: {}", directory.path, message);
  for_each([&](const auto& other) {
    if (other->directory() == &directory) other->mark_offline();
    // What was on its way to it stays where it is.
    if (const auto future = other->future(); future && future->directory == &directory) other->take_future();
  });
  if (directory_failed_) directory_failed_(directory);
}

}  // namespace dohle::replica
