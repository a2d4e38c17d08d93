#include "server/config/validators.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "server/config/java_numbers.h"
#include "server/runtime/check.h"

namespace dohle::config {
namespace {

std::unexpected<ValueError> failed(std::string message) {
  return std::unexpected(ValueError{std::move(message)});
}

std::unexpected<ValueError> invalid(const ConfigKey& key, const Value& value, std::string_view reason) {
  return failed(invalid_value_message(key.name, display_text(value), reason));
}

bool is_null(const Value& value) {
  return std::holds_alternative<std::monostate>(value);
}

StringList split_values(std::string_view values) {
  StringList parts;
  while (!values.empty()) {
    std::string_view part = values.substr(0, values.find(','));
    parts.emplace_back(part);
    values.remove_prefix(std::min(values.size(), part.size() + 1));
  }
  return parts;
}

std::string join(const StringList& parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

bool contains(const StringList& list, std::string_view element) {
  return std::find(list.begin(), list.end(), element) != list.end();
}

// Kafka compares as doubles, whatever the type.
Parsed<void> check_range(const ConfigKey& key, const Value& value) {
  if (is_null(value)) return invalid(key, value, "Value must be non-null");
  auto* integer = std::get_if<std::int64_t>(&value);
  double number = integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value);
  auto limit = [](std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); };
  const Validator& range = key.validator;
  if (!range.min.empty() && number < limit(range.min)) {
    return invalid(key, value, "Value must be at least " + std::string(range.min));
  }
  if (!range.max.empty() && number > limit(range.max)) {
    return invalid(key, value, "Value must be no more than " + std::string(range.max));
  }
  return {};
}

Parsed<void> check_gzip_level(const ConfigKey& key, const Value& value) {
  if (is_null(value)) return invalid(key, value, "Value must be non-null");
  std::int64_t level = std::get<std::int64_t>(value);
  if (level > 9 || (level < 1 && level != -1)) {
    return invalid(key, value, "Value must be between 1 and 9 or equal to -1");
  }
  return {};
}

Parsed<void> check_one_of(const ConfigKey& key, const Value& value) {
  StringList allowed = split_values(key.validator.values);
  if (is_null(value) || !contains(allowed, std::get<std::string>(value))) {
    return invalid(key, value, "String must be one of: " + join(allowed, ", "));
  }
  return {};
}

Parsed<void> check_one_of_ignoring_case(const ConfigKey& key, const Value& value) {
  StringList allowed = split_values(key.validator.values);
  std::string upper = is_null(value) ? "" : std::get<std::string>(value);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  if (is_null(value) || !contains(allowed, upper)) {
    return invalid(key, value, "String must be one of (case insensitive): " + join(allowed, ", "));
  }
  return {};
}

Parsed<void> check_list(const ConfigKey& key, const Value& value) {
  std::string quoted = "Configuration '" + std::string(key.name) + "' ";
  const Validator& rule = key.validator;
  if (is_null(value)) {
    if (rule.null_allowed) return {};
    return failed(quoted + "values must not be null.");
  }
  const StringList& list = std::get<StringList>(value);
  if (!rule.empty_allowed && list.empty()) {
    return failed(quoted + "must not be empty. Valid values include: " +
                  (rule.values.empty() ? "any non-empty value" : to_string(rule)));
  }
  StringList allowed = split_values(rule.values);
  for (const std::string& element : list) {
    if (element.empty()) return failed(quoted + "values must not be empty.");
    if (!allowed.empty() && !contains(allowed, element)) {
      return invalid(key, Value(element), "String must be one of: " + join(allowed, ", "));
    }
  }
  return {};
}

bool is_replica_text(std::string_view text) {
  if (text.empty()) return true;
  auto is_number = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  std::size_t colon = text.find(':');
  return colon != std::string_view::npos && is_number(text.substr(0, colon)) && is_number(text.substr(colon + 1));
}

Parsed<void> check_throttled_replicas(const ConfigKey& key, const Value& value) {
  const StringList& list = std::get<StringList>(value);
  std::string joined;
  bool all_replicas = true;
  for (const std::string& element : list) {
    std::string_view trimmed = java_trim(element);
    joined += trimmed;
    all_replicas = all_replicas && is_replica_text(trimmed);
  }
  if (all_replicas || joined == "*") return {};
  return invalid(key, value,
                 std::string(key.name) +
                     " must be the literal '*' or a list of replicas in the following format: "
                     "[partitionId]:[brokerId],[partitionId]:[brokerId],...");
}

Parsed<void> check_share_auto_offset_reset(const ConfigKey& key, const Value& value) {
  constexpr std::string_view prefix = "by_duration:";
  std::string text = is_null(value) ? "null" : std::get<std::string>(value);
  if (text == "latest" || text == "earliest") return {};
  if (text.starts_with(prefix) && parse_java_duration(std::string_view(text).substr(prefix.size())) == false) return {};
  return invalid(key, value,
                 "Invalid value `" + text + "` for configuration " + std::string(key.name) +
                     ". The value must be either 'earliest', 'latest' or of the format 'by_duration:<PnDTnHnMn.nS>'.");
}

template <typename Parse>
Parsed<void> check_each(const Value& value, Parse parse) {
  for (const std::string& entry : std::get<StringList>(value)) {
    if (auto parsed = parse(entry); !parsed) return std::unexpected(parsed.error());
  }
  return {};
}

bool is_host_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-%._").find(c) != std::string_view::npos;
}

}  // namespace

