#include "codec/reader.h"

#include <bit>
#include <cstring>

namespace dohle::codec {

namespace {

template <typename Unsigned>
Unsigned big_endian(const std::uint8_t* from) {
  Unsigned value = 0;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) value = static_cast<Unsigned>((value << 8) | from[i]);
  return value;
}

}  // namespace

const std::uint8_t* Reader::take(std::size_t size) {
  if (!ok_ || size > bytes_.size() - position_) {
    ok_ = false;
    return nullptr;
  }
  const std::uint8_t* from = bytes_.data() + position_;
  position_ += size;
  return from;
}

std::int8_t Reader::i8() {
  const std::uint8_t* from = take(1);
  return from ? static_cast<std::int8_t>(*from) : std::int8_t{0};
}

std::uint16_t Reader::u16() {
  const std::uint8_t* from = take(2);
  return from ? big_endian<std::uint16_t>(from) : std::uint16_t{0};
}

std::int16_t Reader::i16() {
  return static_cast<std::int16_t>(u16());
}

std::uint32_t Reader::u32() {
  const std::uint8_t* from = take(4);
  return from ? big_endian<std::uint32_t>(from) : 0;
}

std::int32_t Reader::i32() {
  return static_cast<std::int32_t>(u32());
}

std::int64_t Reader::i64() {
  const std::uint8_t* from = take(8);
  return from ? static_cast<std::int64_t>(big_endian<std::uint64_t>(from)) : 0;
}

double Reader::f64() {
  return std::bit_cast<double>(i64());
}

Uuid Reader::uuid() {
  Uuid id;
  if (const std::uint8_t* from = take(id.bytes.size())) std::memcpy(id.bytes.data(), from, id.bytes.size());
  return id;
}

// As in Kafka, what the last byte holds beyond the type's width is dropped; only its continuation bit is an error.
std::uint32_t Reader::uvarint() {
  std::uint32_t value = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    const std::uint8_t* from = take(1);
    if (!from) return 0;
    value |= static_cast<std::uint32_t>(*from & 0x7f) << shift;
    if (*from < 0x80) return value;
  }
  ok_ = false;
  return 0;
}

std::int32_t Reader::varint() {
  const std::uint32_t value = uvarint();
  return static_cast<std::int32_t>((value >> 1) ^ (0U - (value & 1)));
}

std::int64_t Reader::varlong() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    const std::uint8_t* from = take(1);
    if (!from) return 0;
    value |= static_cast<std::uint64_t>(*from & 0x7f) << shift;
    if (*from < 0x80) return static_cast<std::int64_t>((value >> 1) ^ (0ULL - (value & 1)));
  }
  ok_ = false;
  return 0;
}

Bytes Reader::view(std::size_t size) {
  const std::uint8_t* from = take(size);
  return from ? Bytes(from, size) : Bytes();
}

}  // namespace dohle::codec
