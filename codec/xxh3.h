// XXH3 with 64 bits, seed 0 and the default secret: what Kafka hashes topic metadata of groups with (KIP-1101).
#pragma once

#include <cstdint>

#include "codec/bytes.h"

namespace dohle::codec {

std::uint64_t xxh3_64(Bytes bytes);

}  // namespace dohle::codec
