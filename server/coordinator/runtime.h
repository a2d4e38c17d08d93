// Runs the shards of one coordinator (groups, transactions) on this broker: which partitions it leads, loading and
// unloading them, operations on them. Every partition has a home reactor and is touched only there.
// Source: org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime.
//
//   runtime.write<OffsetCommitResponse>(
//       partition,
//       [request](GroupShard& shard, const OperationContext& context, Reply<OffsetCommitResponse> reply) {
//         return shard.commit_offsets(context, request, std::move(reply));
//       },
//       std::move(reply), [](ErrorCode error) { return refusal(error); });
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codec/compression.h"
#include "codec/uuid.h"
#include "server/coordinator/operation.h"
#include "server/coordinator/partition_log.h"
#include "server/coordinator/shard_host.h"
#include "server/metadata/metadata_image.h"
#include "server/runtime/clock.h"
#include "server/runtime/disk_pool.h"
#include "server/runtime/reactor.h"
#include "server/runtime/snapshot.h"

namespace dohle::coordinator {

struct RuntimeOptions {
  /// The internal topic.
  std::string topic;
  /// Kafka's class for log lines.
  std::string logger;
  std::int32_t node_id = -1;
  /// How many partitions the topic would have if it does not exist yet.
  std::int32_t default_partitions = 50;
  codec::Compression compression = codec::Compression::none;
  /// Of the batches. Kafka's group coordinator writes 0, its transaction coordinator -1.
  std::int32_t base_sequence = 0;
  std::int32_t load_buffer_bytes = 5 * 1024 * 1024;
};

class ShardRuntime {
 public:
  /// Makes an empty shard; called on the partition's home thread. The timers outlive the shard.
  using ShardFactory = std::function<std::unique_ptr<Shard>(std::int32_t partition, Timers& timers)>;

  /// All references outlive the runtime.
  ShardRuntime(RuntimeOptions options, runtime::ReactorPool& reactors, runtime::DiskPool& disk_pool, PartitionLogs logs,
               const runtime::Snapshot<metadata::MetadataImage>& image, const runtime::Clock& clock,
               ShardFactory factory);
  ShardRuntime(const ShardRuntime&) = delete;
  ShardRuntime& operator=(const ShardRuntime&) = delete;

  /// The thread that applies metadata, after each commit (and once at start with no changes): starts and ends
  /// partitions as the image says who leads them, and tells the shards which of the `changed` topics are gone. The
  /// replicas have heard of the image before.
  void image_changed(const metadata::ImagePointer& image, const std::vector<codec::Uuid>& changed);
  /// Ends all partitions, so that no request stays parked. While the reactors run; nothing may come after it but
  /// operations, which are refused.
  void stop();

  /// Any thread. Runs here and now if this is the home thread, which it must not do from inside an operation.
  void run(std::int32_t partition, std::unique_ptr<Operation> operation);

  /// For WriteTxnMarkers on a partition of this coordinator's own topic. `done` on the home thread: none when the
  /// marker is committed; NOT_COORDINATOR or COORDINATOR_LOAD_IN_PROGRESS (which that API answers as
  /// NOT_LEADER_OR_FOLLOWER); or the log's own error.
  void complete_transaction(std::int32_t partition, const protocol::EndTransactionMarker& marker,
                            std::int16_t transaction_version, Completion done);

  /// Utils.abs(hash) modulo the number of partitions that the topic has; the default while it does not exist.
  std::int32_t partition_for(std::string_view id) const;
  /// Those that this broker leads, by the newest image. For operations on everything: one run() for each.
  std::vector<std::int32_t> led_partitions() const;
  const std::string& topic() const { return options_.topic; }

 private:
  /// On one reactor: its partitions.
  struct Home {
    std::unordered_map<std::int32_t, std::shared_ptr<ShardHost>> hosts;
    bool stopped = false;
  };

  runtime::Reactor& reactor_of(std::int32_t partition);
  Home& home_of(std::int32_t partition);
  void on_home(std::int32_t partition, runtime::Reactor::Work work);
  void elected(std::int32_t partition, std::int32_t leader_epoch);
  void resigned(std::int32_t partition);
  void load(std::int32_t partition, std::int32_t leader_epoch);
  void unload(std::int32_t partition);
  std::vector<metadata::TopicPointer> deleted_topics(const metadata::MetadataImage& image,
                                                     const std::vector<codec::Uuid>& changed) const;

  const RuntimeOptions options_;
  runtime::ReactorPool& reactors_;
  runtime::DiskPool& disk_pool_;
  const PartitionLogs logs_;
  const runtime::Snapshot<metadata::MetadataImage>& image_;
  const runtime::Clock& clock_;
  const ShardFactory factory_;
  std::vector<std::unique_ptr<Home>> homes_;  // by reactor; each touched by its reactor only
  // The thread that applies metadata only:
  metadata::ImagePointer last_image_;
  std::map<std::int32_t, std::int32_t> led_;  // partition to leader epoch
};

/// The same with the type of its shards.
template <typename S>
class Runtime : public ShardRuntime {
 public:
  using ShardRuntime::ShardRuntime;

  /// Any thread; the reply comes on the home thread. Reads are operations without records: their completions wait
  /// until what they saw is committed.
  template <typename Response, typename Function, typename Failed>
  void write(std::int32_t partition, Function function, Reply<Response> reply, Failed failed) {
    using Request = RequestOperation<S, Response, Function, Failed>;
    run(partition, std::make_unique<Request>(std::move(function), std::move(reply), std::move(failed)));
  }
};

}  // namespace dohle::coordinator
