// Whether a producer may write to partitions in its transaction: the coordinator is asked once per transaction and
// partition, and the log gets a guard as the proof (KIP-890, KAFKA-14402).
// Source: kafka.server.ReplicaManager.maybeSendPartitionsToTransactionCoordinator,
// org.apache.kafka.server.transaction.AddPartitionsToTxnManager.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <map>
#include <string>

#include "server/api/handler.h"
#include "server/log/producer_state.h"
#include "server/transactions/transaction_shard.h"

namespace dohle::api {

/// What the version of a Produce or TxnOffsetCommit request lets its client understand.
enum class VerificationSupport : std::uint8_t {
  old_errors,      // knows INVALID_TXN_STATE only
  abortable,       // knows TRANSACTION_ABORTABLE
  adds_partition,  // of the second generation: the write itself adds the partition
};

VerificationSupport produce_support(std::int16_t version);
VerificationSupport offset_commit_support(std::int16_t version);

struct TransactionalWrite {
  std::string transactional_id;
  transactions::ProducerIdentity producer;
  VerificationSupport support = VerificationSupport::old_errors;
  /// With the sequence of the first batch; -1 for a write of the group coordinator.
  std::map<transactions::TopicPartition, std::int32_t> partitions;
  /// The second generation waits a little for a transaction that is just ending.
  bool waits = false;
};

struct Verified {
  protocol::ErrorCode error = protocol::ErrorCode::none;
  log::VerificationGuard guard;
};
/// What is missing here needs no guard.
using VerifiedPartitions = std::map<transactions::TopicPartition, Verified>;

/// Asks where it must. Errors: INVALID_PRODUCER_EPOCH, INVALID_PRODUCER_ID_MAPPING, INVALID_TXN_STATE or
/// TRANSACTION_ABORTABLE, CONCURRENT_TRANSACTIONS, NOT_COORDINATOR, COORDINATOR_LOAD_IN_PROGRESS, and those of finding
/// the partition.
boost::asio::awaitable<VerifiedPartitions> verify_write(Services& services, RequestContext& context,
                                                        const TransactionalWrite& write);

}  // namespace dohle::api
