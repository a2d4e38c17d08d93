// Writes Kafka's primitive types, big-endian, into a growing buffer of its own. A failure ("this version cannot say
// that") is sticky and carries its reason; what was written up to then is of no use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/uuid.h"

namespace dohle::codec {

class Writer {
 public:
  /// Room that the caller fills on the way out (a Fetch response's records, sent from a file): `size_bytes` bytes that
  /// belong at `position` of the written bytes, and are not among them.
  struct Gap {
    std::size_t position;
    std::size_t size_bytes;
  };

  void i8(std::int8_t value);
  void i16(std::int16_t value);
  void u16(std::uint16_t value);
  void i32(std::int32_t value);
  void u32(std::uint32_t value);
  void i64(std::int64_t value);
  void f64(double value);
  void boolean(bool value) { i8(value ? 1 : 0); }
  void uuid(const Uuid& value);
  void uvarint(std::uint32_t value);
  void varint(std::int32_t value);
  void varlong(std::int64_t value);
  void raw(Bytes bytes);
  void raw(std::string_view text) { raw(as_bytes(text)); }
  void gap(std::size_t size_bytes) { gaps_.push_back({bytes_.size(), size_bytes}); }

  /// Overwrites four bytes that are already there: a length that was not known before.
  void patch_i32(std::size_t position, std::int32_t value);

  /// The first failure wins.
  void fail(std::string reason);
  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }

  std::size_t size() const { return bytes_.size(); }
  /// What was written, and the gaps together: the size on the wire.
  std::size_t size_with_gaps() const;
  Bytes bytes() const { return bytes_; }
  const std::vector<Gap>& gaps() const { return gaps_; }
  /// Takes the bytes away; the writer is empty after it.
  std::vector<std::uint8_t> release();
  void reserve(std::size_t size_bytes) { bytes_.reserve(size_bytes); }
  void clear();

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<Gap> gaps_;
  std::string error_;
};

}  // namespace dohle::codec
