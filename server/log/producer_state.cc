#include "server/log/producer_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "protocol/error_code.h"

namespace dohle::log {

using protocol::ErrorCode;

namespace {

/// Kafka gives a transaction five minutes beyond its timeout before it calls it late.
constexpr std::int64_t late_transaction_buffer_ms = 5 * 60 * 1000;

/// What one append does to one producer. `updated` begins as the current entry without its batches, so that it holds
/// just what is new (ProducerAppendInfo).
struct Judge {
  ProducerEntry current;
  ProducerEntry updated;
  AppendOrigin origin;
  bool verifying = false;  // the producer has a verification entry
  bool supports_epoch_bump = false;
  std::int32_t lowest_sequence = 0;

  struct Verdict {
    ErrorCode error = ErrorCode::none;
    std::string message;
  };

  Verdict check_epoch(const ProducerAppend& batch, std::int16_t transaction_version) const;
  Verdict check_sequence(const ProducerAppend& batch) const;
  Verdict append_data(const ProducerAppend& batch, ProducerUpdate& update);
  Verdict append_marker(const ProducerAppend& batch, std::int16_t transaction_version, ProducerUpdate& update);
};

Judge::Verdict Judge::check_epoch(const ProducerAppend& batch, std::int16_t transaction_version) const {
  const std::int16_t known = updated.epoch;
  const bool strict = transaction_version >= 2;  // KIP-890: each transaction has an epoch of its own
  if (strict ? batch.producer_epoch > known : batch.producer_epoch >= known) return {};
  // The marker of a transaction that is over already is written again without harm.
  if (strict && batch.producer_epoch == known &&
      (!updated.transaction_first_offset || batch.producer_epoch == std::numeric_limits<std::int16_t>::max())) {
    return {};
  }
  if (origin == AppendOrigin::replication) return {};
  return {ErrorCode::invalid_producer_epoch,
          fmt::format("Epoch of producer {} at offset {} is {}, which is {} the last seen epoch {}", batch.producer_id,
                      batch.base_offset, batch.producer_epoch, strict ? "<=" : "<", known)};
}

Judge::Verdict Judge::check_sequence(const ProducerAppend& batch) const {
  const auto out_of_order = [&](std::string_view expected) -> Verdict {
    return {ErrorCode::out_of_order_sequence_number,
            fmt::format("Out of order sequence number for producer {} at offset {}: {} (incoming seq. number), {}",
                        batch.producer_id, batch.base_offset, batch.base_sequence, expected)};
  };
  if (verifying && supports_epoch_bump && batch.base_sequence != 0 && current.batches.empty()) {
    return out_of_order("expected 0 from a transactions v2 producer without state");
  }
  if (verifying && batch.base_sequence > lowest_sequence) {
    return out_of_order(fmt::format("{} (earliest seen sequence)", lowest_sequence));
  }
  if (batch.producer_epoch != updated.epoch) {
    if (batch.base_sequence != 0 && updated.epoch != no_producer_epoch) {
      return out_of_order(fmt::format("expected 0 in the new epoch {} after {}", batch.producer_epoch, updated.epoch));
    }
    return {};
  }
  std::int32_t last = no_sequence;
  if (!updated.batches.empty()) {
    last = updated.last_sequence();
  } else if (batch.producer_epoch == current.epoch) {
    last = current.last_sequence();
  }
  const bool in_sequence = batch.base_sequence == std::int64_t{last} + 1 ||
                           (batch.base_sequence == 0 && last == std::numeric_limits<std::int32_t>::max());
  if (current.epoch == no_producer_epoch || in_sequence) return {};
  return out_of_order(fmt::format("{} (current end sequence number)", last));
}

Judge::Verdict Judge::append_data(const ProducerAppend& batch, ProducerUpdate& update) {
  if (Verdict verdict = check_epoch(batch, -1); verdict.error != ErrorCode::none) return verdict;
  if (origin == AppendOrigin::client) {
    if (Verdict verdict = check_sequence(batch); verdict.error != ErrorCode::none) return verdict;
  }
  updated.add_batch(batch.producer_epoch,
                    {batch.last_sequence(), batch.last_offset,
                     static_cast<std::int32_t>(batch.last_offset - batch.base_offset), batch.max_timestamp_ms});
  if (updated.transaction_first_offset && !batch.transactional) {
    return {ErrorCode::invalid_txn_state, fmt::format("Expected transactional write from producer {} at offset {}",
                                                      batch.producer_id, batch.base_offset)};
  }
  if (!updated.transaction_first_offset && batch.transactional) {
    updated.transaction_first_offset = batch.base_offset;
    update.started.emplace_back(batch.base_offset, batch.producer_id);
  }
  return {};
}

Judge::Verdict Judge::append_marker(const ProducerAppend& batch, std::int16_t transaction_version,
                                    ProducerUpdate& update) {
  if (Verdict verdict = check_epoch(batch, transaction_version); verdict.error != ErrorCode::none) return verdict;
  const ProducerAppend::Marker& marker = *batch.marker;
  if (updated.coordinator_epoch > marker.coordinator_epoch && origin != AppendOrigin::replication) {
    return {ErrorCode::transaction_coordinator_fenced,
            fmt::format("Invalid coordinator epoch for producer {} at offset {}: {} (zombie), {} (current)",
                        batch.producer_id, batch.base_offset, marker.coordinator_epoch, updated.coordinator_epoch)};
  }
  if (updated.transaction_first_offset) {
    update.completed.push_back(
        {batch.producer_id, *updated.transaction_first_offset, batch.base_offset, !marker.commit});
  }
  if (updated.epoch != batch.producer_epoch) {
    updated.batches.clear();
    updated.epoch = batch.producer_epoch;
  }
  updated.coordinator_epoch = marker.coordinator_epoch;
  updated.transaction_first_offset.reset();
  updated.last_timestamp_ms = marker.timestamp_ms;
  return {};
}

}  // namespace

std::int32_t ProducerAppend::last_sequence() const {
  if (base_sequence == no_sequence) return no_sequence;
  return increment_sequence(base_sequence, static_cast<std::int32_t>(last_offset - base_offset));
}

ProducerUpdate ProducerState::check(std::span<const ProducerAppend> batches, AppendOrigin origin,
                                    VerificationGuard guard, std::int16_t transaction_version) const {
  ProducerUpdate update;
  std::map<std::int64_t, Judge> judges;
  const auto reject = [&](ErrorCode error, std::string message) {
    ProducerUpdate rejected;
    rejected.error = error;
    rejected.message = std::move(message);
    return rejected;
  };
  for (const ProducerAppend& batch : batches) {
    if (batch.producer_id < 0) continue;
    const auto known = producers_.find(batch.producer_id);
    if (origin == AppendOrigin::client && known != producers_.end()) {
      const auto duplicate =
          known->second.find_duplicate(batch.producer_epoch, batch.base_sequence, batch.last_sequence());
      if (duplicate) {
        ProducerUpdate result;
        result.duplicate = duplicate;
        return result;
      }
    }
    const bool by_leader = origin == AppendOrigin::client || origin == AppendOrigin::coordinator;
    if (by_leader && batch.transactional && !has_ongoing_transaction(batch.producer_id, batch.producer_epoch)) {
      if (known != producers_.end() && batch.producer_epoch < known->second.epoch) {
        return reject(ErrorCode::invalid_producer_epoch,
                      fmt::format("Epoch of producer {} is {}, which is smaller than the last seen epoch {}",
                                  batch.producer_id, batch.producer_epoch, known->second.epoch));
      }
      const bool verified = guard.value != 0 && verification_guard(batch.producer_id) == guard;
      if (config_.transaction_verification && !batch.control && !verified) {
        return reject(ErrorCode::invalid_txn_state, "Record was not part of an ongoing transaction");
      }
    }
    const auto verification = verifications_.find(batch.producer_id);
    const bool has_verification = verification != verifications_.end();
    auto [position, is_new] = judges.try_emplace(batch.producer_id);
    Judge& judge = position->second;
    if (is_new) {
      judge.origin = origin;
      judge.current.producer_id = batch.producer_id;
      if (known != producers_.end()) judge.current = known->second;
      judge.updated = judge.current;
      judge.updated.batches.clear();
      if (has_verification) {
        judge.verifying = true;
        judge.supports_epoch_bump = verification->second.supports_epoch_bump;
        judge.lowest_sequence = verification->second.lowest_sequence;
      }
    }
    Judge::Verdict verdict;
    if (!batch.control) {
      verdict = judge.append_data(batch, update);
    } else if (batch.marker) {
      verdict = judge.append_marker(batch, transaction_version, update);
    }
    if (verdict.error != ErrorCode::none) return reject(verdict.error, std::move(verdict.message));
    // With transactions v2 the marker of one transaction must not use up the verification of the next.
    const bool next_has_begun = has_verification && verification->second.supports_epoch_bump && batch.control &&
                                batch.producer_epoch == verification->second.epoch;
    if (batch.transactional && has_verification && !next_has_begun) update.verified.push_back(batch.producer_id);
  }
  for (auto& [producer_id, judge] : judges) update.entries.push_back(judge.updated);
  add_aborted(update);
  return update;
}

void ProducerState::add_aborted(ProducerUpdate& update) const {
  if (std::none_of(update.completed.begin(), update.completed.end(), [](const auto& c) { return c.aborted; })) return;
  auto ongoing = ongoing_;
  for (const auto& [first_offset, producer_id] : update.started) ongoing[first_offset] = {producer_id, -1};
  for (const CompletedTransaction& completed : update.completed) {
    const auto next = std::find_if(ongoing.begin(), ongoing.end(), [&](const auto& entry) {
      return entry.second.producer_id != completed.producer_id;
    });
    const std::int64_t stable = next == ongoing.end() ? completed.last_offset + 1 : next->first;
    if (completed.aborted) {
      update.aborted.push_back({completed.producer_id, completed.first_offset, completed.last_offset, stable});
    }
    ongoing.erase(completed.first_offset);
  }
}

void ProducerState::apply(const ProducerUpdate& update) {
  for (const ProducerEntry& updated : update.entries) {
    auto [position, is_new] = producers_.try_emplace(updated.producer_id, updated);
    if (is_new) continue;
    ProducerEntry& entry = position->second;
    if (entry.epoch != updated.epoch) {
      entry.batches.clear();
      entry.epoch = updated.epoch;
    }
    for (const ProducerBatch& batch : updated.batches) entry.add_batch(updated.epoch, batch);
    entry.coordinator_epoch = updated.coordinator_epoch;
    entry.transaction_first_offset = updated.transaction_first_offset;
    entry.last_timestamp_ms = updated.last_timestamp_ms;
  }
  for (const auto& [first_offset, producer_id] : update.started) ongoing_[first_offset] = {producer_id, -1};
  for (const CompletedTransaction& completed : update.completed) {
    ongoing_.erase(completed.first_offset);
    unreplicated_[completed.first_offset] = {completed.producer_id, completed.last_offset};
  }
  for (const std::int64_t producer_id : update.verified) verifications_.erase(producer_id);
}

void ProducerState::forget_completed_below(std::int64_t offset) {
  std::erase_if(unreplicated_, [&](const auto& entry) { return entry.second.last_offset < offset; });
}

std::optional<std::int64_t> ProducerState::first_unstable_offset() const {
  const auto undecided = first_undecided_offset();
  if (unreplicated_.empty()) return undecided;
  const std::int64_t unreplicated = unreplicated_.begin()->first;
  return undecided ? std::min(*undecided, unreplicated) : unreplicated;
}

std::optional<std::int64_t> ProducerState::first_undecided_offset() const {
  if (ongoing_.empty()) return std::nullopt;
  return ongoing_.begin()->first;
}

bool ProducerState::has_late_transaction(std::int64_t now_ms) const {
  if (ongoing_.empty()) return false;
  const auto producer = producers_.find(ongoing_.begin()->second.producer_id);
  if (producer == producers_.end() || producer->second.last_timestamp_ms <= 0) return false;
  return now_ms - producer->second.last_timestamp_ms > config_.max_transaction_timeout_ms + late_transaction_buffer_ms;
}

ProducerState::Verification ProducerState::start_verification(std::int64_t producer_id, std::int32_t sequence,
                                                              std::int16_t epoch, bool supports_epoch_bump,
                                                              std::int64_t now_ms) {
  const auto producer = producers_.find(producer_id);
  if (producer != producers_.end() && epoch < producer->second.epoch) return {ErrorCode::invalid_producer_epoch, {}};
  if (has_ongoing_transaction(producer_id, epoch)) return {ErrorCode::none, {}};
  auto [position, is_new] = verifications_.try_emplace(producer_id);
  VerificationEntry& entry = position->second;
  if (is_new) entry = {{++last_guard_}, now_ms, sequence, epoch, supports_epoch_bump};
  if (epoch == entry.epoch) entry.lowest_sequence = std::min(entry.lowest_sequence, sequence);
  if (epoch > entry.epoch) {
    entry.epoch = epoch;
    entry.lowest_sequence = sequence;
  }
  return {ErrorCode::none, entry.guard};
}

VerificationGuard ProducerState::verification_guard(std::int64_t producer_id) const {
  const auto entry = verifications_.find(producer_id);
  return entry == verifications_.end() ? VerificationGuard{} : entry->second.guard;
}

bool ProducerState::has_ongoing_transaction(std::int64_t producer_id, std::int16_t epoch) const {
  const auto producer = producers_.find(producer_id);
  return producer != producers_.end() && producer->second.transaction_first_offset && producer->second.epoch == epoch;
}

bool ProducerState::expired(const ProducerEntry& entry, std::int64_t now_ms) const {
  return !entry.transaction_first_offset && now_ms - entry.last_timestamp_ms >= config_.producer_id_expiration_ms;
}

void ProducerState::remove_expired(std::int64_t now_ms) {
  std::erase_if(producers_, [&](const auto& entry) { return expired(entry.second, now_ms); });
  std::erase_if(verifications_, [&](const auto& entry) {
    return now_ms - entry.second.timestamp_ms >= config_.producer_id_expiration_ms;
  });
}

void ProducerState::clear() {
  producers_.clear();
  ongoing_.clear();
  unreplicated_.clear();
}

void ProducerState::load(std::vector<ProducerEntry> entries, std::int64_t now_ms) {
  for (ProducerEntry& entry : entries) {
    if (expired(entry, now_ms)) continue;
    if (entry.transaction_first_offset) ongoing_[*entry.transaction_first_offset] = {entry.producer_id, -1};
    const std::int64_t producer_id = entry.producer_id;
    producers_.insert_or_assign(producer_id, entry);
  }
}

}  // namespace dohle::log
