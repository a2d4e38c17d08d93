// One configuration key of Apache Kafka 4.4.0, as a row of the typed table (config_table.h).
// Follows org.apache.kafka.common.config.ConfigDef.ConfigKey.
#pragma once

#include <cstdint>
#include <string_view>

namespace dohle::config {

/// The numbers are those of DescribeConfigs' ConfigType field.
enum class ConfigType : std::int8_t {
  unknown = 0,
  boolean = 1,
  string = 2,
  int32 = 3,
  int16 = 4,
  int64 = 5,
  float64 = 6,
  list = 7,
  class_name = 8,
  password = 9,
};

enum class Importance : std::uint8_t { high, medium, low };

/// How KIP-226 lets a key of the broker change while it runs. Keys of other scopes are `not_broker`.
enum class UpdateMode : std::uint8_t { not_broker, read_only, per_broker, cluster_wide };

/// What Dohle does with a key that a user sets.
enum class Support : std::uint8_t {
  implemented,  // as Kafka
  mapped,       // serves a near purpose here; no warning
  no_effect,    // accepted and validated, but nothing reads it: said once at start
  fatal,        // security or durability that cannot be honoured yet: a value other than the default stops the start
};

/// What a value must be beyond its type. A literal type, so that the table is constant data.
struct Validator {
  enum class Kind : std::uint8_t {
    none,
    range,                     // `min` and `max` as Kafka prints them; an empty one is open
    one_of,                    // `values`, separated by commas
    one_of_ignoring_case,      // the same; the order is the one in which Kafka prints them
    non_empty,                 // null is allowed
    non_null,                  //
    list,                      // no duplicates, no empty element; `values`, when not empty, are the allowed ones
    gzip_level,                // 1 to 9, or -1
    quorum_voters,             // <id>@<host>:<port>
    quorum_bootstrap_servers,  // <host>:<port>
    throttled_replicas,        // [partitionId]:[brokerId], or *
    share_auto_offset_reset    // latest, earliest, by_duration:<ISO-8601>
  };
  Kind kind = Kind::none;
  std::string_view min{};
  std::string_view max{};
  std::string_view values{};
  bool empty_allowed = true;
  bool null_allowed = false;
};

/// The default of a key: a text in the same form as a user would write it, null, or none at all (the key is required).
struct DefaultValue {
  enum class Kind : std::uint8_t { text, null, required };
  Kind kind = Kind::null;
  std::string_view text{};

  constexpr DefaultValue() = default;
  constexpr DefaultValue(const char* value) : kind(Kind::text), text(value) {}  // NOLINT(google-explicit-constructor)
  constexpr explicit DefaultValue(Kind other) : kind(other) {}
};

struct ConfigKey {
  std::string_view name;
  ConfigType type = ConfigType::string;
  DefaultValue default_value;
  Validator validator;
  Importance importance = Importance::medium;
  UpdateMode update_mode = UpdateMode::not_broker;
  Support support = Support::implemented;
  /// One line for DescribeConfigs and the documentation.
  std::string_view doc;
  /// Topic and group keys: the broker's keys that give the default, the strongest first, separated by commas; a
  /// factor to milliseconds follows '*' ("log.retention.ms,log.retention.minutes*60000").
  std::string_view broker_synonyms{};
  /// Kafka hides these from DescribeConfigs unless they are set.
  bool internal = false;

  /// Passwords are never shown.
  bool sensitive() const { return type == ConfigType::password; }
};

}  // namespace dohle::config
