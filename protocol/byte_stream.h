// Reads numbers and skips bytes over a payload that may be compressed, through the inflater's bounded window.
// Source: the InputStream side of org.apache.kafka.common.utils.internals.ByteUtils.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "codec/bytes.h"
#include "codec/compression.h"
#include "codec/deflater.h"
#include "codec/inflater.h"

namespace dohle::protocol {

/// The failure is sticky, as codec::Reader's: after it every read gives zero and nothing moves.
class ByteStream {
 public:
  enum class Failure {
    none,
    ended,      // fewer bytes than asked for
    too_long,   // a varint whose last byte says that it goes on
    inflate,    // the compressed data is malformed
    too_large,  // it inflates to more than asked for
  };

  /// `payload` outlives it. A compressed one is inflated up to `inflated_bytes_max`, or one window more.
  ByteStream(codec::Compression compression, codec::Bytes payload,
             std::uint64_t inflated_bytes_max = std::numeric_limits<std::uint64_t>::max())
      : inflated_bytes_max_(inflated_bytes_max) {
    if (compression == codec::Compression::none) {
      begin_ = payload.data();
      end_ = begin_ + payload.size();
    } else {
      inflater_.emplace(compression, payload);
    }
    at_ = begin_;
  }

  Failure failure() const { return failure_; }
  bool ok() const { return failure_ == Failure::none; }
  /// Bytes read so far.
  std::uint64_t position() const { return before_ + static_cast<std::uint64_t>(at_ - begin_); }

  std::uint8_t byte() {
    if (at_ == end_ && !refill()) return 0;
    return *at_++;
  }

  std::int32_t varint() {
    const auto bits = static_cast<std::uint32_t>(leb128(35));
    return static_cast<std::int32_t>((bits >> 1) ^ (0U - (bits & 1)));
  }

  std::int64_t varlong() {
    const std::uint64_t bits = leb128(70);
    return static_cast<std::int64_t>((bits >> 1) ^ (0ULL - (bits & 1)));
  }

  /// Nothing happens for a size below zero, which stands for null.
  void skip(std::int64_t size_bytes) {
    while (size_bytes > 0 && ok()) {
      if (at_ == end_ && !refill()) return;
      const std::int64_t step = std::min<std::int64_t>(size_bytes, end_ - at_);
      at_ += step;
      size_bytes -= step;
    }
  }

  void copy(std::int64_t size_bytes, codec::Deflater& to);

  /// True when there is nothing more. A failure to find out makes it false and the stream failed.
  bool at_end();

 private:
  /// At most `bits_max` bits come in groups of seven; what exceeds the type is dropped, as in Kafka.
  std::uint64_t leb128(unsigned bits_max) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < bits_max; shift += 7) {
      const std::uint8_t next = byte();
      value |= static_cast<std::uint64_t>(next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
    fail(Failure::too_long);
    return 0;
  }

  bool refill();
  void fail(Failure failure);

  std::uint64_t inflated_bytes_max_;
  std::optional<codec::Inflater> inflater_;
  const std::uint8_t* begin_ = nullptr;
  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  std::uint64_t before_ = 0;
  Failure failure_ = Failure::none;
};

}  // namespace dohle::protocol
