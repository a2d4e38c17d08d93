// A coordinator's state for one partition of its internal topic: synchronous, without I/O, clock and threads. The
// runtime owns it, and calls it from the partition's home thread only (while it loads: from one thread of the disk
// pool, before anybody else knows it). Source: org.apache.kafka.coordinator.common.runtime.CoordinatorShard.
#pragma once

#include <cstdint>
#include <vector>

#include "server/coordinator/outcome.h"
#include "server/coordinator/record.h"
#include "server/coordinator/timers.h"
#include "server/metadata/metadata_image.h"
#include "server/runtime/result.h"

namespace dohle::coordinator {

/// What an operation is given.
struct OperationContext {
  /// Wall clock, as records carry it.
  std::int64_t now_ms = 0;
  /// The newest metadata; valid during the operation.
  const metadata::MetadataImage& image;
};

class Shard {
 public:
  virtual ~Shard() = default;

  /// The only way in which state changes, but for operations with Outcome::replay = false. `producer_id` is -1 outside
  /// of transactions; inside, the record counts from its marker on. An error (an unknown version, bad bytes) ends the
  /// loading of the partition, as in Kafka; an unknown record type is no error. Records that the shard made itself
  /// never fail.
  virtual runtime::Status replay(const Record& record, std::int64_t offset, std::int64_t producer_id,
                                 std::int16_t producer_epoch) = 0;
  /// The producer's transaction has ended, here and while loading.
  virtual void replay_end_transaction(std::int64_t producer_id, std::int16_t producer_epoch, bool committed) = 0;

  /// The log has been replayed: from now on operations and timers come.
  virtual void loaded(const OperationContext& context) = 0;
  /// No operation comes any more. Replies that are parked must be answered now (NOT_COORDINATOR).
  virtual void unloaded() = 0;

  virtual Outcome on_timer(const TimerKey& key, const OperationContext& context) = 0;
  /// These topics were deleted since the shard heard of metadata last.
  virtual Outcome topics_deleted(const std::vector<metadata::TopicPointer>& topics, const OperationContext& context) {
    (void)topics;
    (void)context;
    return {};
  }
};

}  // namespace dohle::coordinator
