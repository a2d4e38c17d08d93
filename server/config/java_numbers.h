// Numbers as Java reads and prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dohle::config {

/// Java's String.trim: takes away characters up to U+0020 at both ends.
std::string_view java_trim(std::string_view text);

/// Long.parseLong within [min, max]; nullopt where Java throws NumberFormatException.
std::optional<std::int64_t> parse_java_integer(std::string_view text, std::int64_t min, std::int64_t max);

/// Double.parseDouble; nullopt where Java throws NumberFormatException.
std::optional<double> parse_java_double(std::string_view text);

/// Double.toString.
std::string java_double(double value);

/// Whether Duration.parse takes it, and its sign: nullopt if not, else whether the duration is negative.
std::optional<bool> parse_java_duration(std::string_view text);

/// String.hashCode of an ASCII text, spread as java.util.HashMap spreads it.
std::uint32_t java_hash(std::string_view text);

}  // namespace dohle::config
