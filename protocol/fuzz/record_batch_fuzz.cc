// Walks over anything as a log, reads and scans its batches, and demands that both readers agree.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "protocol/control_record.h"
#include "protocol/record.h"
#include "protocol/record_entry.h"
#include "protocol/record_scanner.h"

namespace {

using namespace dohle::protocol;

constexpr std::size_t inflated_bytes_max = 1 << 20;

void read(const RecordBatch& batch) {
  if (!batch.compression()) return;
  std::int64_t count_read = 0;
  RecordReader reader(batch, inflated_bytes_max);
  for (Record record; reader.next(record); ++count_read) {
    if (static_cast<std::int32_t>(record.headers().size()) != record.header_count) std::abort();
    if (record.key) parse_control_record_key(*record.key);
    if (record.value) parse_end_transaction_value(*record.value);
  }
  if (reader.error() == RecordsError::too_large) return;
  for (const ScanDepth depth : {ScanDepth::full, ScanDepth::partial}) {
    std::int64_t count_scanned = 0;
    RecordScanner scanner(batch, depth);
    for (ScannedRecord record; scanner.next(record);) ++count_scanned;
    if (depth == ScanDepth::partial) continue;
    const bool read_well = reader.error() == RecordsError::none;
    if (read_well != (scanner.error() == RecordsError::none)) std::abort();
    if (read_well && count_read != count_scanned) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dohle::codec::Blob bytes(data, data + size);
  dohle::codec::Bytes rest = bytes;
  for (RecordEntry entry = next_entry(rest); entry.complete(); entry = next_entry(rest)) {
    rest = rest.subspan(entry.bytes.size());
    entry.offset();
    if (entry.magic < 2) {
      const LegacyEntry legacy(entry);
      if (legacy.is_valid()) {
        legacy.timestamp();
        legacy.compression();
      }
      continue;
    }
    const auto batch = entry.batch();
    if (!batch) continue;
    batch->crc_is_valid();
    batch->last_sequence();
    read(*batch);
  }
  return 0;
}
