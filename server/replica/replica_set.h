// All partitions that this broker hosts, and how metadata changes become logs. Source: kafka.server.ReplicaManager.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
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
  void apply_topic(const metadata::MetadataImage& image, const metadata::TopicImage& topic);
  void adopt(const metadata::MetadataImage& image, std::vector<log::LoadedLog> logs);
  runtime::Result<std::shared_ptr<Partition>> create(const metadata::TopicImage& topic, std::int32_t index,
                                                     const codec::Uuid& directory_id, const config::LogConfig& config);
  void remove_topic(const codec::Uuid& topic_id);

  const std::int32_t broker_id_;
  log::LogDirectories& directories_;
  const runtime::Snapshot<config::BrokerConfig>& config_;
  std::function<void(log::LogDirectory&)> directory_failed_;
  std::array<Shard, shard_count> shards_;
};

}  // namespace dohle::replica
