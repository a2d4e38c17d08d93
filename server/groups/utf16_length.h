// Java's String.length().
#pragma once

#include <cstddef>
#include <string_view>

namespace dohle::groups {

/// How many UTF-16 units valid UTF-8 has: four bytes make two of them.
inline std::size_t utf16_length(std::string_view utf8) {
  std::size_t units = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

}  // namespace dohle::groups
