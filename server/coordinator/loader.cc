#include "server/coordinator/loader.h"

#include <fmt/core.h>

#include "protocol/control_record.h"
#include "protocol/record.h"
#include "protocol/record_batch.h"
#include "protocol/record_entry.h"

namespace dohle::coordinator {

namespace {

using runtime::ErrorKind;
using runtime::failure;

/// What a batch of a coordinator's topic may inflate to. Kafka has no limit; a batch here is at most
/// max.message.bytes large, and zeros inflate a thousandfold.
constexpr std::size_t inflated_bytes_max = std::size_t{1} << 30;

codec::Blob to_blob(codec::Bytes bytes) {
  return {bytes.begin(), bytes.end()};
}

void replay_marker(const protocol::RecordBatch& batch, const protocol::Record& record, Shard& shard) {
  if (!record.key) return;
  const auto type = protocol::parse_control_record_key(*record.key);
  if (type == protocol::ControlRecordType::commit || type == protocol::ControlRecordType::abort) {
    shard.replay_end_transaction(batch.producer_id(), batch.producer_epoch(),
                                 type == protocol::ControlRecordType::commit);
  }
}

runtime::Status replay_batch(const protocol::RecordBatch& batch, Shard& shard, LoadSummary& summary) {
  protocol::RecordReader reader(batch, inflated_bytes_max);
  protocol::Record record;
  while (reader.next(record)) {
    ++summary.records;
    if (batch.is_control()) {
      replay_marker(batch, record, shard);
      continue;
    }
    if (!record.key)
      return failure(ErrorKind::corrupt, fmt::format("the record at offset {} has no key", record.offset));
    Record replayed{to_blob(*record.key), {}};
    if (record.value) replayed.value = to_blob(*record.value);
    DOHLE_RETURN_IF_ERROR(shard.replay(replayed, record.offset, batch.producer_id(), batch.producer_epoch()));
  }
  if (reader.error() != protocol::RecordsError::none) {
    return failure(ErrorKind::corrupt, fmt::format("the batch at offset {} cannot be read", batch.base_offset()));
  }
  return {};
}

/// Replays the batches of one read; moves `summary.next_offset` behind them.
runtime::Status replay_bytes(codec::Bytes bytes, Shard& shard, LoadSummary& summary) {
  std::size_t position = 0;
  while (position < bytes.size()) {
    const auto entry = protocol::next_entry(bytes.subspan(position));
    if (entry.status == protocol::EntryStatus::incomplete) break;  // the rest comes with the next read
    const auto batch = entry.complete() ? entry.batch() : std::nullopt;
    if (!batch) {
      return failure(ErrorKind::corrupt,
                     fmt::format("no record batch of format 2 behind offset {}", summary.next_offset));
    }
    DOHLE_RETURN_IF_ERROR(replay_batch(*batch, shard, summary));
    summary.next_offset = batch->last_offset() + 1;
    position += entry.bytes.size();
  }
  summary.bytes += static_cast<std::int64_t>(position);
  return {};
}

}  // namespace

runtime::Result<LoadSummary> load_shard(PartitionLog& log, Shard& shard, std::int32_t buffer_bytes,
                                        const std::atomic<bool>& cancelled) {
  LoadSummary summary;
  summary.next_offset = log.log_start_offset();
  while (summary.next_offset < log.log_end_offset()) {
    if (cancelled.load(std::memory_order_acquire)) return failure(ErrorKind::closed, "the loading was cancelled");
    auto bytes = log.read(summary.next_offset, buffer_bytes);
    if (!bytes) return std::unexpected(std::move(bytes.error()));
    const auto before = summary.next_offset;
    DOHLE_RETURN_IF_ERROR(replay_bytes(*bytes, shard, summary));
    // Compaction may have left no batch up to the end.
    if (summary.next_offset == before) break;
  }
  summary.next_offset = log.log_end_offset();
  return summary;
}

}  // namespace dohle::coordinator
