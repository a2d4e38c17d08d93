// The moves of replicas between the log directories of this broker. Source: ReplicaManager.alterReplicaLogDirs,
// LogManager.replaceCurrentWithFutureLog and recoverAbandonedFutureLogs.
#include <algorithm>

#include "server/log/log_directory_name.h"
#include "server/replica/replica_set.h"
#include "server/runtime/log_line.h"

namespace dohle::replica {

using protocol::ErrorCode;

namespace {

constexpr const char* logger = "kafka.server.ReplicaManager";
constexpr std::size_t directory_name_bytes_max = 255;

void complain(const runtime::Status& status) {
  if (!status) runtime::log_error(logger, "{}", status.error().message);
}

}  // namespace

ErrorCode ReplicaSet::alter_log_directory(const metadata::MetadataImage& image, const log::TopicPartition& partition,
                                          const std::string& path) {
  // Kafka never cuts the name of a -future directory, and so can't move these (KAFKA-4893).
  if (log::future_directory_name(partition).size() > directory_name_bytes_max)
    return ErrorCode::invalid_topic_exception;
  const auto found =
      std::ranges::find_if(directories_.all(), [&](const auto& directory) { return directory->path == path; });
  if (found == directories_.all().end()) return ErrorCode::log_dir_not_found;
  if (!(*found)->online) return ErrorCode::kafka_storage_error;
  log::LogDirectory& target = **found;
  if (target.cordoned) return ErrorCode::invalid_replica_assignment;
  const auto [error, hosted] = find(image, partition.topic, partition.partition);
  if (!hosted) {
    preferred_[partition] = &target;
    return error == ErrorCode::not_leader_or_follower ? ErrorCode::replica_not_available : error;
  }
  if (!hosted->directory()->online) return ErrorCode::kafka_storage_error;
  const auto future = hosted->future();
  if (future && future->directory != &target) end_move(*hosted);
  if (hosted->directory() == &target || (future && future->directory == &target)) return ErrorCode::none;
  // As in Kafka: with a directory offline, a future log might lie there unseen.
  if (std::ranges::any_of(directories_.all(), [](const auto& directory) { return !directory->online; })) {
    return ErrorCode::kafka_storage_error;
  }
  auto created = directories_.create_future(partition, hosted->topic_id(), *hosted->config(), target);
  if (!created) {
    runtime::log_error(logger, "{} can't be moved to {}: {}", hosted->name(), path, created.error().message);
    return ErrorCode::kafka_storage_error;
  }
  runtime::log_info(logger, "{} begins its move from {} to {}", hosted->name(), hosted->directory()->path, path);
  hosted->set_future({&target, std::move(created->log)});
  return ErrorCode::none;
}

void ReplicaSet::end_move(Partition& partition) {
  const auto future = partition.take_future();
  if (!future) return;
  runtime::log_info(logger, "The move of {} to {} is given up", partition.name(), future->directory->path);
  complain(directories_.discard(*future->directory, {partition.topic(), partition.index()}, *future->log));
}

bool ReplicaSet::promote(Partition& partition) {
  const auto future = partition.future();
  if (!future) return false;
  auto* from = partition.directory();
  const auto promoted = partition.promote_future([&](log::Log& old, log::Log& log) {
    return directories_.promote({partition.topic(), partition.index()}, *from, old, *future->directory, log);
  });
  if (!promoted) {
    runtime::log_error(logger, "{} could not be moved to {}: {}", partition.name(), future->directory->path,
                       promoted.error().message);
    report_disk_failure(partition, promoted.error().message);
    return false;
  }
  if (*promoted) {
    runtime::log_info(logger, "{} has moved from {} to {}", partition.name(), from->path, future->directory->path);
  }
  return *promoted;
}

/// A kill between the two renames of a move left both: the one that the metadata names stays.
bool ReplicaSet::settle_duplicate(const metadata::PartitionRegistration& registration, Partition& other,
                                  log::LoadedLog& loaded) {
  const bool takes_new = directories_.find(registration.directory_of(broker_id_)) == loaded.directory;
  runtime::log_warn(logger, "{} lies in {} and in {}: the metadata names the {}", other.name(), other.directory()->path,
                    loaded.directory->path, takes_new ? "second" : "first");
  if (takes_new) {
    complain(other.with_log(
        [&](log::Log& log) { return directories_.retire(*other.directory(), loaded.partition, log, false); }));
  } else {
    complain(directories_.retire(*loaded.directory, loaded.partition, *loaded.log, false));
  }
  return takes_new;
}

void ReplicaSet::adopt_future(const metadata::MetadataImage& image, log::LoadedLog& loaded) {
  const auto& [name, index] = loaded.partition;
  const auto* topic = image.topics->find(name);
  const auto* registration = topic == nullptr ? nullptr : topic->partition(index);
  const bool is_ours = registration != nullptr && registration->has_replica(broker_id_) &&
                       (!loaded.topic_id || *loaded.topic_id == topic->id);
  const auto partition = is_ours ? find(topic->id, index) : nullptr;
  if (is_ours && !partition && directories_.find(registration->directory_of(broker_id_)) == loaded.directory) {
    runtime::log_info(logger, "{}-{}: the log that was on its way to {} takes its place", name, index,
                      loaded.directory->path);
    complain(directories_.promote_alone(loaded.partition, *loaded.directory, *loaded.log));
    add(std::make_shared<Partition>(topic->name, topic->id, index, broker_id_, loaded.directory,
                                    std::move(loaded.log)));
    return;
  }
  if (partition && partition->directory() != loaded.directory && !partition->is_moving()) {
    // After a crash the two may differ in what was never synced: it is copied anew.
    const auto start = partition->log_start_offset();
    const auto ready =
        loaded.directory->clean_shutdown ? runtime::Status{} : loaded.log->truncate_fully_and_start_at(start);
    complain(ready);
    if (ready) {
      partition->set_future({loaded.directory, std::move(loaded.log)});
      return;
    }
  }
  complain(directories_.discard(*loaded.directory, loaded.partition, *loaded.log));
}

void ReplicaSet::tell_directory(const metadata::PartitionRegistration& registration, const Partition& partition) {
  if (!directory_chosen_ || directories_.all().size() < 2) return;
  const auto& id = partition.directory()->id;
  if (registration.directory_of(broker_id_) != id && partition.directory()->online) {
    directory_chosen_(partition.topic_id(), partition.index(), id);
  }
}

}  // namespace dohle::replica
