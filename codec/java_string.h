// Java's String.hashCode and Kafka's Utils.abs, by which names are mapped to partitions of internal topics.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace dohle::codec {

/// String.hashCode of the string that Java decodes from `utf8`: h = 31 * h + unit over UTF-16 code units, wrapping.
/// Malformed input counts as U+FFFD, once per maximal wrong subsequence, as Java's decoder replaces it.
std::int32_t java_hash(std::string_view utf8);

/// Kafka's Utils.abs: the absolute value, and 0 for the smallest int. Not the same as clearing the sign bit.
constexpr std::int32_t java_abs(std::int32_t value) {
  if (value == std::numeric_limits<std::int32_t>::min()) return 0;
  return value < 0 ? -value : value;
}

}  // namespace dohle::codec
