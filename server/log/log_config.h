// The settings that a log reads: its topic's configuration, and what the broker says of producers.
#pragma once

#include <cstdint>

#include "server/config/log_config.h"

namespace dohle::log {

using LogConfig = config::LogConfig;
using config::TimestampType;

/// Broker-wide settings of the idempotent producers' state.
struct ProducerStateConfig {
  std::int64_t producer_id_expiration_ms = 86400000;  // producer.id.expiration.ms
  bool transaction_verification = true;               // transaction.partition.verification.enable
  std::int32_t max_transaction_timeout_ms = 900000;   // transaction.max.timeout.ms
};

}  // namespace dohle::log
