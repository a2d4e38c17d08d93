// Transactional ids as records of `__transaction_state`. Source:
// org.apache.kafka.coordinator.transaction.TransactionLog.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "server/coordinator/record.h"
#include "server/runtime/result.h"
#include "server/transactions/transaction_metadata.h"

namespace dohle::transactions {

/// From this level of transaction.version on, records have value version 1, with tagged fields.
inline constexpr std::int16_t first_version_with_flexible_records = 1;

/// `transaction_version` is the finalised level: 0 writes value version 0, which knows no tagged fields, higher ones 1.
coordinator::Record transaction_record(const std::string& transactional_id, const TransactionMetadata& metadata,
                                       std::int16_t transaction_version);
coordinator::Record transaction_tombstone(const std::string& transactional_id);

struct TransactionLogEntry {
  std::string transactional_id;
  /// Nothing: a tombstone.
  std::optional<TransactionMetadata> metadata;
};

/// Nothing: a key type or a value version that 4.4.0 does not know, which its loader passes over with a warning.
/// corrupt: what its loader ends with.
runtime::Result<std::optional<TransactionLogEntry>> read_transaction_record(const coordinator::Record& record);

}  // namespace dohle::transactions
