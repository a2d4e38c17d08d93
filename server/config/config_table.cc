#include "server/config/config_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "server/config/keys/client_metrics.h"
#include "server/config/keys/dynamic.h"
#include "server/config/keys/group.h"
#include "server/config/keys/groups.h"
#include "server/config/keys/listeners.h"
#include "server/config/keys/log.h"
#include "server/config/keys/metadata.h"
#include "server/config/keys/metrics.h"
#include "server/config/keys/quorum.h"
#include "server/config/keys/removed.h"
#include "server/config/keys/replication.h"
#include "server/config/keys/security.h"
#include "server/config/keys/server.h"
#include "server/config/keys/share.h"
#include "server/config/keys/tiered.h"
#include "server/config/keys/topic.h"
#include "server/config/keys/transactions.h"
#include "server/runtime/check.h"

namespace dohle::config {
namespace {

template <std::size_t... sizes>
constexpr auto concatenate(const ConfigKey (&... parts)[sizes]) {
  std::array<ConfigKey, (sizes + ...)> all{};
  std::size_t at = 0;
  ((std::copy(parts, parts + sizes, all.begin() + at), at += sizes), ...);
  return all;
}

// The order of AbstractKafkaConfig.CONFIG_DEF.
constexpr auto broker_keys =
    concatenate(keys::tiered_keys, keys::server_keys, keys::metadata_keys, keys::listener_keys, keys::replication_keys,
                keys::group_coordinator_keys, keys::log_keys, keys::share_keys, keys::transaction_keys,
                keys::quorum_keys, keys::metrics_keys, keys::security_keys);

using Index = std::unordered_map<std::string_view, const ConfigKey*>;

Index index_of(std::span<const ConfigKey> keys) {
  Index index;
  for (const ConfigKey& key : keys) CHECK(index.emplace(key.name, &key).second);
  return index;
}

const Index& index_of(Scope scope) {
  static const std::array<Index, 4> indexes = {index_of(keys_of(Scope::broker)), index_of(keys_of(Scope::topic)),
                                               index_of(keys_of(Scope::group)),
                                               index_of(keys_of(Scope::client_metrics))};
  return indexes[static_cast<std::size_t>(scope)];
}

constexpr std::string_view listener_prefix = "listener.name.";

// DynamicBrokerConfig.LISTENER_MECHANISM_CONFIGS: they stand behind listener.name.<listener>.<mechanism>.
constexpr std::string_view mechanism_keys[] = {"sasl.jaas.config", "sasl.login.callback.handler.class",
                                               "sasl.login.class", "sasl.server.callback.handler.class",
                                               "connections.max.reauth.ms"};

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string with_spaces(std::string_view values) {
  std::string text;
  for (char c : values) {
    text += c;
    if (c == ',') text += ' ';
  }
  return text;
}

std::string range_text(const Validator& validator) {
  if (validator.min.empty() && validator.max.empty()) return "[...]";
  if (validator.min.empty()) return "[...," + std::string(validator.max) + "]";
  if (validator.max.empty()) return "[" + std::string(validator.min) + ",...]";
  return "[" + std::string(validator.min) + ",...," + std::string(validator.max) + "]";
}

}  // namespace

std::span<const ConfigKey> keys_of(Scope scope) {
  switch (scope) {
    case Scope::broker:
      return broker_keys;
    case Scope::topic:
      return keys::topic_keys;
    case Scope::group:
      return keys::group_keys;
    case Scope::client_metrics:
      return keys::client_metrics_keys;
  }
  return {};
}

std::span<const ConfigKey> dynamic_only_broker_keys() {
  return keys::dynamic_only_keys;
}

const ConfigKey* find_key(Scope scope, std::string_view name) {
  const Index& index = index_of(scope);
  auto found = index.find(name);
  return found == index.end() ? nullptr : found->second;
}

std::optional<std::string_view> without_listener_prefix(std::string_view name) {
  if (!name.starts_with(listener_prefix)) return std::nullopt;
  std::size_t dot = name.find('.', listener_prefix.size());
  if (dot == std::string_view::npos) return std::nullopt;
  return name.substr(dot + 1);
}

std::vector<std::string> broker_config_synonyms(std::string_view name) {
  using List = std::vector<std::string>;
  if (name == "log.roll.ms" || name == "log.roll.hours") return List{"log.roll.ms", "log.roll.hours"};
  if (name == "log.roll.jitter.ms" || name == "log.roll.jitter.hours") {
    return List{"log.roll.jitter.ms", "log.roll.jitter.hours"};
  }
  if (name == "log.flush.interval.ms") return List{"log.flush.interval.ms", "log.flush.scheduler.interval.ms"};
  if (name == "log.retention.ms" || name == "log.retention.minutes" || name == "log.retention.hours") {
    return List{"log.retention.ms", "log.retention.minutes", "log.retention.hours"};
  }
  if (auto base = without_listener_prefix(name)) {
    auto mechanism = std::find_if(std::begin(mechanism_keys), std::end(mechanism_keys),
                                  [&](auto key) { return base->ends_with(key); });
    return List{std::string(name), std::string(mechanism == std::end(mechanism_keys) ? *base : *mechanism)};
  }
  return List{std::string(name)};
}

const ConfigKey* find_broker_key(std::string_view name) {
  if (const ConfigKey* key = find_key(Scope::broker, name)) return key;
  for (const ConfigKey& key : dynamic_only_broker_keys()) {
    if (key.name == name) return &key;
  }
  for (const std::string& synonym : broker_config_synonyms(name)) {
    if (const ConfigKey* key = find_key(Scope::broker, synonym)) return key;
  }
  return nullptr;
}

std::vector<BrokerSynonym> broker_synonyms_of(const ConfigKey& key) {
  std::vector<BrokerSynonym> synonyms;
  std::string_view rest = key.broker_synonyms;
  while (!rest.empty()) {
    std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    BrokerSynonym synonym{item.substr(0, item.find('*'))};
    if (synonym.name.size() < item.size()) {
      std::from_chars(item.data() + synonym.name.size() + 1, item.data() + item.size(), synonym.factor);
    }
    synonyms.push_back(synonym);
  }
  return synonyms;
}

std::optional<std::string> removed_key_advice(std::string_view name) {
  for (const auto& removed : keys::removed_keys) {
    bool matches = removed.name.ends_with('.') ? name.starts_with(removed.name) : name == removed.name;
    if (matches) return std::string(removed.advice);
  }
  return std::nullopt;
}

std::string_view nearest_broker_key(std::string_view name) {
  std::string_view nearest;
  std::size_t best = std::max<std::size_t>(2, name.size() / 4) + 1;
  for (const ConfigKey& key : broker_keys) {
    std::size_t distance = edit_distance(name, key.name);
    if (distance < best) {
      best = distance;
      nearest = key.name;
    }
  }
  return nearest;
}

std::string to_string(const Validator& validator) {
  using Kind = Validator::Kind;
  switch (validator.kind) {
    case Kind::none:
      return "";
    case Kind::range:
      return range_text(validator);
    case Kind::one_of:
      return "[" + with_spaces(validator.values) + "]";
    case Kind::one_of_ignoring_case:
      return "(case insensitive) [" + with_spaces(validator.values) + "]";
    case Kind::non_empty:
      return "non-empty string";
    case Kind::non_null:
      return "non-null string";
    case Kind::list:
      return validator.values.empty() ? "" : "[" + with_spaces(validator.values) + "]";
    case Kind::gzip_level:
      return "[1,...,9] or -1";
    case Kind::quorum_voters:
    case Kind::quorum_bootstrap_servers:
      return "non-empty list";
    case Kind::throttled_replicas:
      return "[partitionId]:[brokerId],[partitionId]:[brokerId],...";
    case Kind::share_auto_offset_reset:
      return "[latest, earliest, by_duration:PnDTnHnMn.nS]";
  }
  return "";
}

std::string_view to_string(ConfigType type) {
  constexpr std::string_view names[] = {"UNKNOWN", "BOOLEAN", "STRING", "INT",   "SHORT",
                                        "LONG",    "DOUBLE",  "LIST",   "CLASS", "PASSWORD"};
  return names[static_cast<std::size_t>(type)];
}

std::string_view to_string(Importance importance) {
  constexpr std::string_view names[] = {"HIGH", "MEDIUM", "LOW"};
  return names[static_cast<std::size_t>(importance)];
}

std::string_view to_string(UpdateMode mode) {
  constexpr std::string_view names[] = {"", "read-only", "per-broker", "cluster-wide"};
  return names[static_cast<std::size_t>(mode)];
}

}  // namespace dohle::config
