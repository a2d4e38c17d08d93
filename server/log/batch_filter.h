// Writes a batch again with some of its records. Follows MemoryRecords.filterTo: offsets, sequences and the last offset
// stay as they were; a batch whose records all stay is copied byte for byte.
#pragma once

#include <cstdint>
#include <functional>

#include "codec/bytes.h"
#include "protocol/record.h"
#include "server/log/batch_header.h"
#include "server/runtime/result.h"

namespace dohle::log {

struct FilterRules {
  /// No record stays.
  bool discard_records = false;
  /// The batch stays even without records, for its producer's state or the log's end.
  bool retain_empty = false;
  /// A marker whose transaction has no data left: it gets a delete horizon, if it has none (KIP-534).
  bool marker_of_empty_transaction = false;
  /// now + delete.retention.ms, for a batch that gets one.
  std::int64_t new_delete_horizon_ms = 0;
};

struct FilteredBatch {
  /// What is to be written: the batch as it was, `rebuilt`, or nothing.
  codec::Bytes bytes;
  std::int64_t records_read = 0;
  std::int64_t records_retained = 0;
};

/// `batch` is one whole batch of format 2. `keep` is asked for each record unless discard_records. `rebuilt` holds what
/// the result may point at. `corrupt` if records can't be read.
runtime::Result<FilteredBatch> filter_batch(codec::Bytes batch, const FilterRules& rules,
                                            const std::function<bool(const protocol::Record&)>& keep,
                                            codec::Blob& rebuilt);

}  // namespace dohle::log
