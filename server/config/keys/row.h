// Short names for the rows of the key table.
#pragma once

#include "server/config/config_key.h"

namespace dohle::config::keys {

using enum ConfigType;
using enum Importance;
using enum UpdateMode;
using enum Support;
using Kind = Validator::Kind;

inline constexpr DefaultValue null{DefaultValue::Kind::null};
inline constexpr DefaultValue required{DefaultValue::Kind::required};

inline constexpr Validator any{};
inline constexpr Validator non_empty{.kind = Kind::non_empty};
inline constexpr Validator non_null{.kind = Kind::non_null};
inline constexpr Validator gzip_level{.kind = Kind::gzip_level};
inline constexpr Validator quorum_voters{.kind = Kind::quorum_voters};
inline constexpr Validator quorum_bootstrap_servers{.kind = Kind::quorum_bootstrap_servers};
inline constexpr Validator throttled_replicas{.kind = Kind::throttled_replicas};
inline constexpr Validator share_auto_offset_reset{.kind = Kind::share_auto_offset_reset};
/// Lists of anything: with elements or without, or null.
inline constexpr Validator some_list{.kind = Kind::list, .empty_allowed = false};
inline constexpr Validator any_list{.kind = Kind::list};
inline constexpr Validator some_list_or_null{.kind = Kind::list, .empty_allowed = false, .null_allowed = true};
inline constexpr Validator any_list_or_null{.kind = Kind::list, .null_allowed = true};

constexpr Validator at_least(std::string_view min) {
  return {.kind = Kind::range, .min = min};
}
constexpr Validator between(std::string_view min, std::string_view max) {
  return {.kind = Kind::range, .min = min, .max = max};
}
constexpr Validator one_of(std::string_view values) {
  return {.kind = Kind::one_of, .values = values};
}
constexpr Validator one_of_ignoring_case(std::string_view values) {
  return {.kind = Kind::one_of_ignoring_case, .values = values};
}
constexpr Validator list_of(std::string_view values) {
  return {.kind = Kind::list, .values = values};
}
constexpr Validator some_list_of(std::string_view values) {
  return {.kind = Kind::list, .values = values, .empty_allowed = false};
}

/// The last two columns of a key that Kafka hides from DescribeConfigs.
inline constexpr std::string_view no_synonyms{};
inline constexpr bool internal_key = true;

}  // namespace dohle::config::keys
