#include "server/log/producer_replay.h"

#include <algorithm>
#include <set>

#include "server/log/segment_list.h"
#include "server/log/transaction_marker.h"

namespace dohle::log {

using runtime::Result;
using runtime::Status;

ProducerAppend producer_append(const BatchHeader& header, codec::Bytes bytes) {
  ProducerAppend append;
  append.producer_id = header.has_producer_id() ? header.producer_id : no_producer_id;
  append.producer_epoch = header.producer_epoch;
  append.base_sequence = header.base_sequence;
  append.base_offset = header.base_offset;
  append.last_offset = header.last_offset();
  append.max_timestamp_ms = header.max_timestamp_ms;
  append.transactional = header.transactional();
  append.control = header.control();
  if (append.control && append.producer_id != no_producer_id) append.marker = read_transaction_marker(bytes);
  return append;
}

Result<std::vector<AbortedTransaction>> replay_producer(ProducerState& state, const BatchHeader& header,
                                                        BatchScanner& scanner) {
  std::vector<AbortedTransaction> aborted;
  if (header.has_producer_id()) {
    codec::Blob bytes;
    if (header.control()) {
      auto read = scanner.bytes();
      if (!read) return std::unexpected(std::move(read.error()));
      bytes = std::move(*read);
    }
    const ProducerAppend append = producer_append(header, bytes);
    ProducerUpdate update = state.check({&append, 1}, AppendOrigin::replication);
    // A replica believes what is in the log, with one exception: data outside the transaction that is open. Kafka's
    // loader fails there; such a batch can't have been accepted by a leader, and is passed over here.
    if (static_cast<std::int16_t>(update.error) == 0) state.apply(update);
    aborted = std::move(update.aborted);
  }
  state.set_end_offset(header.next_offset());
  return aborted;
}

namespace {

/// Reads the batches of one segment from `begin_offset` to before `end_offset`.
Status replay_segment(ProducerState& state, const LogSegment& segment, std::int64_t begin_offset,
                      std::int64_t end_offset) {
  const std::uint64_t size = segment.size_bytes();
  const auto first = segment.find(begin_offset, size);
  if (!first) return std::unexpected(first.error());
  if (!*first) return {};
  const auto file = segment.file();
  if (!file) return std::unexpected(file.error());
  BatchScanner scanner(**file, (*first)->position_bytes, size, std::size_t{64} << 10);
  for (;;) {
    const auto header = scanner.next();
    if (!header) return std::unexpected(header.error());
    if (!*header || (*header)->last_offset() >= end_offset) return {};
    const auto aborted = replay_producer(state, **header, scanner);
    if (!aborted) return std::unexpected(aborted.error());
  }
}

}  // namespace

Status rebuild_producer_state(ProducerState& state, ProducerSnapshotFiles& snapshots, const ProducerRebuild& rebuild) {
  const auto& segments = rebuild.segments;
  // Where later truncations want a snapshot to start from.
  std::set<std::int64_t> snapshot_at;
  if (segments.size() >= 2) snapshot_at.insert(segments[segments.size() - 2]->base_offset());
  if (!segments.empty()) snapshot_at.insert(segments.back()->base_offset());
  const auto take = [&]() -> Status {
    const auto taken = snapshots.take(state, true);
    if (!taken) return std::unexpected(taken.error());
    return {};
  };
  if (!snapshots.latest() && rebuild.clean_shutdown) {
    snapshot_at.insert(rebuild.end_offset);
    for (const std::int64_t offset : snapshot_at) {
      state.set_end_offset(offset);
      DOHLE_RETURN_IF_ERROR(take());
    }
    return {};
  }
  const bool was_empty = state.empty() && state.end_offset() >= rebuild.end_offset;
  DOHLE_RETURN_IF_ERROR(snapshots.reload(state, rebuild.log_start, rebuild.end_offset, rebuild.now_ms));
  if (rebuild.end_offset > state.end_offset() && !was_empty) {
    const SegmentList list(segments);
    std::size_t i = list.floor(state.end_offset());
    if (i == list.size()) i = 0;
    for (; i < segments.size() && segments[i]->base_offset() < rebuild.end_offset; ++i) {
      const LogSegment& segment = *segments[i];
      const std::int64_t begin = std::max({segment.base_offset(), state.end_offset(), rebuild.log_start});
      state.set_end_offset(begin);
      if (snapshot_at.contains(segment.base_offset())) DOHLE_RETURN_IF_ERROR(take());
      DOHLE_RETURN_IF_ERROR(replay_segment(state, segment, begin, rebuild.end_offset));
    }
  }
  state.set_end_offset(rebuild.end_offset);
  return take();
}

}  // namespace dohle::log
