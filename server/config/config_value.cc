#include "server/config/config_value.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "server/config/java_numbers.h"
#include "server/config/validators.h"
#include "server/runtime/check.h"

namespace dohle::config {
namespace {

std::unexpected<ValueError> invalid(std::string_view name, std::string_view value, std::string_view reason) {
  return std::unexpected(ValueError{invalid_value_message(name, value, reason)});
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return lower(x) == lower(y);
  });
}

Parsed<Value> parse_integer(std::string_view name, std::string_view text, ConfigType type) {
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  if (type == ConfigType::int32) {
    min = std::numeric_limits<std::int32_t>::min();
    max = std::numeric_limits<std::int32_t>::max();
  } else if (type == ConfigType::int16) {
    min = std::numeric_limits<std::int16_t>::min();
    max = std::numeric_limits<std::int16_t>::max();
  }
  auto number = parse_java_integer(java_trim(text), min, max);
  if (!number) return invalid(name, text, "Not a number of type " + std::string(to_string(type)));
  return Value(*number);
}

bool is_regex_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// Splits at "\s*,\s*" and keeps empty parts.
StringList split_list(std::string_view text) {
  StringList parts;
  while (true) {
    std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    while (comma != std::string_view::npos && !part.empty() && is_regex_space(part.back())) part.remove_suffix(1);
    parts.emplace_back(part);
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
    while (!text.empty() && is_regex_space(text.front())) text.remove_prefix(1);
  }
}

StringList without_duplicates(const StringList& list) {
  StringList unique;
  for (const std::string& element : list) {
    if (std::find(unique.begin(), unique.end(), element) == unique.end()) unique.push_back(element);
  }
  return unique;
}

// Only Kafka's own classes can be stood for by something here.
bool is_known_class(std::string_view name) {
  return name.starts_with("org.apache.kafka.");
}

}  // namespace

std::string invalid_value_message(std::string_view name, std::string_view value, std::string_view reason) {
  std::string message = "Invalid value " + std::string(value) + " for configuration " + std::string(name);
  if (!reason.empty()) message += ": " + std::string(reason);
  return message;
}

Parsed<Value> parse_type(std::string_view name, std::string_view text, ConfigType type) {
  std::string_view trimmed = java_trim(text);
  switch (type) {
    case ConfigType::boolean:
      if (equals_ignoring_case(trimmed, "true")) return Value(true);
      if (equals_ignoring_case(trimmed, "false")) return Value(false);
      return invalid(name, text, "Expected value to be either true or false");
    case ConfigType::int32:
    case ConfigType::int16:
    case ConfigType::int64:
      return parse_integer(name, text, type);
    case ConfigType::float64: {
      auto number = parse_java_double(trimmed);
      if (!number) return invalid(name, text, "Not a number of type DOUBLE");
      return Value(*number);
    }
    case ConfigType::list:
      return trimmed.empty() ? Value(StringList()) : Value(split_list(trimmed));
    case ConfigType::class_name:
      if (!is_known_class(trimmed)) return invalid(name, text, "Class " + std::string(text) + " could not be found.");
      return Value(std::string(trimmed));
    case ConfigType::unknown:
    case ConfigType::string:
    case ConfigType::password:
      break;
  }
  return Value(std::string(trimmed));
}

Parsed<Value> parse_value(const ConfigKey& key, const std::optional<std::string_view>& text) {
  Value value;
  if (text) {
    auto parsed = parse_type(key.name, *text, key.type);
    if (!parsed) return parsed;
    value = std::move(*parsed);
  } else if (key.default_value.kind == DefaultValue::Kind::required) {
    return std::unexpected(
        ValueError{"Missing required configuration \"" + std::string(key.name) + "\" which has no default value."});
  } else if (key.default_value.kind == DefaultValue::Kind::text) {
    auto parsed = parse_type(key.name, key.default_value.text, key.type);
    CHECK(parsed.has_value());
    value = std::move(*parsed);
  }
  if (key.validator.kind == Validator::Kind::list) {
    if (auto* list = std::get_if<StringList>(&value)) *list = without_duplicates(*list);
  }
  if (auto valid = ensure_valid(key, value); !valid) return std::unexpected(std::move(valid.error()));
  return value;
}

std::optional<std::string> to_text(const Value& value, ConfigType type) {
  if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
  if (type == ConfigType::password) return "[hidden]";
  if (auto* list = std::get_if<StringList>(&value)) {
    std::string text;
    for (std::size_t i = 0; i < list->size(); ++i) text += (i == 0 ? "" : ",") + (*list)[i];
    return text;
  }
  return display_text(value);
}

Parsed<ConfigValues> ConfigValues::parse(Scope scope, ConfigMap originals) {
  ConfigValues result;
  result.scope_ = scope;
  result.originals_ = std::move(originals);
  result.values_.reserve(keys_of(scope).size());
  for (const ConfigKey& key : keys_of(scope)) {
    auto text = result.originals_.find(std::string(key.name));
    auto value = parse_value(key, text == result.originals_.end() ? std::optional<std::string_view>()
                                                                  : std::optional<std::string_view>(text->second));
    if (!value) return std::unexpected(std::move(value.error()));
    result.values_.push_back(std::move(*value));
  }
  return result;
}

const Value* ConfigValues::find(std::string_view name) const {
  const ConfigKey* key = find_key(scope_, name);
  if (key == nullptr || values_.empty()) return nullptr;
  return &values_[static_cast<std::size_t>(key - keys_of(scope_).data())];
}

const Value& ConfigValues::at(std::string_view name) const {
  const Value* value = find(name);
  CHECK(value != nullptr);
  return *value;
}

bool ConfigValues::get_bool(std::string_view name) const {
  const Value& value = at(name);
  CHECK(std::holds_alternative<bool>(value));
  return std::get<bool>(value);
}

std::int64_t ConfigValues::get_long(std::string_view name) const {
  const Value& value = at(name);
  CHECK(std::holds_alternative<std::int64_t>(value));
  return std::get<std::int64_t>(value);
}

std::int32_t ConfigValues::get_int(std::string_view name) const {
  return static_cast<std::int32_t>(get_long(name));
}

double ConfigValues::get_double(std::string_view name) const {
  const Value& value = at(name);
  CHECK(std::holds_alternative<double>(value));
  return std::get<double>(value);
}

std::string ConfigValues::get_string(std::string_view name) const {
  const Value& value = at(name);
  if (std::holds_alternative<std::monostate>(value)) return "";
  CHECK(std::holds_alternative<std::string>(value));
  return std::get<std::string>(value);
}

StringList ConfigValues::get_list(std::string_view name) const {
  const Value& value = at(name);
  if (std::holds_alternative<std::monostate>(value)) return {};
  CHECK(std::holds_alternative<StringList>(value));
  return std::get<StringList>(value);
}

bool ConfigValues::is_null(std::string_view name) const {
  return std::holds_alternative<std::monostate>(at(name));
}

}  // namespace dohle::config
