// The offset of each key's latest record, for compaction: 24 bytes a key, whatever the keys' sizes. Follows Kafka's
// SkimpyOffsetMap, but for two things that nobody outside can see: memory is taken as it is needed, and the hash is
// keyed (SipHash, 128 bits), so that no client can make two keys that collide.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/bytes.h"

namespace dohle::log {

/// One thread at a time.
class OffsetMap {
 public:
  static constexpr std::uint64_t entry_bytes = 24;

  /// log.cleaner.dedupe.buffer.size of one thread, and log.cleaner.io.buffer.load.factor: it is full with
  /// memory_bytes_max / 24 * load_factor keys (one at the least).
  OffsetMap(std::uint64_t memory_bytes_max, double load_factor);

  std::uint64_t entries_max() const { return entries_max_; }
  std::uint64_t size() const { return size_; }
  bool full() const { return size_ >= entries_max_; }
  std::uint64_t memory_bytes() const { return table_.size() * sizeof(Entry); }

  /// Not when it is full. The latest offset becomes `offset`.
  void put(codec::Bytes key, std::int64_t offset);
  /// -1 for a key that is not there.
  std::int64_t get(codec::Bytes key) const;
  /// Up to where the log is in the map; -1 at first.
  std::int64_t latest_offset() const { return latest_offset_; }
  void set_latest_offset(std::int64_t offset) { latest_offset_ = offset; }
  /// Forgets all and gives the memory back.
  void clear();

 private:
  struct Hash {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    bool operator==(const Hash&) const = default;
  };
  struct Entry {
    Hash hash;
    std::int64_t offset = -1;  // -1: free
  };

  Hash hash(codec::Bytes key) const;
  std::size_t position(const Hash& hash) const;
  void grow();

  std::array<std::uint64_t, 2> secret_;
  std::uint64_t slots_max_;
  std::uint64_t entries_max_;
  std::uint64_t size_ = 0;
  std::int64_t latest_offset_ = -1;
  std::vector<Entry> table_;
};

/// SipHash-2-4 with 128 bits, by its reference: low and high half. For tests.
std::array<std::uint64_t, 2> siphash128(codec::Bytes bytes, std::uint64_t key_low, std::uint64_t key_high);

}  // namespace dohle::log
