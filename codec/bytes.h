// The two views that everything passes bytes around in. Neither owns anything.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dohle::codec {

using Bytes = std::span<const std::uint8_t>;
using MutableBytes = std::span<std::uint8_t>;

/// Owned opaque bytes: group metadata, SCRAM salts, record keys.
using Blob = std::vector<std::uint8_t>;

inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace dohle::codec
