// Batches for the tests of this folder, made by Kafka's rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codec/bytes.h"
#include "protocol/record_batch_builder.h"

namespace dohle::log::samples {

struct BatchSample {
  int records = 1;
  std::int64_t timestamp_ms = 1'700'000'000'000;  // of the first record; a millisecond more for each after it
  std::size_t value_bytes = 10;
  std::int64_t base_offset = 0;
  std::int32_t leader_epoch = -1;
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  std::int32_t sequence = -1;
  bool transactional = false;
  codec::Compression compression = codec::Compression::none;
};

inline codec::Blob batch(const BatchSample& sample) {
  protocol::RecordBatchOptions options;
  options.base_offset = sample.base_offset;
  options.partition_leader_epoch = sample.leader_epoch;
  options.producer_id = sample.producer_id;
  options.producer_epoch = sample.producer_epoch;
  options.base_sequence = sample.sequence;
  options.is_transactional = sample.transactional;
  options.compression = sample.compression;
  protocol::RecordBatchBuilder builder(options);
  for (int i = 0; i < sample.records; ++i) {
    const std::string value(sample.value_bytes, static_cast<char>('a' + i % 26));
    builder.append(sample.timestamp_ms + i, std::nullopt, codec::as_bytes(value));
  }
  return builder.build();
}

inline codec::Blob marker(std::int64_t producer_id, std::int16_t epoch, bool commit, std::int32_t coordinator_epoch = 0,
                          std::int64_t timestamp_ms = 1'700'000'000'000) {
  protocol::EndTransactionMarker marker;
  marker.type = commit ? protocol::ControlRecordType::commit : protocol::ControlRecordType::abort;
  marker.producer_id = producer_id;
  marker.producer_epoch = epoch;
  marker.coordinator_epoch = coordinator_epoch;
  marker.timestamp_ms = timestamp_ms;
  return protocol::end_transaction_batch(0, -1, marker);
}

}  // namespace dohle::log::samples
