// How the coordinator's decision reaches the partitions. Source: kafka.coordinator.transaction.
// TransactionMarkerChannelManager.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "protocol/control_record.h"
#include "protocol/error_code.h"
#include "server/transactions/transaction_metadata.h"

namespace dohle::transactions {

/// The markers of one transaction.
struct MarkerOrder {
  std::string transactional_id;
  protocol::EndTransactionMarker marker;
  std::int16_t transaction_version = 0;
  /// May be empty: a transaction that wrote nothing.
  std::set<TopicPartition> partitions;
};

/// What became of them: one error for each partition of the order. A partition that does not exist any more has none.
struct MarkerReport {
  std::string transactional_id;
  std::int64_t producer_id = no_producer_id;
  std::int16_t producer_epoch = no_producer_epoch;
  std::vector<std::pair<TopicPartition, protocol::ErrorCode>> results;
};

class MarkerSender {
 public:
  virtual ~MarkerSender() = default;
  /// From a shard's home thread. `coordinator_partition` gets the report as an operation of its own, later: never
  /// inside this call.
  virtual void send(std::int32_t coordinator_partition, MarkerOrder order) = 0;
};

}  // namespace dohle::transactions
