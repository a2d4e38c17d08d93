#include "server/metadata/topic_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace dohle::metadata {

namespace {

constexpr std::size_t name_length_max = 249;

bool is_legal(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

char unified(char c) {
  return c == '.' ? '_' : c;
}

/// As Java counts: UTF-16 units.
std::size_t java_length(std::string_view name) {
  std::size_t units = 0;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

}  // namespace

std::optional<std::string> invalid_topic_name(std::string_view name) {
  const auto refuse = [](const std::string& why) { return "Topic name is invalid: " + why; };
  if (name.empty()) return refuse("the empty string is not allowed");
  if (name == "." || name == "..") return refuse(fmt::format("'{}' is not allowed", name));
  if (java_length(name) > name_length_max) {
    return refuse(fmt::format("the length of '{}' is longer than the max allowed length {}", name, name_length_max));
  }
  if (!std::all_of(name.begin(), name.end(), is_legal)) {
    return refuse(
        fmt::format("'{}' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'", name));
  }
  return std::nullopt;
}

bool has_collision_characters(std::string_view name) {
  return name.find_first_of("._") != std::string_view::npos;
}

bool topic_names_collide(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return unified(x) == unified(y); });
}

bool is_internal_topic(std::string_view name) {
  return name == "__consumer_offsets" || name == "__transaction_state" || name == "__share_group_state";
}

}  // namespace dohle::metadata
