#include "server/log/cleaned_transactions.h"

#include <limits>

#include "protocol/control_record.h"
#include "protocol/record.h"
#include "protocol/record_batch.h"

namespace dohle::log {

using protocol::ControlRecordType;

namespace {

constexpr std::size_t marker_bytes_max = 1 << 20;

/// nullopt: the batch has no record any more.
std::optional<ControlRecordType> control_type(codec::Bytes batch) {
  const protocol::RecordBatch view(batch);
  protocol::RecordReader reader(view, marker_bytes_max);
  protocol::Record record;
  if (!reader.next(record)) return std::nullopt;
  return protocol::parse_control_record_key(record.key.value_or(codec::Bytes{})).value_or(ControlRecordType::unknown);
}

}  // namespace

void CleanedTransactions::add(const std::vector<AbortedTransaction>& transactions) {
  for (const AbortedTransaction& transaction : transactions) ahead_.push(transaction);
}

void CleanedTransactions::begin_up_to(std::int64_t offset) {
  while (!ahead_.empty() && ahead_.top().first_offset <= offset) {
    aborted_.try_emplace(ahead_.top().producer_id, Ongoing{ahead_.top()});
    ahead_.pop();
  }
}

CleanedTransactions::Marker CleanedTransactions::pass_control(const BatchHeader& header, codec::Bytes batch) {
  begin_up_to(header.last_offset());
  const auto type = header.record_count > 0 ? control_type(batch) : std::nullopt;
  // One that was emptied before has said all that it had to say.
  if (!type) return {.may_go = true};
  if (*type == ControlRecordType::commit) return {.may_go = committed_.erase(header.producer_id) == 0};
  if (*type != ControlRecordType::abort) return {};
  const auto ongoing = aborted_.find(header.producer_id);
  if (ongoing == aborted_.end()) return {.may_go = true};
  Marker marker{.may_go = !ongoing->second.data_seen};
  if (ongoing->second.data_seen) marker.aborted = ongoing->second.transaction;
  aborted_.erase(ongoing);
  return marker;
}

bool CleanedTransactions::pass(const BatchHeader& header) {
  begin_up_to(header.last_offset());
  if (!header.transactional()) return false;
  const auto ongoing = aborted_.find(header.producer_id);
  if (ongoing == aborted_.end()) {
    committed_.insert(header.producer_id);
    return false;
  }
  ongoing->second.data_seen = true;
  return true;
}

}  // namespace dohle::log
