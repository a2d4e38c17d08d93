#include "server/log/producer_snapshot.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/crc32c.h"
#include "codec/reader.h"
#include "codec/writer.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::failure;
using runtime::Result;

namespace {

constexpr std::int16_t version = 1;
constexpr std::size_t crc_position = 2;
constexpr std::size_t entries_position = 6;
constexpr std::size_t entry_bytes = 46;

}  // namespace

codec::Blob encode_producer_snapshot(const std::unordered_map<std::int64_t, ProducerEntry>& producers) {
  codec::Writer writer;
  writer.reserve(entries_position + 4 + producers.size() * entry_bytes);
  writer.i16(version);
  writer.i32(0);
  writer.i32(static_cast<std::int32_t>(producers.size()));
  for (const auto& [producer_id, entry] : producers) {
    writer.i64(producer_id);
    writer.i16(entry.epoch);
    writer.i32(entry.last_sequence());
    writer.i64(entry.last_data_offset());
    writer.i32(entry.last_offset_delta());
    writer.i64(entry.last_timestamp_ms);
    writer.i32(entry.coordinator_epoch);
    writer.i64(entry.transaction_first_offset.value_or(-1));
  }
  const std::uint32_t crc = codec::crc32c(writer.bytes().subspan(entries_position));
  writer.patch_i32(crc_position, static_cast<std::int32_t>(crc));
  return writer.release();
}

Result<std::vector<ProducerEntry>> decode_producer_snapshot(codec::Bytes bytes) {
  codec::Reader reader(bytes);
  const std::int16_t found_version = reader.i16();
  const std::uint32_t crc = reader.u32();
  if (!reader.ok() || found_version != version) {
    return failure(ErrorKind::corrupt, fmt::format("producer snapshot has the unknown version {}", found_version));
  }
  if (crc != codec::crc32c(bytes.subspan(entries_position))) {
    return failure(ErrorKind::corrupt, "producer snapshot has a wrong CRC");
  }
  const std::int32_t count = reader.i32();
  if (count < 0 || static_cast<std::size_t>(count) > reader.remaining() / entry_bytes) {
    return failure(ErrorKind::corrupt, fmt::format("producer snapshot has room for less than {} entries", count));
  }
  std::vector<ProducerEntry> entries(static_cast<std::size_t>(count));
  for (ProducerEntry& entry : entries) {
    entry.producer_id = reader.i64();
    entry.epoch = reader.i16();
    ProducerBatch batch;
    batch.last_sequence = reader.i32();
    batch.last_offset = reader.i64();
    batch.offset_delta = reader.i32();
    entry.last_timestamp_ms = reader.i64();
    batch.timestamp_ms = entry.last_timestamp_ms;
    entry.coordinator_epoch = reader.i32();
    const std::int64_t first_offset = reader.i64();
    if (first_offset >= 0) entry.transaction_first_offset = first_offset;
    if (batch.last_offset >= 0) entry.batches.push_back(batch);
  }
  return entries;
}

}  // namespace dohle::log
