// Writes a batch anew with another compression, record by record through bounded windows.
// Follows LogValidator.buildRecordsAndAssignOffsets and the MemoryRecordsBuilder under it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "codec/bytes.h"
#include "codec/compression.h"
#include "protocol/record_batch.h"

namespace dohle::log {

struct RebuildOptions {
  codec::Compression compression = codec::Compression::none;
  std::optional<int> compression_level;
  protocol::TimestampType timestamp_type = protocol::TimestampType::create_time;
  /// Of the rebuilt batch.
  std::int64_t max_timestamp = protocol::no_timestamp;
  /// Of the rebuilt batch, header and all.
  std::size_t size_bytes_max = 0;
};

enum class RebuildOutcome {
  done,
  too_large,
  /// Kafka's builder refuses: a timestamp below -1, a transaction without producer id, a producer id without epoch.
  refused,
};

/// `batch` was scanned in full without an error. Records get the offsets 0, 1, 2, ...; attributes of records and a
/// delete horizon are not taken over. Base offset 0, no leader epoch. `rebuilt` is of use only when done. Takes as long
/// as inflating and deflating take; memory is the result and the codecs' windows.
RebuildOutcome rebuild_batch(const protocol::RecordBatch& batch, const RebuildOptions& options, codec::Blob& rebuilt);

}  // namespace dohle::log
