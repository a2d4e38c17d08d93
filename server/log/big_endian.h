// Numbers in the byte order of Kafka's files, for entries of fixed size.
#pragma once

#include <cstdint>

namespace dohle::log {

template <typename Number>
Number load_big_endian(const std::uint8_t* bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) value = value << 8 | bytes[i];
  return static_cast<Number>(value);
}

template <typename Number>
void store_big_endian(std::uint8_t* bytes, Number number) {
  auto value = static_cast<std::uint64_t>(number);
  for (std::size_t i = sizeof(Number); i-- > 0; value >>= 8) bytes[i] = static_cast<std::uint8_t>(value);
}

}  // namespace dohle::log
