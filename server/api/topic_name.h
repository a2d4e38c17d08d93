// What a topic may be called. Source: org.apache.kafka.common.internals.Topic.
#pragma once

#include <string_view>

namespace dohle::api {

/// 1 to 249 characters of [a-zA-Z0-9._-], and not "." or "..".
bool is_valid_topic_name(std::string_view name);

/// __consumer_offsets, __transaction_state and __share_group_state.
bool is_internal_topic(std::string_view name);

}  // namespace dohle::api
