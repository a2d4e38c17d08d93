// The CRC-32 of IEEE 802.3, which guards messages of the formats before record batches.
#pragma once

#include <cstdint>

#include "codec/bytes.h"

namespace dohle::codec {

/// Any thread.
std::uint32_t crc32(Bytes bytes);

}  // namespace dohle::codec
