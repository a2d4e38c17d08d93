// One line of a transaction index: a transaction that was aborted. Follows Kafka's AbortedTxn message.
#pragma once

#include <cstdint>

namespace dohle::log {

struct AbortedTransaction {
  std::int64_t producer_id = -1;
  std::int64_t first_offset = -1;
  std::int64_t last_offset = -1;  // the abort marker's
  std::int64_t last_stable_offset = -1;
  bool operator==(const AbortedTransaction&) const = default;
};

}  // namespace dohle::log
