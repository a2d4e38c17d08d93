// What the targets of all four codecs do.
#pragma once

#include <cstddef>
#include <cstdlib>

#include "codec/bytes.h"
#include "codec/compression.h"
#include "codec/inflater.h"

namespace dohle::codec {

/// Inflates `input` (at most some megabytes of it) in pieces and by reads of an odd size, and compares; then compresses
/// it and demands it back.
inline void fuzz_inflate(Compression compression, Bytes input) {
  constexpr std::size_t enough = 4 << 20;
  Blob whole;
  Inflater pieces(compression, input);
  for (Bytes piece = pieces.next_chunk(); !piece.empty() && whole.size() < enough; piece = pieces.next_chunk()) {
    whole.insert(whole.end(), piece.begin(), piece.end());
  }
  Inflater reads(compression, input);
  Blob room(777);
  std::size_t at = 0;
  while (at < whole.size()) {
    const auto size = reads.read(room);
    if (!size) break;
    for (std::size_t i = 0; i < *size && at + i < whole.size(); ++i) {
      if (room[i] != whole[at + i]) std::abort();
    }
    at += *size;
    if (*size < room.size()) break;
  }
  if (!pieces.failed() && at < whole.size()) std::abort();
  const Blob packed = compress(compression, default_compression_level(compression), input);
  if (input.empty() && compression == Compression::snappy) return;
  if (inflate(compression, packed, input.size()) != Blob(input.begin(), input.end())) std::abort();
}

}  // namespace dohle::codec
