#include "server/config/config_entries.h"

#include <algorithm>

#include "server/config/group_config.h"
#include "server/config/java_numbers.h"
#include "server/config/java_order.h"
#include "server/config/log_config.h"

namespace dohle::config {
namespace {

// The keys of a scope in the order of AbstractConfig.nonInternalValues: a HashMap filled from a HashMap filled in the
// order of definition.
std::vector<const ConfigKey*> described_keys(Scope scope) {
  std::vector<std::string> names;
  for (const ConfigKey& key : keys_of(scope)) names.emplace_back(key.name);
  names = java_hash_order(std::move(names));
  std::erase_if(names, [&](const std::string& name) { return find_key(scope, name)->internal; });
  std::vector<const ConfigKey*> keys;
  for (const std::string& name : java_hash_order(std::move(names))) keys.push_back(find_key(scope, name));
  return keys;
}

// What was given although it is internal or unknown: Kafka shows it, before the rest.
std::vector<std::string> extra_names(const ConfigValues& values) {
  std::vector<std::string> names;
  for (const auto& [name, text] : values.originals()) names.push_back(name);
  names = java_hash_copy_order(std::move(names));
  std::erase_if(names, [&](const std::string& name) {
    const ConfigKey* key = find_key(values.scope(), name);
    return key != nullptr && !key->internal;
  });
  return names;
}

std::optional<std::string> default_text(const ConfigKey& key) {
  if (key.default_value.kind != DefaultValue::Kind::text) return std::nullopt;
  return std::string(key.default_value.text);
}

// ConfigHelper.configSynonyms: every layer that has one of the names; what comes before the name itself is dropped.
std::vector<ConfigSynonym> broker_synonyms(const BrokerConfig& broker, const std::string& name, bool sensitive) {
  std::vector<std::string> names = broker_config_synonyms(name);
  std::vector<ConfigSynonym> synonyms;
  auto add = [&](const std::string& synonym, const std::string& text, ConfigSource source) {
    if (synonyms.empty() && synonym != name) return;
    synonyms.push_back({synonym, sensitive ? std::nullopt : std::optional<std::string>(text), source});
  };
  auto add_layer = [&](const ConfigMap& layer, ConfigSource source) {
    for (const std::string& synonym : names) {
      if (auto found = layer.find(synonym); found != layer.end()) add(synonym, found->second, source);
    }
  };
  add_layer(broker.dynamic_broker_configs, ConfigSource::dynamic_broker);
  add_layer(broker.dynamic_default_configs, ConfigSource::dynamic_default_broker);
  add_layer(broker.static_configs, ConfigSource::static_broker);
  for (const std::string& synonym : names) {
    const ConfigKey* key = find_key(Scope::broker, synonym);
    if (key == nullptr) continue;
    if (auto text = default_text(*key)) add(synonym, *text, ConfigSource::default_config);
  }
  return synonyms;
}

void settle_source(ConfigEntry& entry) {
  entry.source = entry.synonyms.empty() ? ConfigSource::default_config : entry.synonyms.front().source;
}

ConfigEntry entry_of(const ConfigKey& key, const std::optional<std::string>& value) {
  ConfigEntry entry;
  entry.name = key.name;
  entry.type = key.type;
  entry.sensitive = key.sensitive();
  entry.value = entry.sensitive ? std::nullopt : value;
  entry.documentation = key.doc;
  return entry;
}

ConfigEntry topic_entry(const BrokerConfig& broker, const ConfigMap& overrides, const ConfigKey& key,
                        const std::optional<std::string>& value) {
  ConfigEntry entry = entry_of(key, value);
  if (overrides.contains(key.name)) entry.synonyms.push_back({entry.name, entry.value, ConfigSource::topic});
  if (std::vector<BrokerSynonym> names = broker_synonyms_of(key); !names.empty()) {
    for (ConfigSynonym& synonym : broker_synonyms(broker, std::string(names.front().name), entry.sensitive)) {
      entry.synonyms.push_back(std::move(synonym));
    }
  }
  settle_source(entry);
  return entry;
}

ConfigEntry group_entry(const BrokerConfig& broker, const ConfigMap& overrides, const ConfigKey& key,
                        const std::optional<std::string>& value) {
  ConfigEntry entry = entry_of(key, value);
  if (overrides.contains(key.name)) entry.synonyms.push_back({entry.name, entry.value, ConfigSource::group});
  if (!key.broker_synonyms.empty()) {
    for (ConfigSynonym& synonym : broker_synonyms(broker, std::string(key.broker_synonyms), entry.sensitive)) {
      entry.synonyms.push_back(std::move(synonym));
    }
  } else if (auto text = default_text(key)) {
    entry.synonyms.push_back({entry.name, text, ConfigSource::default_config});
  }
  settle_source(entry);
  return entry;
}

ConfigEntry client_metrics_entry(const ConfigMap& overrides, const ConfigKey& key,
                                 const std::optional<std::string>& value) {
  ConfigEntry entry = entry_of(key, value);
  if (overrides.contains(key.name)) entry.synonyms.push_back({entry.name, value, ConfigSource::client_metrics});
  settle_source(entry);
  return entry;
}

ConfigEntry broker_entry(const BrokerConfig& broker, const std::string& name, const std::optional<std::string>& value) {
  const ConfigKey* key = find_broker_key(name);
  ConfigEntry entry;
  entry.name = name;
  entry.type = key == nullptr ? ConfigType::unknown : key->type;
  // Nobody knows what a key without a type holds: it is hidden.
  entry.sensitive = key == nullptr || key->sensitive();
  entry.value = entry.sensitive ? std::nullopt : value;
  entry.synonyms = broker_synonyms(broker, name, entry.sensitive);
  settle_source(entry);
  const ConfigKey* own = find_key(Scope::broker, name);
  if (own != nullptr) entry.documentation = own->doc;
  bool dynamic_only = own == nullptr && key != nullptr && key->name == name;
  entry.read_only = !dynamic_only && (own == nullptr || own->update_mode == UpdateMode::read_only);
  return entry;
}

template <typename MakeEntry>
Parsed<std::vector<ConfigEntry>> describe(Scope scope, ConfigMap texts, const ConfigMap& overrides,
                                          MakeEntry make_entry) {
  for (const auto& [name, text] : overrides) texts[name] = text;
  auto values = ConfigValues::parse(scope, std::move(texts));
  if (!values) return std::unexpected(values.error());
  std::vector<ConfigEntry> entries;
  for (const std::string& name : extra_names(*values)) {
    if (const ConfigKey* key = find_key(scope, name)) entries.push_back(make_entry(*key, values->originals().at(name)));
  }
  for (const ConfigKey* key : described_keys(scope)) {
    entries.push_back(make_entry(*key, to_text(*values->find(key->name), key->type)));
  }
  return entries;
}

// A scala.collection.mutable.HashMap: buckets as Java's, and within a bucket by hash.
std::vector<std::string> scala_hash_order(const ConfigMap& configs) {
  std::vector<std::string> names;
  std::size_t capacity = 16;
  while (configs.size() + 1 >= capacity / 4 * 3) capacity *= 2;
  for (const auto& [name, text] : configs) names.push_back(name);
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    std::uint32_t x = java_hash(a);
    std::uint32_t y = java_hash(b);
    if ((x & (capacity - 1)) != (y & (capacity - 1))) return (x & (capacity - 1)) < (y & (capacity - 1));
    return static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y);
  });
  return names;
}

}  // namespace

