// The rules of topic names, under the names that handlers use.
#pragma once

#include <string_view>

#include "server/metadata/topic_name.h"

namespace dohle::api {

using metadata::is_internal_topic;

inline bool is_valid_topic_name(std::string_view name) {
  return !metadata::invalid_topic_name(name).has_value();
}

}  // namespace dohle::api
