// What the runtime needs of a replicated partition; replica::Partition stands behind it, and a fake one in tests.
// Source: org.apache.kafka.coordinator.common.runtime.PartitionWriter.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "codec/bytes.h"
#include "protocol/control_record.h"
#include "protocol/error_code.h"
#include "server/log/producer_state.h"
#include "server/runtime/result.h"

namespace dohle::coordinator {

struct AppendedBatch {
  protocol::ErrorCode error = protocol::ErrorCode::none;
  std::int64_t first_offset = -1;
  std::int64_t last_offset = -1;
};

/// Any thread, unless said otherwise.
class PartitionLog {
 public:
  virtual ~PartitionLog() = default;

  /// Appends one batch of the coordinator's own. `leader_epoch` is the one the shard was loaded in: a newer one makes
  /// NOT_LEADER_OR_FOLLOWER. `guard` is that of a transactional batch. Base offset and epoch are stamped in place.
  virtual AppendedBatch append(codec::MutableBytes batch, std::int32_t leader_epoch, log::VerificationGuard guard) = 0;
  /// Appends a transaction marker; `transaction_version` as WriteTxnMarkers v2 says it. Errors are Log::append's.
  virtual AppendedBatch append_marker(const protocol::EndTransactionMarker& marker, std::int16_t transaction_version,
                                      std::int32_t leader_epoch) = 0;
  /// Largest batch that the topic takes (max.message.bytes).
  virtual std::int32_t batch_bytes_max() const = 0;

  virtual std::int64_t log_start_offset() const = 0;
  virtual std::int64_t log_end_offset() const = 0;
  virtual std::int64_t high_watermark() const = 0;
  /// Calls `moved` on the thread of whoever moves the high watermark, under no lock; until the next call of
  /// set_listener. It must only post.
  virtual void set_listener(std::function<void()> moved) = 0;
  /// Whole batches from the one that holds `offset` on, up to about `size_bytes_max` (more if one batch is larger);
  /// empty at the end. Blocks: from the disk pool.
  virtual runtime::Result<codec::Blob> read(std::int64_t offset, std::int32_t size_bytes_max) = 0;
};

/// Finds the partition of the coordinator's topic that this broker leads; nullptr if there is none. Any thread.
using PartitionLogs = std::function<std::shared_ptr<PartitionLog>(std::int32_t partition)>;

}  // namespace dohle::coordinator