Parsed<std::vector<ConfigEntry>> describe_topic(const BrokerConfig& broker, const ConfigMap& overrides) {
  return describe(Scope::topic, topic_defaults(broker), overrides,
                  [&](const ConfigKey& key, const std::optional<std::string>& value) {
                    return topic_entry(broker, overrides, key, value);
                  });
}

Parsed<std::vector<ConfigEntry>> describe_group(const BrokerConfig& broker, const ConfigMap& overrides) {
  return describe(Scope::group, group_defaults(broker), overrides,
                  [&](const ConfigKey& key, const std::optional<std::string>& value) {
                    return group_entry(broker, overrides, key, value);
                  });
}

Parsed<std::vector<ConfigEntry>> describe_client_metrics(const ConfigMap& overrides) {
  return describe(Scope::client_metrics, {}, overrides,
                  [&](const ConfigKey& key, const std::optional<std::string>& value) {
                    return client_metrics_entry(overrides, key, value);
                  });
}

std::vector<ConfigEntry> describe_broker(const BrokerConfig& broker) {
  std::vector<ConfigEntry> entries;
  for (const std::string& name : extra_names(broker.values)) {
    entries.push_back(broker_entry(broker, name, broker.values.originals().at(name)));
  }
  for (const ConfigKey* key : described_keys(Scope::broker)) {
    std::string name(key->name);
    entries.push_back(broker_entry(broker, name, to_text(*broker.values.find(name), key->type)));
  }
  return entries;
}

std::vector<ConfigEntry> describe_cluster_default(const BrokerConfig& broker) {
  std::vector<ConfigEntry> entries;
  for (const std::string& name : scala_hash_order(broker.dynamic_default_configs)) {
    ConfigEntry entry = broker_entry(broker, name, broker.dynamic_default_configs.at(name));
    std::erase_if(entry.synonyms,
                  [](const ConfigSynonym& one) { return one.source != ConfigSource::dynamic_default_broker; });
    settle_source(entry);
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace dohle::config
