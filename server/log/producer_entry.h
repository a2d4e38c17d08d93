// What a partition remembers of one producer: its epoch, its last five batches and its open transaction.
// Follows Kafka's ProducerStateEntry and BatchMetadata (KIP-98).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace dohle::log {

inline constexpr std::int64_t no_producer_id = -1;
inline constexpr std::int16_t no_producer_epoch = -1;
inline constexpr std::int32_t no_sequence = -1;
inline constexpr std::int64_t no_timestamp = -1;

/// Sequence numbers wrap from 2^31-1 to 0 (DefaultRecordBatch.incrementSequence); `count` is never negative.
std::int32_t increment_sequence(std::int32_t sequence, std::int32_t count);
std::int32_t decrement_sequence(std::int32_t sequence, std::int32_t count);

struct ProducerBatch {
  std::int32_t last_sequence = no_sequence;
  std::int64_t last_offset = -1;
  std::int32_t offset_delta = 0;  // last offset - first offset
  std::int64_t timestamp_ms = no_timestamp;

  std::int32_t first_sequence() const { return decrement_sequence(last_sequence, offset_delta); }
  std::int64_t first_offset() const { return last_offset - offset_delta; }
  bool operator==(const ProducerBatch&) const = default;
};

/// The last batches of a producer, oldest first: five, as Kafka keeps them and clients rely on.
class ProducerBatches {
 public:
  static constexpr std::size_t size_max = 5;

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const ProducerBatch* begin() const { return batches_.data(); }
  const ProducerBatch* end() const { return batches_.data() + size_; }
  const ProducerBatch& back() const { return batches_[size_ - 1]; }
  void clear() { size_ = 0; }
  /// Forgets the oldest if there are five already.
  void push_back(const ProducerBatch& batch);
  bool operator==(const ProducerBatches& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  std::array<ProducerBatch, size_max> batches_;
  std::uint8_t size_ = 0;
};

struct ProducerEntry {
  std::int64_t producer_id = no_producer_id;
  std::int16_t epoch = no_producer_epoch;
  std::int32_t coordinator_epoch = -1;
  std::int64_t last_timestamp_ms = no_timestamp;
  std::optional<std::int64_t> transaction_first_offset;
  ProducerBatches batches;

  std::int32_t last_sequence() const { return batches.empty() ? no_sequence : batches.back().last_sequence; }
  std::int64_t last_data_offset() const { return batches.empty() ? -1 : batches.back().last_offset; }
  std::int32_t last_offset_delta() const { return batches.empty() ? 0 : batches.back().offset_delta; }

  /// The remembered batch with exactly these sequences in this epoch: the one that is sent again.
  std::optional<ProducerBatch> find_duplicate(std::int16_t batch_epoch, std::int32_t first_sequence,
                                              std::int32_t last_sequence) const;
  /// A new epoch forgets the batches of the former one.
  void add_batch(std::int16_t batch_epoch, const ProducerBatch& batch);
  bool operator==(const ProducerEntry&) const = default;
};

}  // namespace dohle::log
