// Finds a record inside one stored batch, by its timestamp.
// Follows Kafka's FileRecords.searchForTimestamp and RecordBatch.offsetOfMaxTimestamp.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/bytes.h"
#include "server/log/time_index.h"
#include "server/runtime/result.h"

namespace dohle::log {

/// The first record at or above `start_offset` whose timestamp is at least `timestamp_ms`. `batch` is one whole batch;
/// `corrupt` if its records can't be read. A compressed message of the old formats is taken as one record, its last.
runtime::Result<std::optional<TimestampOffset>> find_record(codec::Bytes batch, std::int64_t timestamp_ms,
                                                            std::int64_t start_offset);
/// The first record that has the batch's largest timestamp.
runtime::Result<std::optional<TimestampOffset>> find_max_timestamp(codec::Bytes batch);

}  // namespace dohle::log
