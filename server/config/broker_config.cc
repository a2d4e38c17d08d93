#include "server/config/broker_config.h"

#include <algorithm>
#include <limits>

#include "server/config/broker_rules.h"
#include "server/config/effective_config.h"
#include "server/config/java_numbers.h"
#include "server/config/listeners.h"
#include "server/config/validators.h"

namespace dohle::config {
namespace {

std::unexpected<runtime::Error> refused(std::string message) {
  return runtime::failure(runtime::ErrorKind::invalid, std::move(message));
}

// Names that Kafka's table does not have, but that something behind it reads: the authorizer, plug-ins, Dohle itself.
bool is_known_beside_the_table(std::string_view name) {
  if (name == "super.users" || name == "allow.everyone.if.no.acl.found" || name == "config.unknown" ||
      name == "cluster.id") {
    return true;
  }
  for (std::string_view prefix : {"listener.name.", "rsm.config.", "rlmm.config.", "config.providers."}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

std::string unknown_key_line(std::string_view name) {
  std::string line = "Unknown configuration key '" + std::string(name) + "' is ignored.";
  if (auto nearest = nearest_broker_key(name); !nearest.empty()) {
    line += " Did you mean '" + std::string(nearest) + "'?";
  }
  return line;
}

runtime::Status check_support(const std::string& name, const std::string& text, std::vector<std::string>& warnings) {
  const ConfigKey* key = find_broker_key(name);
  if (key == nullptr || key->support == Support::implemented || key->support == Support::mapped) return {};
  auto given = parse_type(name, text, key->type);
  auto standard = parse_value(*key, std::nullopt);
  // What cannot be parsed is told by the parser; what only repeats the default changes nothing.
  if (!given || (standard && *given == *standard) || *given == Value(std::string())) return {};
  if (key->support == Support::no_effect) {
    warnings.push_back("The configuration key '" + name + "' is accepted, but has no effect yet.");
    return {};
  }
  return refused("The configuration key '" + name + "' cannot be honoured yet, and ignoring it would be unsafe.");
}

runtime::Status check_names(const ConfigMap& properties, std::vector<std::string>& warnings) {
  auto unknown = properties.find("config.unknown");
  bool unknown_is_error = unknown != properties.end() && java_trim(unknown->second) == "error";
  for (const auto& [name, text] : properties) {
    if (find_key(Scope::broker, name) != nullptr || is_known_beside_the_table(name)) {
      DOHLE_RETURN_IF_ERROR(check_support(name, text, warnings));
    } else if (auto advice = removed_key_advice(name)) {
      warnings.push_back("The configuration key '" + name + "' was removed in Kafka 4.0 and is ignored: " + *advice +
                         ".");
    } else if (unknown_is_error) {
      std::string line = unknown_key_line(name);
      return refused("config.unknown=error: " + line.replace(line.find(" is ignored"), 11, " is not known"));
    } else {
      warnings.push_back(unknown_key_line(name));
    }
  }
  if (properties.contains("broker.id")) {
    warnings.emplace_back(
        "The 'broker.id' configuration is deprecated and will be removed in Apache Kafka 5.0. Please use 'node.id' "
        "instead.");
  }
  return {};
}

bool is_blank(const ConfigMap& properties, const std::string& name) {
  auto found = properties.find(name);
  return found == properties.end() || java_trim(found->second).empty();
}

// A file without process.roles was written for a broker that had its metadata elsewhere. It starts as a cluster of
// this node alone.
ConfigMap with_standalone_defaults(ConfigMap properties) {
  if (!is_blank(properties, "process.roles")) return properties;
  properties["process.roles"] = "broker,controller";
  if (is_blank(properties, "node.id")) {
    properties.erase("node.id");
    if (is_blank(properties, "broker.id")) properties["node.id"] = "1";
  }
  if (is_blank(properties, "controller.listener.names")) {
    properties["controller.listener.names"] = "CONTROLLER";
    std::string listeners = is_blank(properties, "listeners") ? "PLAINTEXT://:9092" : properties["listeners"];
    if (!listeners.contains("CONTROLLER://")) properties["listeners"] = listeners + ",CONTROLLER://localhost:9093";
    if (!is_blank(properties, "listener.security.protocol.map") &&
        !properties["listener.security.protocol.map"].contains("CONTROLLER:")) {
      properties["listener.security.protocol.map"] += ",CONTROLLER:PLAINTEXT";
    }
  }
  if (is_blank(properties, "controller.quorum.voters") && is_blank(properties, "controller.quorum.bootstrap.servers")) {
    properties["controller.quorum.bootstrap.servers"] = "localhost:9093";
  }
  return properties;
}

runtime::Status check_protocols(const BrokerConfig& config) {
  for (const Listener& listener : config.listeners) {
    if (listener.security_protocol == SecurityProtocol::plaintext) continue;
    return refused("The listener " + listener.name + " uses " + std::string(to_string(listener.security_protocol)) +
                   ", which cannot be honoured yet.");
  }
  return {};
}

// Dynamic configs that Kafka would leave out as well, with a reason (DynamicBrokerConfig.fromPersistentProps).
ConfigMap usable_dynamic_configs(const ConfigMap& configs, bool per_broker, std::vector<std::string>& warnings) {
  ConfigMap usable;
  for (const auto& [name, text] : configs) {
    if (auto problem = dynamic_config_problem(name, text, per_broker)) {
      warnings.push_back("The dynamic configuration " + name + " is ignored: " + *problem);
    } else {
      usable[name] = text;
    }
  }
  return usable;
}

}  // namespace

ConfigMap sample_properties() {
  return {
      {"process.roles", "broker,controller"},
      {"node.id", "1"},
      {"controller.quorum.bootstrap.servers", "localhost:9093"},
      {"listeners", "PLAINTEXT://:9092,CONTROLLER://:9093"},
      {"inter.broker.listener.name", "PLAINTEXT"},
      {"advertised.listeners", "PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093"},
      {"controller.listener.names", "CONTROLLER"},
      {"listener.security.protocol.map",
       "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL"},
      {"num.network.threads", "3"},
      {"num.io.threads", "8"},
      {"socket.send.buffer.bytes", "102400"},
      {"socket.receive.buffer.bytes", "102400"},
      {"socket.request.max.bytes", "104857600"},
      {"log.dirs", "./data"},
      {"num.partitions", "1"},
      {"num.recovery.threads.per.data.dir", "2"},
      {"offsets.topic.replication.factor", "1"},
      {"share.coordinator.state.topic.replication.factor", "1"},
      {"share.coordinator.state.topic.min.isr", "1"},
      {"transaction.state.log.replication.factor", "1"},
      {"transaction.state.log.min.isr", "1"},
      {"log.retention.hours", "168"},
      {"log.segment.bytes", "1073741824"},
      {"log.retention.check.interval.ms", "300000"},
  };
}

runtime::Result<LoadedConfig> load_broker_config(const ConfigMap& properties) {
  LoadedConfig loaded;
  DOHLE_RETURN_IF_ERROR(check_names(properties, loaded.warnings));
  auto config =
      make_effective_config(with_standalone_defaults(properties), {}, {}, OutOfBounds::refused, loaded.warnings);
  if (!config) return refused(config.error().message);
  DOHLE_RETURN_IF_ERROR(check_protocols(*config));
  loaded.config = std::move(*config);
  return loaded;
}

LoadedConfig with_dynamic_configs(const BrokerConfig& config, const ConfigMap& cluster_default,
                                  const ConfigMap& this_broker) {
  LoadedConfig loaded;
  ConfigMap defaults = usable_dynamic_configs(cluster_default, false, loaded.warnings);
  ConfigMap own = usable_dynamic_configs(this_broker, true, loaded.warnings);
  auto merged = make_effective_config(config.static_configs, defaults, own, OutOfBounds::clamped, loaded.warnings);
  if (merged) {
    loaded.config = std::move(*merged);
  } else {
    loaded.config = config;
    loaded.warnings.push_back("The dynamic configuration of the broker could not be applied: " +
                              merged.error().message);
  }
  return loaded;
}

}  // namespace dohle::config
