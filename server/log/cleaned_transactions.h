// What compaction knows of the transactions that it passes: aborted data may go, and a marker may go when no data of
// its transaction was met. Follows Kafka's CleanedTransactionMetadata.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codec/bytes.h"
#include "server/log/aborted_transaction.h"
#include "server/log/batch_header.h"

namespace dohle::log {

class CleanedTransactions {
 public:
  /// Those of the next stretch of the log.
  void add(const std::vector<AbortedTransaction>& transactions);

  struct Marker {
    bool may_go = false;
    /// The transaction stays in the transaction index: some of its data, and so its marker, is still there.
    std::optional<AbortedTransaction> aborted;
  };
  /// A control batch; batches are given in the order of the log.
  Marker pass_control(const BatchHeader& header, codec::Bytes batch);
  /// Any other batch. True: it belongs to an aborted transaction.
  bool pass(const BatchHeader& header);

 private:
  struct Ongoing {
    AbortedTransaction transaction;
    bool data_seen = false;
  };
  struct Later {
    bool operator()(const AbortedTransaction& a, const AbortedTransaction& b) const {
      return a.first_offset > b.first_offset;
    }
  };
  void begin_up_to(std::int64_t offset);

  std::priority_queue<AbortedTransaction, std::vector<AbortedTransaction>, Later> ahead_;
  std::unordered_map<std::int64_t, Ongoing> aborted_;  // by producer
  std::unordered_set<std::int64_t> committed_;         // producers with data that was not aborted
};

}  // namespace dohle::log
