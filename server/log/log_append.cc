// Appending and rolling: the writing half of Log. Follows UnifiedLog.append, maybeRoll and LocalLog.roll.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "protocol/error_code.h"
#include "server/log/batch_scanner.h"
#include "server/log/log.h"
#include "server/log/producer_replay.h"
#include "server/runtime/check.h"

namespace dohle::log {

using protocol::ErrorCode;
using runtime::ErrorKind;
using runtime::Result;
using runtime::Status;

/// What the headers of an append say together. The headers themselves are in Log::headers_.
struct Log::ParsedBatches {
  std::size_t size_bytes = 0;  // of the whole batches that are taken
  std::int64_t max_timestamp_ms = no_timestamp;
  std::int64_t first_offset = -1;
  std::int64_t last_offset = -1;
};

namespace {

AppendResult rejected(ErrorCode error, std::string message) {
  AppendResult result;
  result.error = error;
  result.message = std::move(message);
  return result;
}

/// The producers' part of each batch; offsets must be in the headers.
std::vector<ProducerAppend> producer_appends(const std::vector<BatchHeader>& headers, codec::Bytes batches) {
  std::vector<ProducerAppend> appends;
  std::size_t position = 0;
  for (const BatchHeader& header : headers) {
    if (header.has_producer_id()) appends.push_back(producer_append(header, batches.subspan(position)));
    position += header.size_bytes;
  }
  return appends;
}

}  // namespace

Result<AppendResult> Log::append_as_leader(const LeaderAppend& append) {
  CHECK(!closed_);
  headers_.clear();
  ParsedBatches parsed;
  parsed.first_offset = log_end_offset();
  std::int64_t next_offset = parsed.first_offset;
  while (parsed.size_bytes < append.batches.size()) {
    auto header = BatchHeader::read(append.batches.subspan(parsed.size_bytes));
    if (!header || header->size_bytes > append.batches.size() - parsed.size_bytes) {
      return rejected(ErrorCode::corrupt_message, "the records are no whole batches");
    }
    if (header->magic != 2 || header->last_offset_delta < 0) {
      return rejected(ErrorCode::invalid_record, "the batch has an old format or a negative last offset delta");
    }
    stamp(append.batches.subspan(parsed.size_bytes), next_offset, append.leader_epoch);
    header->base_offset = next_offset;
    header->leader_epoch = append.leader_epoch;
    next_offset = header->next_offset();
    parsed.size_bytes += header->size_bytes;
    parsed.max_timestamp_ms = std::max(parsed.max_timestamp_ms, header->max_timestamp_ms);
    headers_.push_back(*header);
  }
  if (headers_.empty()) return rejected(ErrorCode::invalid_record, "there is no batch to append");
  parsed.last_offset = next_offset - 1;
  const auto producers = producer_appends(headers_, append.batches);
  const ProducerUpdate update = producers_.check(producers, append.origin, append.guard, append.transaction_version);
  return this->append(append.batches, append.origin, parsed, update);
}

Result<AppendResult> Log::append_raw(const RawAppend& append) {
  CHECK(!closed_);
  headers_.clear();
  ParsedBatches parsed;
  std::int64_t last_offset = log_end_offset() - 1;
  while (parsed.size_bytes < append.batches.size()) {
    const codec::Bytes rest = append.batches.subspan(parsed.size_bytes);
    const auto header = BatchHeader::read(rest);
    // A leader's answer may end in the middle of a batch.
    if (!header && rest.size() < BatchHeader::v2_bytes) break;
    if (!header) return rejected(ErrorCode::corrupt_message, "the records are no batches");
    if (header->size_bytes > rest.size()) break;
    if (append.origin == AppendOrigin::raft_leader && header->leader_epoch != append.leader_epoch) {
      return rejected(ErrorCode::invalid_record, "a batch does not have the leader's epoch");
    }
    if (append.origin == AppendOrigin::replication && header->leader_epoch > append.leader_epoch) break;
    if (header->base_offset <= last_offset || header->last_offset_delta < 0) {
      return rejected(ErrorCode::invalid_record,
                      fmt::format("offset {} comes after {}", header->base_offset, last_offset));
    }
    if (!batch_crc_is_right(*header, rest)) return rejected(ErrorCode::corrupt_message, "a batch has a wrong CRC");
    last_offset = header->last_offset();
    parsed.size_bytes += header->size_bytes;
    parsed.max_timestamp_ms = std::max(parsed.max_timestamp_ms, header->max_timestamp_ms);
    headers_.push_back(*header);
  }
  if (headers_.empty()) return AppendResult{};
  parsed.first_offset = headers_.front().base_offset;
  parsed.last_offset = last_offset;
  const codec::Bytes batches = append.batches.subspan(0, parsed.size_bytes);
  const ProducerUpdate update = producers_.check(producer_appends(headers_, batches), append.origin);
  return this->append(batches, append.origin, parsed, update);
}

Result<AppendResult> Log::append(codec::Bytes batches, AppendOrigin, const ParsedBatches& parsed,
                                 const ProducerUpdate& update) {
  if (update.error != ErrorCode::none) return rejected(update.error, update.message);
  AppendResult result;
  if (update.duplicate) {
    result.duplicate = true;
    result.first_offset = update.duplicate->first_offset();
    result.last_offset = update.duplicate->last_offset;
    result.duplicate_timestamp_ms = update.duplicate->timestamp_ms;
    return result;
  }
  if (std::cmp_greater(parsed.size_bytes, options_.config.segment_bytes)) {
    return rejected(ErrorCode::record_list_too_large,
                    fmt::format("{} bytes in one append are more than the segment size {}", parsed.size_bytes,
                                options_.config.segment_bytes));
  }
  const auto rolled = roll_if_needed(parsed);
  if (!rolled) return std::unexpected(rolled.error());
  bool epochs_changed = false;
  for (const BatchHeader& header : headers_) {
    if (header.magic >= 2) epochs_changed = epochs_.assign(header.leader_epoch, header.base_offset) || epochs_changed;
  }
  if (epochs_changed) {
    if (Status status = write_epochs(); !status) return std::unexpected(std::move(status.error()));
  }
  const auto list = segments_.load();
  if (Status status = list->active().append(batches, headers_, update.aborted); !status) {
    return std::unexpected(std::move(status.error()));
  }
  producers_.apply(update);
  producers_.set_end_offset(parsed.last_offset + 1);
  // Before the end, and so before the high watermark: no reader may pass the first record of an open transaction.
  publish_first_unstable();
  publish_end(parsed.last_offset + 1);
  result.first_offset = parsed.first_offset;
  result.last_offset = parsed.last_offset;
  result.rolled = *rolled;
  result.flush_due = unflushed_records() >= options_.config.flush_messages;
  return result;
}

Result<bool> Log::roll_if_needed(const ParsedBatches& parsed) {
  const auto list = segments_.load();
  LogSegment& active = list->active();
  RollRequest request;
  request.segment_ms = options_.config.max_segment_ms();
  request.segment_bytes = options_.config.segment_bytes;
  request.append_bytes = static_cast<std::int64_t>(parsed.size_bytes);
  request.max_timestamp_ms = parsed.max_timestamp_ms;
  request.last_offset = parsed.last_offset;
  request.now_ms = now_ms();
  const auto should = active.should_roll(request);
  if (!should || !*should) return should;
  // An empty segment with the right base can take the batch whatever the reason was.
  if (active.base_offset() == parsed.first_offset) return false;
  if (Status status = roll_at(parsed.first_offset); !status) return std::unexpected(std::move(status.error()));
  return true;
}

Status Log::roll() {
  if (segments_.load()->active().base_offset() == log_end_offset()) return {};
  return roll_at(log_end_offset());
}

Status Log::roll_at(std::int64_t base_offset) {
  const auto list = segments_.load();
  LogSegment& active = list->active();
  DOHLE_RETURN_IF_ERROR(active.finish());
  // The snapshot of where the new segment begins; it is synced with the segment before.
  producers_.set_end_offset(base_offset);
  auto snapshot = snapshots_.take(producers_, false);
  if (!snapshot) return std::unexpected(std::move(snapshot.error()));
  if (*snapshot) unsynced_snapshots_.push_back(std::move(**snapshot));
  // Last, and undone where it fails: appends would go on in the segment before, and an empty one of this name would be
  // taken for the end of the log when it is opened again.
  auto created = LogSegment::create(place(base_offset));
  if (!created) {
    for (const auto suffix : {log_suffix, offset_index_suffix, time_index_suffix}) {
      Status removed = options_.directory->remove(segment_file_name(base_offset, suffix));
      if (!removed && removed.error().kind != ErrorKind::not_found)
        return runtime::failure(ErrorKind::io, removed.error().message);
    }
    return std::unexpected(std::move(created.error()));
  }
  std::vector<std::shared_ptr<LogSegment>> segments = list->all();
  segments.back() = LogSegment::closed(active.place(), active.file_sizes());
  segments.push_back(std::move(*created));
  publish_segments(std::move(segments));
  // The position of the end is in the new segment now.
  publish_end(log_end_offset());
  return {};
}

}  // namespace dohle::log
