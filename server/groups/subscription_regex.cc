#include "server/groups/subscription_regex.h"

#include <re2/re2.h>

#include <algorithm>
#include <string_view>

namespace dohle::groups {

namespace {

/// RE2/J's words.
std::string_view describe(re2::RE2::ErrorCode error) {
  switch (error) {
    case re2::RE2::ErrorBadEscape:
      return "invalid escape sequence";
    case re2::RE2::ErrorBadCharClass:
      return "invalid character class";
    case re2::RE2::ErrorBadCharRange:
      return "invalid character class range";
    case re2::RE2::ErrorMissingBracket:
      return "missing closing ]";
    case re2::RE2::ErrorTrailingBackslash:
      return "trailing backslash at end of expression";
    case re2::RE2::ErrorRepeatArgument:
      return "missing argument to repetition operator";
    case re2::RE2::ErrorRepeatSize:
      return "invalid repeat count";
    case re2::RE2::ErrorRepeatOp:
      return "invalid nested repetition operator";
    case re2::RE2::ErrorBadPerlOp:
      return "invalid or unsupported Perl syntax";
    case re2::RE2::ErrorUnexpectedParen:
      return "regexp/syntax: internal error";
    case re2::RE2::ErrorBadNamedCapture:
      return "invalid named capture";
    default:
      return "missing closing )";
  }
}

}  // namespace

std::optional<std::string> check_regex(const std::string& regex) {
  const re2::RE2 compiled(regex, re2::RE2::Quiet);
  if (compiled.ok()) return std::nullopt;
  return "SubscribedTopicRegex `" + regex +
         "` is not a valid regular expression: " + std::string(describe(compiled.error_code())) + ".";
}

std::vector<std::string> matching_topics(const std::string& regex, const metadata::TopicsImage& topics) {
  const re2::RE2 compiled(regex, re2::RE2::Quiet);
  std::vector<std::string> names;
  if (!compiled.ok()) return names;
  topics.for_each([&](const metadata::TopicImage& topic) {
    if (re2::RE2::FullMatch(topic.name, compiled)) names.push_back(topic.name);
  });
  std::ranges::sort(names);
  return names;
}

}  // namespace dohle::groups
