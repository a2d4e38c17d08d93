// Hexadecimal text of testdata/.
#pragma once

#include <string_view>

#include "codec/bytes.h"

namespace dohle::groups {

inline codec::Blob from_hex(std::string_view text) {
  const auto digit = [](char c) { return static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10); };
  codec::Blob bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(digit(text[i]) << 4 | digit(text[i + 1])));
  }
  return bytes;
}

}  // namespace dohle::groups
