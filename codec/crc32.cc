#include "codec/crc32.h"

#include <zlib.h>

namespace dohle::codec {

std::uint32_t crc32(Bytes bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

}  // namespace dohle::codec
