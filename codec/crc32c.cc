#include "codec/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace dohle::codec {

std::uint32_t crc32c(Bytes bytes) {
  return crc32c_extend(0, bytes);
}

std::uint32_t crc32c_extend(std::uint32_t crc, Bytes bytes) {
  // ISA-L counts in int, and its signature lacks the const that its code keeps to.
  constexpr std::size_t stride = std::numeric_limits<int>::max();
  std::uint32_t state = ~crc;
  while (!bytes.empty()) {
    const std::size_t size = std::min(bytes.size(), stride);
    state = crc32_iscsi(const_cast<unsigned char*>(bytes.data()), static_cast<int>(size), state);
    bytes = bytes.subspan(size);
  }
  return ~state;
}

}  // namespace dohle::codec
