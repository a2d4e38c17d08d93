#include "codec/java_string.h"

#include <cstddef>

namespace dohle::codec {

namespace {

constexpr char32_t replacement = 0xfffd;

struct Decoded {
  char32_t code_point;
  std::size_t size;  // bytes taken
};

std::uint8_t at(std::string_view text, std::size_t index) {
  return index < text.size() ? static_cast<std::uint8_t>(text[index]) : std::uint8_t{0};
}

bool continues(std::uint8_t byte) {
  return (byte & 0xc0) == 0x80;
}

/// The range that the second byte must lie in; it excludes overlong forms and what is above U+10FFFF. Surrogates are
/// found later: Java replaces all three of their bytes by one character.
bool second_fits(std::uint8_t first, std::uint8_t second) {
  switch (first) {
    case 0xe0:
      return second >= 0xa0 && second <= 0xbf;
    case 0xf0:
      return second >= 0x90 && second <= 0xbf;
    case 0xf4:
      return second >= 0x80 && second <= 0x8f;
    default:
      return continues(second);
  }
}

Decoded decode(std::string_view text) {
  const std::uint8_t first = at(text, 0);
  if (first < 0x80) return {first, 1};
  std::size_t size = 0;
  if (first >= 0xc2 && first <= 0xdf) size = 2;
  if (first >= 0xe0 && first <= 0xef) size = 3;
  if (first >= 0xf0 && first <= 0xf4) size = 4;
  if (size == 0) return {replacement, 1};
  char32_t code_point = first & (0xffu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    const std::uint8_t byte = at(text, i);
    if (!(i == 1 ? second_fits(first, byte) : continues(byte))) return {replacement, i};
    code_point = (code_point << 6) | (byte & 0x3fu);
  }
  const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  return {surrogate ? replacement : code_point, size};
}

}  // namespace

std::int32_t java_hash(std::string_view utf8) {
  std::uint32_t hash = 0;
  while (!utf8.empty()) {
    const auto [code_point, size] = decode(utf8);
    utf8.remove_prefix(size);
    if (code_point < 0x10000) {
      hash = 31 * hash + static_cast<std::uint32_t>(code_point);
      continue;
    }
    const auto offset = static_cast<std::uint32_t>(code_point) - 0x10000;
    hash = 31 * hash + (0xd800 + (offset >> 10));
    hash = 31 * hash + (0xdc00 + (offset & 0x3ff));
  }
  return static_cast<std::int32_t>(hash);
}

}  // namespace dohle::codec
