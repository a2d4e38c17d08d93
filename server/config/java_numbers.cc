#include "server/config/java_numbers.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace dohle::config {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

std::size_t take_digits(std::string_view text, std::size_t& at, bool (*accepts)(char) = is_digit) {
  std::size_t begin = at;
  while (at < text.size() && accepts(text[at])) ++at;
  return at - begin;
}

bool take_sign(std::string_view text, std::size_t& at) {
  if (at >= text.size() || (text[at] != '+' && text[at] != '-')) return false;
  return text[at++] == '-';
}

// The grammar of Double.valueOf, without sign, NaN and Infinity; `at` is left after what was read.
bool is_floating_literal(std::string_view text) {
  std::size_t at = 0;
  bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (hexadecimal) at = 2;
  auto* accepts = hexadecimal ? is_hex_digit : is_digit;
  std::size_t digits = take_digits(text, at, accepts);
  if (at < text.size() && text[at] == '.') digits += take_digits(text, ++at, accepts);
  if (digits == 0) return false;
  char mark = at < text.size() ? static_cast<char>(text[at] | 0x20) : '\0';
  if (mark == (hexadecimal ? 'p' : 'e')) {
    take_sign(text, ++at);
    if (take_digits(text, at) == 0) return false;
  } else if (hexadecimal) {
    return false;
  }
  if (at < text.size() && std::string_view("dDfF").contains(text[at])) ++at;
  return at == text.size();
}

// One "[-+]?[0-9]+<unit>" of a duration; nullopt if it is not there.
std::optional<double> take_component(std::string_view text, std::size_t& at, char unit) {
  std::size_t start = at;
  bool negative = take_sign(text, at);
  std::size_t first = at;
  std::size_t digits = take_digits(text, at);
  if (digits == 0 || at >= text.size() || (text[at] & ~0x20) != unit) {
    at = start;
    return std::nullopt;
  }
  double value = std::strtod(std::string(text.substr(first, digits)).c_str(), nullptr);
  ++at;
  return negative ? -value : value;
}

std::optional<double> take_seconds(std::string_view text, std::size_t& at) {
  std::size_t start = at;
  bool negative = take_sign(text, at);
  std::size_t first = at;
  std::size_t digits = take_digits(text, at);
  std::string number(text.substr(first, digits));
  if (digits > 0 && at < text.size() && (text[at] == '.' || text[at] == ',')) {
    std::size_t fraction = ++at;
    std::size_t count = take_digits(text, at);
    number += "." + std::string(text.substr(fraction, count));
    if (count > 9) digits = 0;
  }
  if (digits == 0 || at >= text.size() || (text[at] & ~0x20) != 'S') {
    at = start;
    return std::nullopt;
  }
  ++at;
  double value = std::strtod(number.c_str(), nullptr);
  return negative ? -value : value;
}

}  // namespace

std::string_view java_trim(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> parse_java_integer(std::string_view text, std::int64_t min, std::int64_t max) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return std::nullopt;
  }
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < min || value > max) return std::nullopt;
  return value;
}

std::optional<double> parse_java_double(std::string_view text) {
  text = java_trim(text);
  std::size_t at = 0;
  bool negative = take_sign(text, at);
  std::string_view magnitude = text.substr(at);
  double value = 0;
  if (magnitude == "NaN") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (magnitude == "Infinity") {
    value = std::numeric_limits<double>::infinity();
  } else if (is_floating_literal(magnitude)) {
    value = std::strtod(std::string(magnitude).c_str(), nullptr);
  } else {
    return std::nullopt;
  }
  return negative ? -value : value;
}

std::string java_double(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  if (value == 0) return std::signbit(value) ? "-0.0" : "0.0";
  std::array<char, 40> buffer;
  auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value), std::chars_format::scientific).ptr;
  std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  std::size_t mark = text.find('e');
  int exponent = 0;
  const auto* exponent_begin = text.data() + mark + (text[mark + 1] == '+' ? 2 : 1);
  std::from_chars(exponent_begin, text.data() + text.size(), exponent);
  std::string digits(1, text[0]);
  if (mark > 2) digits += text.substr(2, mark - 2);
  std::string result = value < 0 ? "-" : "";
  if (exponent < -3 || exponent >= 7) {
    result += digits.substr(0, 1) + "." + (digits.size() > 1 ? digits.substr(1) : "0") + "E" + std::to_string(exponent);
  } else if (exponent < 0) {
    result += "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  } else {
    auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() <= whole) digits.append(whole + 1 - digits.size(), '0');
    result += digits.substr(0, whole) + "." + digits.substr(whole);
  }
  return result;
}

std::optional<bool> parse_java_duration(std::string_view text) {
  std::size_t at = 0;
  bool negated = take_sign(text, at);
  if (at >= text.size() || (text[at] & ~0x20) != 'P') return std::nullopt;
  ++at;
  std::optional<double> days = take_component(text, at, 'D');
  double seconds = days.value_or(0) * 86'400;
  bool any = days.has_value();
  if (at < text.size() && (text[at] & ~0x20) == 'T') {
    ++at;
    std::optional<double> hours = take_component(text, at, 'H');
    std::optional<double> minutes = take_component(text, at, 'M');
    std::optional<double> rest = take_seconds(text, at);
    if (!hours && !minutes && !rest) return std::nullopt;
    any = true;
    seconds += hours.value_or(0) * 3'600 + minutes.value_or(0) * 60 + rest.value_or(0);
  }
  // A long holds the seconds of a Duration.
  if (!any || at != text.size() || std::abs(seconds) >= 0x1p63) return std::nullopt;
  return (negated ? -seconds : seconds) < 0;
}

std::uint32_t java_hash(std::string_view text) {
  std::uint32_t hash = 0;
  for (char c : text) hash = hash * 31 + static_cast<unsigned char>(c);
  return hash ^ (hash >> 16);
}

}  // namespace dohle::config
