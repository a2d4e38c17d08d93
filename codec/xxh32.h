// XXH32, which lz4 frames are guarded by (the library keeps its own to itself).
#pragma once

#include <cstdint>

#include "codec/bytes.h"

namespace dohle::codec {

/// The 32-bit xxHash of `bytes` with seed 0. Any thread.
std::uint32_t xxh32(Bytes bytes);

}  // namespace dohle::codec
