// Builds the producers' state from batches that are in the log already.
// Follows Kafka's UnifiedLog.rebuildProducerState and LogSegment.updateProducerState.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "server/log/batch_scanner.h"
#include "server/log/log_segment.h"
#include "server/log/producer_snapshot_files.h"
#include "server/log/producer_state.h"
#include "server/runtime/result.h"

namespace dohle::log {

/// Takes one stored batch (that of the scanner's last next()) into the state. The transactions that it aborted.
runtime::Result<std::vector<AbortedTransaction>> replay_producer(ProducerState& state, const BatchHeader& header,
                                                                 BatchScanner& scanner);

/// What the producer state has to know of a batch; of a control batch `bytes` is needed too.
ProducerAppend producer_append(const BatchHeader& header, codec::Bytes bytes);

struct ProducerRebuild {
  const std::vector<std::shared_ptr<LogSegment>>& segments;
  std::int64_t log_start = 0;
  std::int64_t end_offset = 0;
  std::int64_t now_ms = 0;
  /// The broker stopped in order: without any snapshot there were no producers, and nothing is read.
  bool clean_shutdown = false;
};

/// Makes the state what it was at the end offset: from the latest snapshot, and the batches since.
runtime::Status rebuild_producer_state(ProducerState& state, ProducerSnapshotFiles& snapshots,
                                       const ProducerRebuild& rebuild);

}  // namespace dohle::log
