#include "server/log/offset_map.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

#include "server/runtime/check.h"

namespace dohle::log {

namespace {

constexpr std::size_t slots_at_first = 1024;

std::uint64_t load_little_endian(const std::uint8_t* bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
  return value;
}

struct SipState {
  std::uint64_t v0, v1, v2, v3;

  void rounds(int count) {
    for (int i = 0; i < count; ++i) {
      v0 += v1;
      v1 = std::rotl(v1, 13) ^ v0;
      v0 = std::rotl(v0, 32);
      v2 += v3;
      v3 = std::rotl(v3, 16) ^ v2;
      v0 += v3;
      v3 = std::rotl(v3, 21) ^ v0;
      v2 += v1;
      v1 = std::rotl(v1, 17) ^ v2;
      v2 = std::rotl(v2, 32);
    }
  }
  void take(std::uint64_t word) {
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  }
  std::uint64_t sum() const { return v0 ^ v1 ^ v2 ^ v3; }
};

}  // namespace

std::array<std::uint64_t, 2> siphash128(codec::Bytes bytes, std::uint64_t key_low, std::uint64_t key_high) {
  SipState state{key_low ^ 0x736f6d6570736575, key_high ^ 0x646f72616e646f6d ^ 0xee, key_low ^ 0x6c7967656e657261,
                 key_high ^ 0x7465646279746573};
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) state.take(load_little_endian(bytes.data() + i, 8));
  const std::uint64_t tail = i < bytes.size() ? load_little_endian(bytes.data() + i, bytes.size() - i) : 0;
  state.take(std::uint64_t{bytes.size()} << 56 | tail);
  state.v2 ^= 0xee;
  state.rounds(4);
  const std::uint64_t low = state.sum();
  state.v1 ^= 0xdd;
  state.rounds(4);
  return {low, state.sum()};
}

OffsetMap::OffsetMap(std::uint64_t memory_bytes_max, double load_factor)
    : slots_max_(std::max<std::uint64_t>(memory_bytes_max / entry_bytes, 2)),
      entries_max_(std::clamp<std::uint64_t>(static_cast<std::uint64_t>(static_cast<double>(slots_max_) * load_factor),
                                             1, slots_max_ - 1)) {
  std::random_device random;
  for (std::uint64_t& half : secret_) half = std::uint64_t{random()} << 32 | random();
}

OffsetMap::Hash OffsetMap::hash(codec::Bytes key) const {
  const auto halves = siphash128(key, secret_[0], secret_[1]);
  return {halves[1], halves[0]};
}

std::size_t OffsetMap::position(const Hash& hash) const {
  std::size_t n = static_cast<std::size_t>(hash.low % table_.size());
  // At least one slot is always free.
  while (table_[n].offset >= 0 && table_[n].hash != hash) n = n + 1 == table_.size() ? 0 : n + 1;
  return n;
}

void OffsetMap::grow() {
  std::vector<Entry> old = std::move(table_);
  const std::uint64_t wanted = old.empty() ? slots_at_first : old.size() * 2;
  table_.assign(static_cast<std::size_t>(std::min(wanted, slots_max_)), Entry{});
  for (const Entry& entry : old) {
    if (entry.offset >= 0) table_[position(entry.hash)] = entry;
  }
}

void OffsetMap::put(codec::Bytes key, std::int64_t offset) {
  CHECK(!full() && offset >= 0);
  if (table_.size() < slots_max_ && (size_ + 1) * 4 > table_.size() * 3) grow();
  const Hash hashed = hash(key);
  Entry& entry = table_[position(hashed)];
  if (entry.offset < 0) ++size_;
  entry = {hashed, offset};
  latest_offset_ = offset;
}

std::int64_t OffsetMap::get(codec::Bytes key) const {
  if (table_.empty()) return -1;
  return table_[position(hash(key))].offset;
}

void OffsetMap::clear() {
  table_ = {};
  size_ = 0;
  latest_offset_ = -1;
}

}  // namespace dohle::log
