// One partition of the transaction coordinator: its transactional ids. Requests come from TransactionCoordinator
// through the runtime; replies are called on the home thread. Source:
// kafka.coordinator.transaction.TransactionCoordinator, TransactionStateManager.
//
// Between an operation and the commit of its record the id is *pending*, and everything else on it hears
// CONCURRENT_TRANSACTIONS. It is pending, too, from the decision (PrepareCommit, PrepareAbort) to the last marker.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/coordinator/shard.h"
#include "server/transactions/marker_sender.h"
#include "server/transactions/transaction_metadata.h"
#include "server/transactions/transaction_record.h"

namespace dohle::transactions {

struct TransactionSettings {
  std::int32_t max_timeout_ms = 900'000;
  std::int64_t id_expiration_ms = 604'800'000;
  std::int64_t abort_interval_ms = 10'000;
  std::int64_t expiration_interval_ms = 3'600'000;
  /// Pauses before markers are sent again to a partition that could not take them: the first, doubled from one to the
  /// next up to the last. Kafka sends again at once, and is slowed down by the network only. What the markers mostly
  /// wait for is a group's partition that is being loaded after a restart.
  std::int64_t marker_retry_first_ms = 2;
  std::int64_t marker_retry_last_ms = 100;
};

/// Gives out producer ids. Nothing: none at hand, and a block has been asked for (COORDINATOR_LOAD_IN_PROGRESS).
using ProducerIdSource = std::function<std::optional<std::int64_t>()>;

struct ProducerIdentity {
  std::int64_t id = no_producer_id;
  std::int16_t epoch = no_producer_epoch;
  bool operator==(const ProducerIdentity&) const = default;
};

struct InitProducer {
  std::string transactional_id;
  std::int32_t timeout_ms = 0;
  /// What the producer was before (KIP-360).
  std::optional<ProducerIdentity> expected;
};
struct EndTransaction {
  std::string transactional_id;
  ProducerIdentity producer;
  bool commit = false;
  /// 0, or 2 for EndTxn v5 and later.
  std::int16_t client_version = 0;
};
struct PartitionsOfTransaction {
  std::string transactional_id;
  ProducerIdentity producer;
  std::set<TopicPartition> partitions;
  /// 0, or 2 where the partition is added by the write itself.
  std::int16_t client_version = 0;
};

struct ProducerAnswer {
  protocol::ErrorCode error = protocol::ErrorCode::none;
  ProducerIdentity producer;
};
struct PartitionVerdicts {
  protocol::ErrorCode error = protocol::ErrorCode::none;  // for all of them
  std::map<TopicPartition, protocol::ErrorCode> verdicts;
};
struct DescribedTransaction {
  protocol::ErrorCode error = protocol::ErrorCode::none;
  TransactionMetadata metadata;
};
struct TransactionFilter {
  std::vector<std::int64_t> producer_ids;               // none: all
  std::optional<std::vector<TransactionState>> states;  // nothing: all
  std::int64_t open_longer_than_ms = -1;                // -1: any
  std::function<bool(const std::string&)> matches_id;   // empty: all
};
struct ListedTransactions {
  protocol::ErrorCode error = protocol::ErrorCode::none;
  std::vector<std::pair<std::string, TransactionMetadata>> transactions;
};

class TransactionShard final : public coordinator::Shard {
 public:
  using Context = coordinator::OperationContext;
  using Outcome = coordinator::Outcome;
  template <typename Response>
  using Reply = coordinator::Reply<Response>;

  /// All references outlive the shard.
  TransactionShard(std::int32_t partition, const TransactionSettings& settings, coordinator::Timers& timers,
                   const ProducerIdSource& producer_ids, MarkerSender& markers);

  // coordinator::Shard
  runtime::Status replay(const coordinator::Record& record, std::int64_t offset, std::int64_t producer_id,
                         std::int16_t producer_epoch) override;
  void replay_end_transaction(std::int64_t, std::int16_t, bool) override {}  // no transactions in this topic
  void loaded(const Context& context) override;
  void unloaded() override {}  // no reply is parked here
  Outcome on_timer(const coordinator::TimerKey& key, const Context& context) override;

  Outcome init_producer(const Context& context, const InitProducer& request, Reply<ProducerAnswer> reply);
  Outcome end(const Context& context, const EndTransaction& request, Reply<ProducerAnswer> reply);
  Outcome add_partitions(const Context& context, const PartitionsOfTransaction& request,
                         Reply<protocol::ErrorCode> reply);
  Outcome verify_partitions(const PartitionsOfTransaction& request, Reply<PartitionVerdicts> reply);
  Outcome markers_written(const Context& context, const MarkerReport& report);
  Outcome describe(const std::string& transactional_id, Reply<DescribedTransaction> reply);
  Outcome list(const Context& context, const TransactionFilter& filter, Reply<ListedTransactions> reply);

 private:
  struct Entry {
    TransactionMetadata metadata;
    /// What the record that is being appended says, with what only memory knows.
    std::optional<TransactionMetadata> staged;
    /// Its record is not committed yet.
    bool in_flight = false;
    /// A fence that the log did not take: its epoch was given to nobody, and is used for the next try.
    bool fence_failed = false;
    /// The pause before the markers of this transaction are sent again; 0: they have not failed yet.
    std::int64_t marker_pause_ms = 0;

    bool is_pending() const { return in_flight || is_prepared(metadata.state); }
  };
  /// What an end request comes to before anything is written.
  struct Ending {
    protocol::ErrorCode error = protocol::ErrorCode::none;
    std::optional<TransactionMetadata> next;  // without it, `error` is the answer
  };
  enum class TimerKind : std::int32_t { abort_scan, expiration_scan, abort_one, markers, completion };

  using Done = std::move_only_function<void(protocol::ErrorCode)>;

  Entry* find(const std::string& transactional_id);
  Outcome answer_when_committed(std::move_only_function<void()> answer);
  /// One record that takes the id to `next`; `done` when it is committed, or was refused.
  Outcome stage(const Context& context, const std::string& transactional_id, TransactionMetadata next, Done done);
  /// At level 0 of transaction.version no record can say what a client of the second generation did: Kafka's serializer
  /// refuses it, UNSUPPORTED_VERSION. No client asks for it: it sees the level in ApiVersions.
  static bool is_writable(const Context& context, std::int16_t client_version);
  Outcome abort_to_fence(const Context& context, const std::string& transactional_id, Done done);
  Outcome prepare_end(const Context& context, const std::string& transactional_id, TransactionMetadata next,
                      bool is_fence, Reply<ProducerAnswer> reply);
  Ending judge_first_generation(const Entry& entry, const EndTransaction& request, std::int64_t now_ms) const;
  Ending judge_second_generation(const Entry& entry, const EndTransaction& request, std::int64_t now_ms);
  Ending bumped(const Entry& entry, bool commit, bool nothing_added, std::int64_t now_ms);
  void send_markers(const std::string& transactional_id, std::int32_t coordinator_epoch);
  Outcome complete(const Context& context, const std::string& transactional_id);
  void find_timed_out(const Context& context);
  Outcome expire(const Context& context);
  void arm(TimerKind kind, std::int64_t delay_ms, const std::string& transactional_id = {});
  std::int32_t coordinator_epoch(const Context& context) const;

  const std::int32_t partition_;
  const TransactionSettings& settings_;
  coordinator::Timers& timers_;
  const ProducerIdSource& producer_ids_;
  MarkerSender& markers_;
  std::map<std::string, Entry> entries_;
};

}  // namespace dohle::transactions
