#include "codec/writer.h"

#include <array>
#include <bit>
#include <utility>

namespace dohle::codec {

namespace {

template <typename Unsigned>
void append(std::vector<std::uint8_t>& bytes, Unsigned value) {
  std::array<std::uint8_t, sizeof(Unsigned)> raw;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    raw[raw.size() - 1 - i] = static_cast<std::uint8_t>(value & 0xff);
    if constexpr (sizeof(Unsigned) > 1) value = static_cast<Unsigned>(value >> 8);
  }
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

template <typename Unsigned>
void append_leb128(std::vector<std::uint8_t>& bytes, Unsigned value) {
  while (value >= 0x80) {
    bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
    value >>= 7;
  }
  bytes.push_back(static_cast<std::uint8_t>(value));
}

}  // namespace

void Writer::i8(std::int8_t value) {
  bytes_.push_back(static_cast<std::uint8_t>(value));
}
void Writer::i16(std::int16_t value) {
  append(bytes_, static_cast<std::uint16_t>(value));
}
void Writer::u16(std::uint16_t value) {
  append(bytes_, value);
}
void Writer::i32(std::int32_t value) {
  append(bytes_, static_cast<std::uint32_t>(value));
}
void Writer::u32(std::uint32_t value) {
  append(bytes_, value);
}
void Writer::i64(std::int64_t value) {
  append(bytes_, static_cast<std::uint64_t>(value));
}
void Writer::f64(double value) {
  append(bytes_, std::bit_cast<std::uint64_t>(value));
}

void Writer::uuid(const Uuid& value) {
  bytes_.insert(bytes_.end(), value.bytes.begin(), value.bytes.end());
}

void Writer::uvarint(std::uint32_t value) {
  append_leb128(bytes_, value);
}

void Writer::varint(std::int32_t value) {
  const auto bits = static_cast<std::uint32_t>(value);
  append_leb128(bytes_, (bits << 1) ^ static_cast<std::uint32_t>(value >> 31));
}

void Writer::varlong(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  append_leb128(bytes_, (bits << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

void Writer::raw(Bytes bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void Writer::patch_i32(std::size_t position, std::int32_t value) {
  // A position that is not wholly written is a caller's bug that must not become a wild write.
  if (position > bytes_.size() || bytes_.size() - position < 4) {
    fail("patch_i32 beyond the written bytes");
    return;
  }
  const auto bits = static_cast<std::uint32_t>(value);
  for (unsigned i = 0; i < 4; ++i) bytes_[position + i] = static_cast<std::uint8_t>(bits >> (24 - 8 * i));
}

void Writer::fail(std::string reason) {
  if (error_.empty()) error_ = reason.empty() ? "failed" : std::move(reason);
}

std::size_t Writer::size_with_gaps() const {
  std::size_t size = bytes_.size();
  for (const Gap& gap : gaps_) size += gap.size_bytes;
  return size;
}

std::vector<std::uint8_t> Writer::release() {
  std::vector<std::uint8_t> bytes = std::move(bytes_);
  clear();
  return bytes;
}

void Writer::clear() {
  bytes_.clear();
  gaps_.clear();
  error_.clear();
}

}  // namespace dohle::codec
