// What is known of one transactional id, and how an event changes it. Pure values: a transition makes the next value,
// which counts from when its record is in the log. Source: org.apache.kafka.coordinator.transaction.TransactionMetadata
// (KIP-98, KIP-360, KIP-890).
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "server/transactions/transaction_state.h"

namespace dohle::transactions {

inline constexpr std::int64_t no_producer_id = -1;
inline constexpr std::int16_t no_producer_epoch = -1;
inline constexpr std::int16_t last_epoch = std::numeric_limits<std::int16_t>::max();
/// From this level of transaction.version on, a client's epoch is bumped with every transaction (KIP-890).
inline constexpr std::int16_t first_version_with_epoch_bump = 2;

struct TopicPartition {
  std::string topic;
  std::int32_t partition = 0;
  auto operator<=>(const TopicPartition&) const = default;
};

/// The largest epoch is kept for fencing: no client ever gets it.
constexpr bool is_epoch_exhausted(std::int16_t epoch) {
  return epoch >= last_epoch - 1;
}

struct TransactionMetadata {
  std::int64_t producer_id = no_producer_id;
  /// The producer id before the last change of state.
  std::int64_t previous_producer_id = no_producer_id;
  /// Taken over at completion, because the epochs of `producer_id` are used up.
  std::int64_t next_producer_id = no_producer_id;
  std::int16_t producer_epoch = no_producer_epoch;
  /// The epoch that a retried request may still carry; not in the log.
  std::int16_t last_producer_epoch = no_producer_epoch;
  std::int32_t timeout_ms = 0;
  TransactionState state = TransactionState::empty;
  std::set<TopicPartition> partitions;
  std::int64_t start_ms = -1;
  std::int64_t last_update_ms = -1;
  /// transaction.version as the client that caused the last change spoke it: 0 or 2.
  std::int16_t client_version = 0;

  bool operator==(const TransactionMetadata&) const = default;

  bool bumps_epoch() const { return client_version >= first_version_with_epoch_bump; }
  /// Longest possible timeout: the transaction belongs to an external coordinator and never times out.
  bool is_two_phase() const { return timeout_ms == std::numeric_limits<std::int32_t>::max(); }

  // Each of these must be allowed by may_follow(); anything else is a bug.

  /// InitProducerId of a producer that knows `expected_epoch`, or none. Nothing: it is fenced. Not for an exhausted
  /// epoch.
  std::optional<TransactionMetadata> with_next_epoch(std::int32_t new_timeout_ms,
                                                     std::optional<std::int16_t> expected_epoch,
                                                     std::int64_t now_ms) const;
  /// InitProducerId when the epochs are used up.
  TransactionMetadata with_new_producer_id(std::int64_t new_producer_id, std::int32_t new_timeout_ms,
                                           bool keeps_last_epoch, std::int64_t now_ms) const;
  TransactionMetadata with_partitions(const std::set<TopicPartition>& added, std::int16_t version,
                                      std::int64_t now_ms) const;
  /// `next_id` as next_producer_id; `nothing_added`: an abort of a transaction that the coordinator never heard of.
  TransactionMetadata prepared(bool commit, std::int16_t version, std::int64_t next_id, bool nothing_added,
                               std::int64_t now_ms) const;
  TransactionMetadata completed(std::int64_t now_ms) const;
  TransactionMetadata dead() const;

 private:
  TransactionMetadata next(TransactionState to) const;
};

}  // namespace dohle::transactions
