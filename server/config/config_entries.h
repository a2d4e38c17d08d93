// The answer to DescribeConfigs for one resource, without the protocol around it. Follows kafka.server.ConfigHelper.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/config/broker_config.h"
#include "server/config/config_value.h"

namespace dohle::config {

/// The numbers are those of DescribeConfigs' ConfigSource field.
enum class ConfigSource : std::int8_t {
  unknown = 0,
  topic = 1,
  dynamic_broker = 2,
  dynamic_default_broker = 3,
  static_broker = 4,
  default_config = 5,
  dynamic_broker_logger = 6,
  client_metrics = 7,
  group = 8,
};

struct ConfigSynonym {
  std::string name;
  /// nullopt: null, or hidden.
  std::optional<std::string> value;
  ConfigSource source = ConfigSource::unknown;
  bool operator==(const ConfigSynonym&) const = default;
};

struct ConfigEntry {
  std::string name;
  /// nullopt: null, or hidden because it is sensitive.
  std::optional<std::string> value;
  ConfigSource source = ConfigSource::default_config;
  bool read_only = false;
  bool sensitive = false;
  ConfigType type = ConfigType::unknown;
  /// All that could give the value, the strongest first.
  std::vector<ConfigSynonym> synonyms;
  /// One line, in our words.
  std::string documentation;
};

/// Each function gives all entries of its resource, in Kafka's order. `overrides` are the resource's own configs in the
/// metadata image.
Parsed<std::vector<ConfigEntry>> describe_topic(const BrokerConfig& broker, const ConfigMap& overrides);
Parsed<std::vector<ConfigEntry>> describe_group(const BrokerConfig& broker, const ConfigMap& overrides);
Parsed<std::vector<ConfigEntry>> describe_client_metrics(const ConfigMap& overrides);
/// This broker: every key, with all layers of `broker`.
std::vector<ConfigEntry> describe_broker(const BrokerConfig& broker);
/// The cluster's default (the broker resource with an empty name): the dynamic default configs alone.
std::vector<ConfigEntry> describe_cluster_default(const BrokerConfig& broker);

}  // namespace dohle::config
