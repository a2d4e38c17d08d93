#include "server/groups/group.h"

#include <algorithm>
#include <cctype>

namespace dohle::groups {

namespace {

bool equals_ignoring_case(std::string_view left, std::string_view right) {
  return std::ranges::equal(
      left, right, {}, [](unsigned char c) { return std::tolower(c); },
      [](unsigned char c) { return std::tolower(c); });
}

}  // namespace

std::string_view to_string(GroupType type) {
  switch (type) {
    case GroupType::consumer:
      return "consumer";
    case GroupType::classic:
      return "classic";
    case GroupType::share:
      return "share";
    case GroupType::streams:
      return "streams";
    case GroupType::unknown:
      break;
  }
  return "unknown";
}

GroupType parse_group_type(std::string_view text) {
  for (const auto type : {GroupType::consumer, GroupType::classic, GroupType::share, GroupType::streams}) {
    if (equals_ignoring_case(text, to_string(type))) return type;
  }
  return GroupType::unknown;
}

}  // namespace dohle::groups
