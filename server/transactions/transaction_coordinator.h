// The transaction coordinator of this broker: checks what needs no state, finds the partition, and runs the request
// there. Source: kafka.coordinator.transaction.TransactionCoordinator.
#pragma once

#include <cstdint>
#include <string>

#include "server/config/broker_config.h"
#include "server/coordinator/runtime.h"
#include "server/transactions/transaction_shard.h"

namespace dohle::transactions {

inline constexpr const char* transaction_state_topic = "__transaction_state";

class TransactionCoordinator {
 public:
  template <typename Response>
  using Reply = coordinator::Reply<Response>;

  /// All references outlive it. `config` is that of the start; these keys are not dynamic.
  TransactionCoordinator(const config::BrokerConfig& config, runtime::ReactorPool& reactors,
                         runtime::DiskPool& disk_pool, coordinator::PartitionLogs logs,
                         const runtime::Snapshot<metadata::MetadataImage>& image, const runtime::Clock& clock,
                         ProducerIdSource producer_ids, MarkerSender& markers);

  /// See ShardRuntime: image_changed(), stop(), partition_for(), led_partitions().
  coordinator::Runtime<TransactionShard>& runtime() { return runtime_; }

  // Any thread; replies come on the home thread of the id's partition, or here and now for what is refused at once.
  // Errors of all: NOT_COORDINATOR, COORDINATOR_LOAD_IN_PROGRESS, and what append_error() makes of the log's.

  /// INVALID_REQUEST (an empty id), INVALID_TRANSACTION_TIMEOUT, PRODUCER_FENCED, CONCURRENT_TRANSACTIONS.
  void init_producer(InitProducer request, Reply<ProducerAnswer> reply);
  /// INVALID_REQUEST, INVALID_PRODUCER_ID_MAPPING, PRODUCER_FENCED, CONCURRENT_TRANSACTIONS, INVALID_TXN_STATE.
  void end(EndTransaction request, Reply<ProducerAnswer> reply);
  /// INVALID_REQUEST, INVALID_PRODUCER_ID_MAPPING, PRODUCER_FENCED, CONCURRENT_TRANSACTIONS.
  void add_partitions(PartitionsOfTransaction request, Reply<protocol::ErrorCode> reply);
  /// The same, and TRANSACTION_ABORTABLE for a partition that is not part of the transaction.
  void verify_partitions(PartitionsOfTransaction request, Reply<PartitionVerdicts> reply);
  /// The end of MarkerSender::send().
  void markers_written(std::int32_t coordinator_partition, MarkerReport report);
  /// INVALID_REQUEST, TRANSACTIONAL_ID_NOT_FOUND.
  void describe(std::string transactional_id, Reply<DescribedTransaction> reply);
  void list(std::int32_t coordinator_partition, TransactionFilter filter, Reply<ListedTransactions> reply);

 private:
  const TransactionSettings settings_;
  const ProducerIdSource producer_ids_;
  MarkerSender& markers_;
  runtime::ReactorPool& reactors_;
  coordinator::Runtime<TransactionShard> runtime_;
};

}  // namespace dohle::transactions
