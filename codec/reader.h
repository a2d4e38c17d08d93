// Reads Kafka's primitive types from a byte range, big-endian. The failure is sticky: after the first read past the
// end or the first malformed value, `ok()` is false, every further read returns a zero value and nothing moves, so that
// a decoder reads a whole message and checks once. No length is believed before it was compared with what is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "codec/bytes.h"
#include "codec/uuid.h"

namespace dohle::codec {

class Reader {
 public:
  /// `bytes` must outlive the reader and every view that it hands out.
  explicit Reader(Bytes bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  std::size_t remaining() const { return ok_ ? bytes_.size() - position_ : 0; }
  std::size_t position() const { return position_; }
  /// Makes the failure sticky: for what only the caller can see is wrong.
  void fail() { ok_ = false; }

  std::int8_t i8();
  std::int16_t i16();
  std::uint16_t u16();
  std::int32_t i32();
  std::uint32_t u32();
  std::int64_t i64();
  double f64();
  bool boolean() { return i8() != 0; }
  Uuid uuid();

  /// Unsigned LEB128, at most 5 bytes (ByteUtils.readUnsignedVarint).
  std::uint32_t uvarint();
  /// Zig-zag LEB128, at most 5 bytes.
  std::int32_t varint();
  /// Zig-zag LEB128, at most 10 bytes.
  std::int64_t varlong();

  /// The next `size` bytes, as a view. Fails when fewer are left.
  Bytes view(std::size_t size);
  void skip(std::size_t size) { view(size); }

 private:
  const std::uint8_t* take(std::size_t size);

  Bytes bytes_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

}  // namespace dohle::codec
