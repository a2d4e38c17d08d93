#include "server/config/listener_limits.h"

#include <algorithm>
#include <cctype>

#include "server/config/config_table.h"

namespace dohle::config {
namespace {

/// The listener's own text for a key: the dynamic ones are stronger than the file.
std::int32_t own_or(const BrokerConfig& config, const std::string& prefix, const std::string& key,
                    std::int32_t common) {
  for (const ConfigMap* layer :
       {&config.dynamic_broker_configs, &config.dynamic_default_configs, &config.static_configs}) {
    auto found = layer->find(prefix + key);
    if (found == layer->end()) continue;
    auto value = parse_value(*find_key(Scope::broker, key), found->second);
    if (value) return static_cast<std::int32_t>(std::get<std::int64_t>(*value));
  }
  return common;
}

}  // namespace

ListenerLimits listener_limits(const BrokerConfig& config, const std::string& listener) {
  std::string prefix = "listener.name.";
  for (unsigned char c : listener) prefix += static_cast<char>(std::tolower(c));
  prefix += '.';
  return {.max_connections = own_or(config, prefix, "max.connections", config.max_connections),
          .max_connection_creation_rate =
              own_or(config, prefix, "max.connection.creation.rate", config.max_connection_creation_rate)};
}

}  // namespace dohle::config
