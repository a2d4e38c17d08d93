// The producers of one partition: epochs, sequences, open transactions. Pure: no file, no clock, no thread.
// Follows Kafka's ProducerStateManager and ProducerAppendInfo (KIP-98, KIP-360, KIP-890).
// Under the partition's lock.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/log/aborted_transaction.h"
#include "server/log/log_config.h"
#include "server/log/producer_entry.h"

namespace dohle::protocol {
enum class ErrorCode : std::int16_t;
}

namespace dohle::log {

/// Who appends. Sequences are checked for clients only; a replica believes its leader.
enum class AppendOrigin : std::uint8_t { client, coordinator, replication, raft_leader };

/// Proof that the transaction's coordinator was asked; 0 proves nothing.
struct VerificationGuard {
  std::uint64_t value = 0;
  bool operator==(const VerificationGuard&) const = default;
};

/// What the producer state has to know of a batch. Offsets are those it gets in the log.
struct ProducerAppend {
  std::int64_t producer_id = no_producer_id;
  std::int16_t producer_epoch = no_producer_epoch;
  std::int32_t base_sequence = no_sequence;
  std::int64_t base_offset = -1;
  std::int64_t last_offset = -1;
  std::int64_t max_timestamp_ms = no_timestamp;
  bool transactional = false;
  bool control = false;
  /// Of a control batch: what its record says. Without one (an emptied batch) nothing happens.
  struct Marker {
    bool commit = false;
    std::int32_t coordinator_epoch = 0;
    std::int64_t timestamp_ms = no_timestamp;
  };
  std::optional<Marker> marker{};

  std::int32_t last_sequence() const;
};

struct CompletedTransaction {
  std::int64_t producer_id = no_producer_id;
  std::int64_t first_offset = -1;
  std::int64_t last_offset = -1;
  bool aborted = false;
};

/// The verdict on the batches of one append, and what apply() will change.
struct ProducerUpdate {
  protocol::ErrorCode error{};
  std::string message;
  std::optional<ProducerBatch> duplicate;
  std::vector<ProducerEntry> entries;
  /// Transactions that begin: first offset and producer.
  std::vector<std::pair<std::int64_t, std::int64_t>> started;
  std::vector<CompletedTransaction> completed;
  /// Lines for the transaction index: the completed ones that were aborted.
  std::vector<AbortedTransaction> aborted;
  /// Producers whose verification is used up.
  std::vector<std::int64_t> verified;
};

class ProducerState {
 public:
  explicit ProducerState(ProducerStateConfig config = {}) : config_(config) {}

  /// Judges the batches of one append without changing anything. `guard` and `transaction_version` as in LeaderAppend.
  ProducerUpdate check(std::span<const ProducerAppend> batches, AppendOrigin origin, VerificationGuard guard = {},
                       std::int16_t transaction_version = 0) const;
  /// Takes an update without an error over.
  void apply(const ProducerUpdate& update);

  /// Transactions that ended below the high watermark (or the log start) no longer hold the LSO back.
  void forget_completed_below(std::int64_t offset);
  /// First offset of the oldest transaction that is open, or not yet below the high watermark.
  std::optional<std::int64_t> first_unstable_offset() const;
  /// First offset of the oldest open transaction.
  std::optional<std::int64_t> first_undecided_offset() const;
  /// An open transaction is older than the largest allowed timeout and 5 minutes.
  bool has_late_transaction(std::int64_t now_ms) const;

  /// KIP-890: asks for a guard before the coordinator is asked. An error means INVALID_PRODUCER_EPOCH; the guard is 0
  /// when the producer's transaction is already open here, so that nobody need be asked.
  struct Verification {
    protocol::ErrorCode error{};
    VerificationGuard guard;
  };
  Verification start_verification(std::int64_t producer_id, std::int32_t sequence, std::int16_t epoch,
                                  bool supports_epoch_bump, std::int64_t now_ms);
  VerificationGuard verification_guard(std::int64_t producer_id) const;
  bool has_ongoing_transaction(std::int64_t producer_id, std::int16_t epoch) const;

  const std::unordered_map<std::int64_t, ProducerEntry>& producers() const { return producers_; }
  bool empty() const { return producers_.empty() && unreplicated_.empty(); }
  void remove_expired(std::int64_t now_ms);
  void clear();
  /// From a snapshot; expired ones are left out.
  void load(std::vector<ProducerEntry> entries, std::int64_t now_ms);

  /// The log offset up to which the state is complete.
  std::int64_t end_offset() const { return end_offset_; }
  void set_end_offset(std::int64_t offset) { end_offset_ = offset; }

 private:
  struct VerificationEntry {
    VerificationGuard guard;
    std::int64_t timestamp_ms;
    std::int32_t lowest_sequence;
    std::int16_t epoch;
    bool supports_epoch_bump;
  };
  struct Transaction {
    std::int64_t producer_id;
    std::int64_t last_offset;  // -1 while it is open
  };
  void add_aborted(ProducerUpdate& update) const;

  bool expired(const ProducerEntry& entry, std::int64_t now_ms) const;

  ProducerStateConfig config_;
  std::unordered_map<std::int64_t, ProducerEntry> producers_;
  std::unordered_map<std::int64_t, VerificationEntry> verifications_;
  std::map<std::int64_t, Transaction> ongoing_;       // by first offset
  std::map<std::int64_t, Transaction> unreplicated_;  // ended, by first offset
  std::int64_t end_offset_ = 0;
  std::uint64_t last_guard_ = 0;
};

}  // namespace dohle::log
