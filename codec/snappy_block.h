// Decompresses one raw snappy block piece by piece. The library needs room for a whole block, and a block may be as
// large as a batch and inflate to twenty times its size.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/bytes.h"

namespace dohle::codec {

/// Copies may reach back 64 KiB, which is as far as any known compressor goes: all of them cut their input into
/// fragments of that size. The format would allow more; a block above `whole_bytes_max` that makes use of it is taken
/// for malformed. Blocks up to that size go through the library and have no such limit.
class SnappyBlock {
 public:
  static constexpr std::size_t whole_bytes_max = std::size_t{1} << 20;

  /// Begins a block, which is all of `input`.
  void reset(Bytes input);
  /// The next piece, valid until the next call; empty at the end and after a failure.
  Bytes next();
  bool failed() const { return failed_; }

 private:
  Bytes fail();
  Bytes inflate_whole();
  Bytes inflate_piece();
  bool read_tag();
  bool read_number(std::size_t size_bytes, std::uint32_t& value);
  bool copy_back();

  Bytes input_;
  Blob window_;
  std::size_t filled_ = 0;      // of the window
  std::size_t given_ = 0;       // of the window, what was handed out
  std::uint64_t expected_ = 0;  // the block's size, from its head
  std::uint64_t produced_ = 0;
  std::size_t literal_left_ = 0;
  std::size_t copy_left_ = 0;
  std::size_t copy_offset_ = 0;
  bool whole_ = false;
  bool ended_ = true;
  bool failed_ = false;
};

}  // namespace dohle::codec
