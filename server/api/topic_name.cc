#include "server/api/topic_name.h"

#include <algorithm>

namespace dohle::api {

bool is_valid_topic_name(std::string_view name) {
  constexpr std::size_t length_max = 249;
  if (name.empty() || name.size() > length_max || name == "." || name == "..") return false;
  return std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  });
}

bool is_internal_topic(std::string_view name) {
  return name == "__consumer_offsets" || name == "__transaction_state" || name == "__share_group_state";
}

}  // namespace dohle::api
