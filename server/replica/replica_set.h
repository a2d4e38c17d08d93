// All partitions that this broker hosts, and how metadata changes become logs. Source: kafka.server.ReplicaManager.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codec/uuid.h"
#include "protocol/error_code.h"
#include "server/config/broker_config.h"
#include "server/log/log_directories.h"
#include "server/metadata/metadata_image.h"
#include "server/replica/partition.h"
#include "server/runtime/snapshot.h"

namespace dohle::replica {

struct HostedPartition {
  /// none with a partition; UNKNOWN_TOPIC_OR_PARTITION, or NOT_LEADER_OR_FOLLOWER where the metadata has the partition
  /// and this broker does not.
  protocol::ErrorCode error = protocol::ErrorCode::none;
  std::shared_ptr<Partition> partition;
};

/// Lookups from any thread; apply() and the rest from the thread that applies metadata (the controller's home, or the
/// main thread at start and stop).
class ReplicaSet {
 public:
  /// All outlive the set.
  ReplicaSet(std::int32_t broker_id, log::LogDirectories& directories,
             const runtime::Snapshot<config::BrokerConfig>& config);

  HostedPartition find(const metadata::MetadataImage& image, std::string_view topic, std::int32_t partition) const;
  /// nullptr where this broker has no such replica.
  std::shared_ptr<Partition> find(const codec::Uuid& topic_id, std::int32_t partition) const;
  void for_each(const std::function<void(const std::shared_ptr<Partition>&)>& visit) const;
  std::size_t size() const;
  const log::LogDirectories& directories() const { return directories_; }

  /// Takes over the logs that were loaded, in the state that `image` gives them. Logs of topics that are gone, or that
  /// this broker is no replica of, become strays. Logs that the image knows and no directory has are created.
  void start(const metadata::MetadataImage& image, std::vector<log::LoadedLog> logs);
  /// Follows a commit: creates, changes and deletes what the topics in `changed` say.
  void apply(const metadata::MetadataImage& image, const std::vector<codec::Uuid>& changed);
  /// The broker's own log configuration changed: every topic's is computed again.
  void reconfigure(const metadata::MetadataImage& image);

  // --- Moves between log directories (KIP-113, KIP-858)
  // ---------------------------------------------------------------
  /// AlterReplicaLogDirs for one replica: begins a move to the directory of this path, ends one that goes elsewhere, or
  /// does nothing where it is there already. A replica that is not there yet will be made in that directory.
  protocol::ErrorCode alter_log_directory(const metadata::MetadataImage& image, const log::TopicPartition& partition,
                                          const std::string& path);
  /// The future log takes over, after the controller has noted the directory. False: copy more first.
  bool promote(Partition& partition);
  /// Ends the move of a replica; what was copied goes.
  void end_move(Partition& partition);
  /// Told of each replica whose directory the metadata does not know, or knows otherwise; from the thread that applies
  /// metadata. Without a listener nobody asks the controller.
  using DirectoryListener =
      std::function<void(const codec::Uuid& topic_id, std::int32_t partition, const codec::Uuid& directory)>;
  void on_directory_chosen(DirectoryListener listener) { directory_chosen_ = std::move(listener); }

  /// A log of the partition's directory failed: every partition in the directory goes offline, with one line, and the
  /// listener is told. Any thread.
  void report_disk_failure(Partition& partition, const std::string& message);
  void on_directory_failure(std::function<void(log::LogDirectory&)> listener) {
    directory_failed_ = std::move(listener);
  }

 private:
  using Partitions = std::vector<std::shared_ptr<Partition>>;  // by index; null where not hosted
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<codec::Uuid, Partitions> topics;
  };
  static constexpr std::size_t shard_count = 64;

  Shard& shard_of(const codec::Uuid& topic_id);
  const Shard& shard_of(const codec::Uuid& topic_id) const;
  std::shared_ptr<const config::LogConfig> log_config_of(const metadata::MetadataImage& image,
                                                         const std::string& topic) const;
  void add(std::shared_ptr<Partition> partition);
  /// What a change of the metadata means for one replica: perhaps a new log, and its state.
  struct Change {
    const metadata::TopicImage* topic = nullptr;
    const metadata::PartitionRegistration* registration = nullptr;
    std::int32_t index = 0;
    std::shared_ptr<const config::LogConfig> config;
    std::shared_ptr<Partition> partition;    // null: to be made
    log::LogDirectory* directory = nullptr;  // where; null: no directory is online
    std::string failure;                     // why it could not be made
    std::string disk_failure;                // why it could not take its state
  };
  void add_changes(const metadata::MetadataImage& image, const metadata::TopicImage& topic,
                   std::vector<Change>& changes);
  /// Many at once, since each syncs some small files.
  void apply_changes(std::vector<Change>& changes);
  void apply_change(Change& change) const;
  void adopt(const metadata::MetadataImage& image, std::vector<log::LoadedLog> logs);
  void remove_topic(const codec::Uuid& topic_id);
  /// Two current logs of one partition: true if the new one is to be taken, the other goes.
  bool settle_duplicate(const metadata::PartitionRegistration& registration, Partition& other, log::LoadedLog& loaded);
  void adopt_future(const metadata::MetadataImage& image, log::LoadedLog& loaded);
  void tell_directory(const metadata::PartitionRegistration& registration, const Partition& partition);

  const std::int32_t broker_id_;
  log::LogDirectories& directories_;
  const runtime::Snapshot<config::BrokerConfig>& config_;
  std::function<void(log::LogDirectory&)> directory_failed_;
  DirectoryListener directory_chosen_;
  /// Where replicas go that are not there yet, by what AlterReplicaLogDirs said.
  std::map<log::TopicPartition, log::LogDirectory*> preferred_;
  std::array<Shard, shard_count> shards_;
};

}  // namespace dohle::replica
