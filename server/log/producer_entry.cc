#include "server/log/producer_entry.h"

#include <limits>

namespace dohle::log {

namespace {

constexpr std::int32_t sequence_max = std::numeric_limits<std::int32_t>::max();

}  // namespace

std::int32_t increment_sequence(std::int32_t sequence, std::int32_t count) {
  if (sequence > sequence_max - count) return count - (sequence_max - sequence) - 1;
  return sequence + count;
}

std::int32_t decrement_sequence(std::int32_t sequence, std::int32_t count) {
  if (sequence < count) return sequence_max - (count - sequence) + 1;
  return sequence - count;
}

void ProducerBatches::push_back(const ProducerBatch& batch) {
  if (size_ == size_max) {
    std::move(batches_.begin() + 1, batches_.end(), batches_.begin());
    --size_;
  }
  batches_[size_++] = batch;
}

std::optional<ProducerBatch> ProducerEntry::find_duplicate(std::int16_t batch_epoch, std::int32_t first_sequence,
                                                           std::int32_t last_sequence) const {
  if (batch_epoch != epoch) return std::nullopt;
  for (const ProducerBatch& batch : batches) {
    if (batch.first_sequence() == first_sequence && batch.last_sequence == last_sequence) return batch;
  }
  return std::nullopt;
}

void ProducerEntry::add_batch(std::int16_t batch_epoch, const ProducerBatch& batch) {
  if (batch_epoch != epoch) {
    batches.clear();
    epoch = batch_epoch;
  }
  batches.push_back(batch);
  last_timestamp_ms = batch.timestamp_ms;
}

}  // namespace dohle::log
