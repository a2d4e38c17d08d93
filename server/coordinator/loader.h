// Reads a partition's log into a fresh shard. Source: CoordinatorLoaderImpl.
#pragma once

#include <atomic>
#include <cstdint>

#include "server/coordinator/partition_log.h"
#include "server/coordinator/shard.h"
#include "server/runtime/result.h"

namespace dohle::coordinator {

struct LoadSummary {
  std::int64_t records = 0;
  std::int64_t bytes = 0;
  /// The log end that the shard knows: the first offset that it has not seen.
  std::int64_t next_offset = 0;
};

/// Replays everything from the log's start to its end. Blocks: from the disk pool. `cancelled` ends it early (closed).
/// corrupt: what Kafka's loader falls over as well, with one line that says where.
runtime::Result<LoadSummary> load_shard(PartitionLog& log, Shard& shard, std::int32_t buffer_bytes,
                                        const std::atomic<bool>& cancelled);

}  // namespace dohle::coordinator
