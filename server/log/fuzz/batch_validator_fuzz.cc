// Sends anything as a Produce request's records, with the checksum made right, to topics of all kinds: no crash, and
// what is accepted is accepted again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "codec/crc32c.h"
#include "protocol/record_entry.h"
#include "server/log/batch_validator.h"

namespace {

using namespace dohle;

log::BatchPolicy policy_from(std::uint8_t bits) {
  log::BatchPolicy policy;
  if (bits & 1) policy.timestamp_type = protocol::TimestampType::log_append_time;
  policy.compacted = (bits & 2) != 0;
  if (bits & 4) policy.compression = codec::compression_from_id((bits >> 3) % 5);
  policy.max_message_bytes = 1 << 16;
  return policy;
}

void make_checksum_right(codec::MutableBytes bytes) {
  const auto entry = protocol::next_entry(bytes);
  if (!entry.batch()) return;
  const std::uint32_t crc = codec::crc32c(entry.bytes.subspan(21));
  for (unsigned i = 0; i < 4; ++i) bytes[17 + i] = static_cast<std::uint8_t>(crc >> (24 - 8 * i));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  codec::Blob bytes(data + 1, data + size);
  make_checksum_right(bytes);
  const auto entry = protocol::next_entry(bytes);
  const bool has_append_time =
      entry.batch() && entry.batch()->timestamp_type() == protocol::TimestampType::log_append_time;
  log::BatchInput input;
  input.records = bytes;
  input.request_version = 13;
  input.topic = "topic";
  input.now_ms = 1700000000000;
  log::BatchPolicy policy = policy_from(data[0]);
  log::BatchVerdict verdict = log::validate_batch(input, policy);
  if (!verdict.ok()) {
    if (verdict.reason.empty() || !verdict.batch.empty()) std::abort();
    return 0;
  }
  if (!verdict.view().crc_is_valid()) std::abort();
  if (verdict.batch.size() > static_cast<std::size_t>(policy.max_message_bytes)) std::abort();
  if (log::stamp_batch(verdict.batch, 100, 3) != 100 + verdict.record_count) std::abort();
  // With append time, of the topic or of the batch, the records' timestamps count for the first time or not at all.
  if (has_append_time || policy.timestamp_type == protocol::TimestampType::log_append_time) return 0;
  protocol::MutableRecordBatch(verdict.batch).set_base_offset(0);
  codec::Blob again(verdict.batch.begin(), verdict.batch.end());
  input.records = again;
  const log::BatchVerdict second = log::validate_batch(input, policy);
  if (!second.ok() || !std::ranges::equal(second.batch, verdict.batch)) std::abort();
  return 0;
}
