// Subscriptions by regular expression, which the server evaluates (RE2).
// Source: TopicRegexResolver, Utils.throwIfRegularExpressionIsInvalid, ResolvedRegularExpression.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/groups/java_hash_map.h"
#include "server/metadata/metadata_image.h"

namespace dohle::groups {

struct ResolvedRegex {
  JavaHashSet<std::string> topics;
  /// The offset of the metadata image.
  std::int64_t version = 0;
  std::int64_t timestamp_ms = 0;

  bool operator==(const ResolvedRegex&) const = default;
};

/// Nothing if it is valid; else the message of INVALID_REGULAR_EXPRESSION.
std::optional<std::string> check_regex(const std::string& regex);

/// Sorted names of the topics that match as a whole; none for an invalid one.
std::vector<std::string> matching_topics(const std::string& regex, const metadata::TopicsImage& topics);

}  // namespace dohle::groups
