// What the one record of a COMMIT or ABORT control batch says. Follows Kafka's EndTransactionMarker.
#pragma once

#include <optional>

#include "codec/bytes.h"
#include "server/log/producer_state.h"

namespace dohle::log {

/// From the whole, uncompressed control batch. nullopt: no record (emptied by cleaning), or none that a transaction
/// ends with.
std::optional<ProducerAppend::Marker> read_transaction_marker(codec::Bytes batch);

}  // namespace dohle::log
