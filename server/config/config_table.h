// The table of all of Apache Kafka 4.4.0's configuration keys: the only source for parsing server.properties, for
// topic, group and client-metrics configs, and for DescribeConfigs. The rows are in keys/*.h.
// compat-tests/config compares them with the jars, key by key.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/config/config_key.h"

namespace dohle::config {

enum class Scope : std::uint8_t { broker, topic, group, client_metrics };

/// The keys of a scope in the order in which Kafka defines them, which decides which error is said first.
/// All functions here may be called from any thread: the table is constant.
std::span<const ConfigKey> keys_of(Scope scope);

/// The quota keys of a broker that can be set dynamically only (QuotaConfig.brokerQuotaConfigs). They are no part of
/// keys_of(Scope::broker): a server.properties that has one is as good as unknown to Kafka.
std::span<const ConfigKey> dynamic_only_broker_keys();

/// nullptr when the scope has no such key.
const ConfigKey* find_key(Scope scope, std::string_view name);

/// The key that gives a broker config its type: `name` itself, a dynamic-only one, or what stands behind
/// listener.name.<listener>.[<mechanism>.]; nullptr if there is none (AbstractKafkaConfig.configType).
const ConfigKey* find_broker_key(std::string_view name);

/// `name` with the prefix listener.name.<listener>. taken away, or nullopt if it has none.
std::optional<std::string_view> without_listener_prefix(std::string_view name);

/// The names that can give a broker config its value, the strongest first
/// (DynamicBrokerConfig.brokerConfigSynonyms with matchListenerOverride).
std::vector<std::string> broker_config_synonyms(std::string_view name);

/// A broker key behind a topic or group key, and how its number becomes milliseconds.
struct BrokerSynonym {
  std::string_view name;
  std::int64_t factor = 1;
};
std::vector<BrokerSynonym> broker_synonyms_of(const ConfigKey& key);

/// What became of a key that Kafka knew before 4.0; nullopt if it was never known or is still there.
std::optional<std::string> removed_key_advice(std::string_view name);

/// The known broker key nearest to `name` by edit distance, or an empty text if none is near.
std::string_view nearest_broker_key(std::string_view name);

/// As Kafka prints it in its documentation: "[1,...,9]", "[compact, delete]"; empty for none.
std::string to_string(const Validator& validator);

/// In capitals, as Kafka prints them.
std::string_view to_string(ConfigType type);
std::string_view to_string(Importance importance);
/// "read-only", "per-broker", "cluster-wide"; empty for keys of other scopes.
std::string_view to_string(UpdateMode mode);

}  // namespace dohle::config
