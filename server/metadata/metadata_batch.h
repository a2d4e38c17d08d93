// The record batches of `__cluster_metadata-0` and of its snapshots: v2 batches that are all data or all control, never
// compressed when written. Offsets here are as in the file; in a snapshot they begin at 0 and mean nothing.
// Source: org.apache.kafka.raft.internals.BatchAccumulator, RecordsIterator, ControlRecord; the messages of raft.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "codec/bytes.h"
#include "protocol/messages/kraft_version_record.h"
#include "protocol/messages/leader_change_message.h"
#include "protocol/messages/snapshot_footer_record.h"
#include "protocol/messages/snapshot_header_record.h"
#include "protocol/messages/voters_record.h"
#include "server/metadata/metadata_record.h"
#include "server/runtime/result.h"

namespace dohle::metadata {

/// KafkaRaftClient.MAX_BATCH_SIZE_BYTES.
inline constexpr std::size_t metadata_batch_bytes_max = 8 << 20;

/// The control messages that matter here. Each is at version 0, as 4.4.0 writes it (LeaderChange without directories).
using ControlMessage =
    std::variant<protocol::LeaderChangeMessage, protocol::SnapshotHeaderRecord, protocol::SnapshotFooterRecord,
                 protocol::KRaftVersionRecord, protocol::VotersRecord>;

/// What a batch of either kind looks like once read.
struct MetadataBatch {
  std::int64_t base_offset = 0;
  std::int64_t last_offset = 0;
  std::int32_t epoch = 0;
  std::int64_t max_timestamp_ms = -1;
  bool control = false;
  std::vector<MetadataRecord> records;           // of a data batch
  std::vector<ControlMessage> control_messages;  // of a control batch, without those of unknown type
  std::size_t size_bytes = 0;
};

/// One batch with the records' offsets counting up from `base_offset`, all with `timestamp_ms`.
std::vector<std::uint8_t> build_data_batch(const std::vector<MetadataRecord>& records, std::int64_t base_offset,
                                           std::int32_t epoch, std::int64_t timestamp_ms);
std::vector<std::uint8_t> build_control_batch(const std::vector<ControlMessage>& messages, std::int64_t base_offset,
                                              std::int32_t epoch, std::int64_t timestamp_ms);

/// Whether a whole batch with a matching CRC lies at the beginning of `bytes`; its size, or 0 if not: a torn tail.
std::size_t whole_batch_size(codec::Bytes bytes);

/// Reads the batch at the beginning of `bytes`, for which whole_batch_size() is not 0. corrupt: compression (Kafka
/// never writes it here), a record or control message that we do not understand, record headers, a key on a data
/// record.
runtime::Result<MetadataBatch> read_batch(codec::Bytes bytes);

}  // namespace dohle::metadata
