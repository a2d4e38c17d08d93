// What a topic may be called. Source: org.apache.kafka.common.internals.Topic.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dohle::metadata {

inline constexpr std::string_view cluster_metadata_topic = "__cluster_metadata";

/// Why the name is refused ("Topic name is invalid: ..."), or nullopt.
std::optional<std::string> invalid_topic_name(std::string_view name);

/// `.` and `_` become the same thing in the names of metrics, so two topics may not differ in them alone.
bool has_collision_characters(std::string_view name);
bool topic_names_collide(std::string_view a, std::string_view b);

/// __consumer_offsets, __transaction_state and __share_group_state (Metadata's is_internal).
bool is_internal_topic(std::string_view name);

}  // namespace dohle::metadata
