// CRC-32C (Castagnoli), which guards record batches, in hardware through ISA-L where the processor has it.
#pragma once

#include <cstdint>

#include "codec/bytes.h"

namespace dohle::codec {

/// The checksum of `bytes`; of none it is 0. Any thread.
std::uint32_t crc32c(Bytes bytes);

/// The checksum of what `crc` is the checksum of, followed by `bytes`: crc32c(a + b) == crc32c_extend(crc32c(a), b).
std::uint32_t crc32c_extend(std::uint32_t crc, Bytes bytes);

}  // namespace dohle::codec