std::string display_text(const Value& value) {
  struct Display {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return java_double(number); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const StringList& list) const { return "[" + join(list, ", ") + "]"; }
  };
  return std::visit(Display(), value);
}

Parsed<void> ensure_valid(const ConfigKey& key, const Value& value) {
  using Kind = Validator::Kind;
  switch (key.validator.kind) {
    case Kind::none:
      return {};
    case Kind::range:
      return check_range(key, value);
    case Kind::one_of:
      return check_one_of(key, value);
    case Kind::one_of_ignoring_case:
      return check_one_of_ignoring_case(key, value);
    case Kind::non_empty:
      if (value == Value(std::string())) return invalid(key, value, "String must be non-empty");
      return {};
    case Kind::non_null:
      if (is_null(value)) return invalid(key, value, "entry must be non null");
      return {};
    case Kind::list:
      return check_list(key, value);
    case Kind::gzip_level:
      return check_gzip_level(key, value);
    case Kind::quorum_voters:
      return check_each(value, parse_voter);
    case Kind::quorum_bootstrap_servers:
      return check_each(value, parse_bootstrap_server);
    case Kind::throttled_replicas:
      return check_throttled_replicas(key, value);
    case Kind::share_auto_offset_reset:
      return check_share_auto_offset_reset(key, value);
  }
  return {};
}

bool is_valid_host(std::string_view host) {
  return std::all_of(host.begin(), host.end(), [](char c) { return is_host_character(c) || c == ':'; });
}

std::optional<ParsedAddress> parse_host_and_port(std::string_view text) {
  if (std::size_t scheme = text.find("://"); scheme != std::string_view::npos) {
    std::string_view protocol = text.substr(0, scheme);
    if (!std::all_of(protocol.begin(), protocol.end(), is_host_character)) return std::nullopt;
    text.remove_prefix(scheme + 3);
  }
  std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view digits = text.substr(colon + 1);
  std::string_view host = text.substr(0, colon);
  if (digits.empty() || digits.front() == '+' || digits.front() == '-') return std::nullopt;
  auto port = parse_java_integer(digits, 0, std::numeric_limits<std::int32_t>::max());
  if (!port) return std::nullopt;
  if (host.starts_with('[')) host.remove_prefix(1);
  if (host.ends_with(']')) host.remove_suffix(1);
  if (!is_valid_host(host)) return std::nullopt;
  return ParsedAddress{std::string(host), static_cast<std::int32_t>(*port)};
}

Parsed<ParsedVoter> parse_voter(std::string_view entry) {
  constexpr std::string_view form = "Each entry should be in the form `{id}@{host}:{port}`.";
  std::size_t sign = entry.find('@');
  std::string_view address = sign == std::string_view::npos ? "" : entry.substr(sign + 1);
  // Java's split drops empty parts at the end.
  while (address.ends_with('@')) address.remove_suffix(1);
  if (address.empty() || address.find('@') != std::string_view::npos) {
    return failed("Invalid configuration value for controller.quorum.voters. " + std::string(form));
  }
  std::string_view id = entry.substr(0, sign);
  auto node_id =
      parse_java_integer(id, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
  if (!node_id) return failed("Failed to parse voter ID as an integer from " + std::string(id));
  auto parsed = parse_host_and_port(address);
  if (!parsed) {
    return failed("Failed to parse host name from entry " + std::string(entry) +
                  " for the configuration controller.quorum.voters. " + std::string(form));
  }
  return ParsedVoter{static_cast<std::int32_t>(*node_id), std::move(*parsed)};
}

Parsed<ParsedAddress> parse_bootstrap_server(std::string_view entry) {
  auto parsed = parse_host_and_port(entry);
  if (!parsed) {
    return failed("Failed to parse host name from " + std::string(entry) +
                  " for the configuration controller.quorum.bootstrap.servers. Each entry should be in the form "
                  "\"{host}:{port}\"");
  }
  return std::move(*parsed);
}

}  // namespace dohle::config
