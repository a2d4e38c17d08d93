// The *.snapshot files of a partition: what its producers were at an offset. Version 1, CRC-32C, then entries of 46
// bytes; of a producer's batches only the last one is kept. Follows Kafka's ProducerSnapshot message and
// ProducerStateManager.readSnapshot.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "codec/bytes.h"
#include "server/log/producer_entry.h"
#include "server/runtime/result.h"

namespace dohle::log {

codec::Blob encode_producer_snapshot(const std::unordered_map<std::int64_t, ProducerEntry>& producers);
/// `corrupt` for an unknown version, a wrong CRC or missing bytes: an older snapshot is used then.
runtime::Result<std::vector<ProducerEntry>> decode_producer_snapshot(codec::Bytes bytes);

}  // namespace dohle::log
