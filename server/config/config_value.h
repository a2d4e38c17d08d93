// A configuration value: from text to its type and back, with Kafka's own error texts, since clients show them.
// Follows org.apache.kafka.common.config.ConfigDef.parseType, .convertToString and the validators.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/config/config_table.h"

namespace dohle::config {

/// Names to texts, as in a file of properties or in the metadata log.
using ConfigMap = std::map<std::string, std::string, std::less<>>;

using StringList = std::vector<std::string>;

/// null, boolean, any integer, double, (string, class, password), list.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, StringList>;

/// What is wrong with a value, in Kafka's words: what ConfigException.getMessage() says.
struct ValueError {
  std::string message;
};
template <typename T>
using Parsed = std::expected<T, ValueError>;

/// Kafka's "Invalid value x for configuration y: reason".
std::string invalid_value_message(std::string_view name, std::string_view value, std::string_view reason);

/// The text as a value of `type`, trimmed as Java's String.trim does. No validator is asked.
Parsed<Value> parse_type(std::string_view name, std::string_view text, ConfigType type);

/// Whether `value` satisfies the key's validator.
Parsed<void> ensure_valid(const ConfigKey& key, const Value& value);

/// The value of a key: from `text` if there is one, else from the default; then validated. Duplicates in lists that
/// have a list validator are dropped, as Kafka 4 does with a warning.
Parsed<Value> parse_value(const ConfigKey& key, const std::optional<std::string_view>& text);

/// nullopt for null. A password is shown as Kafka's Password.toString: "[hidden]".
std::optional<std::string> to_text(const Value& value, ConfigType type);

/// All keys of a scope with their values: Kafka's AbstractConfig.
class ConfigValues {
 public:
  /// Parses every key of `scope`; texts of keys that the scope does not have are kept in originals() alone.
  /// The first failure, in the order of the table, is the error.
  static Parsed<ConfigValues> parse(Scope scope, ConfigMap originals);

  /// nullptr when the scope has no such key.
  const Value* find(std::string_view name) const;

  // Typed reads of keys that exist with that type; anything else is a bug (CHECK).
  bool get_bool(std::string_view name) const;
  std::int32_t get_int(std::string_view name) const;
  std::int64_t get_long(std::string_view name) const;
  double get_double(std::string_view name) const;
  std::string get_string(std::string_view name) const;
  StringList get_list(std::string_view name) const;
  bool is_null(std::string_view name) const;

  /// The texts that were given.
  const ConfigMap& originals() const { return originals_; }
  bool is_set(const std::string& name) const { return originals_.contains(name); }
  Scope scope() const { return scope_; }

 private:
  const Value& at(std::string_view name) const;

  Scope scope_ = Scope::broker;
  ConfigMap originals_;
  std::vector<Value> values_;  // as keys_of(scope_)
};

}  // namespace dohle::config
