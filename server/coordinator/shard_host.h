// One partition of a coordinator on this broker: its shard, its log, its timers, and the answers that wait for the high
// watermark. Source: CoordinatorRuntime.CoordinatorContext.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "codec/compression.h"
#include "protocol/control_record.h"
#include "server/coordinator/operation.h"
#include "server/coordinator/partition_log.h"
#include "server/coordinator/reactor_timers.h"
#include "server/coordinator/shard.h"
#include "server/metadata/metadata_image.h"
#include "server/runtime/clock.h"
#include "server/runtime/reactor.h"
#include "server/runtime/snapshot.h"

namespace dohle::coordinator {

enum class HostState : std::uint8_t { loading, active, failed, unloaded };

/// Everything on the home reactor's thread, but for what says otherwise.
class ShardHost : public std::enable_shared_from_this<ShardHost> {
 public:
  struct Options {
    /// "__consumer_offsets-7", for log lines.
    std::string name;
    std::string logger;
    codec::Compression compression = codec::Compression::none;
    std::int32_t base_sequence = 0;
    std::int32_t leader_epoch = 0;
  };
  using MakeShard = std::function<std::unique_ptr<Shard>(Timers&)>;

  ShardHost(Options options, runtime::Reactor& home, std::shared_ptr<PartitionLog> log,
            const runtime::Snapshot<metadata::MetadataImage>& image, const runtime::Clock& clock,
            const MakeShard& make_shard);

  std::int32_t leader_epoch() const { return options_.leader_epoch; }
  HostState state() const { return state_; }

  /// In the disk pool, while the state is loading; nobody else touches the shard then. Posts the end to the home.
  void load(std::int32_t buffer_bytes);
  /// The shard cannot be loaded: everything is refused from now on.
  void fail() { state_ = HostState::failed; }
  /// Answers everything that waits with NOT_COORDINATOR.
  void unload();

  void run(Operation& operation);
  void topics_deleted(const std::vector<metadata::TopicPointer>& topics);
  /// Writes a marker of the coordinator's own topic and lets its transaction take effect; `done` when it is committed,
  /// or with the log's error as it is.
  void complete_transaction(const protocol::EndTransactionMarker& marker, std::int16_t transaction_version,
                            Completion done);

 private:
  struct Waiting {
    std::int64_t offset;
    std::vector<Completion> completions;
  };

  void finish_load(runtime::Result<std::int64_t> next_offset);
  void fire(const TimerKey& key);
  OperationContext context() const;
  /// Keeps the image that an operation sees alive.
  void refresh();
  void finish(Outcome outcome, std::int64_t now_ms);
  protocol::ErrorCode append(const Outcome& outcome, std::int64_t now_ms);
  protocol::ErrorCode append_batch(const Outcome& outcome, std::size_t begin, std::size_t end, std::int64_t now_ms);
  void complete_when_committed(std::vector<Completion> completions);
  void high_watermark_moved();

  const Options options_;
  runtime::Reactor& home_;
  const std::shared_ptr<PartitionLog> log_;
  const runtime::Snapshot<metadata::MetadataImage>& image_;
  const runtime::Clock& clock_;
  ReactorTimers timers_;
  std::unique_ptr<Shard> shard_;
  metadata::ImagePointer current_image_;
  HostState state_ = HostState::loading;
  std::atomic<bool> cancelled_{false};
  /// The first offset that is not in the shard.
  std::int64_t next_offset_ = 0;
  std::deque<Waiting> waiting_;  // by offset
};

}  // namespace dohle::coordinator
