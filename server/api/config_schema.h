// What the controller must know of configuration keys, answered by the typed table.
// Source: org.apache.kafka.metadata.KafkaConfigSchema, kafka.server.ControllerConfigurationValidator.
#pragma once

#include "server/config/broker_config.h"
#include "server/config/config_table.h"
#include "server/metadata/controller.h"
#include "server/runtime/snapshot.h"

namespace dohle::api {

/// Which part of the table a resource's keys are in; nullopt for one that has no keys of its own.
std::optional<config::Scope> scope_of(metadata::ConfigResourceType type);

/// Between the image's maps and the table's.
config::ConfigMap to_config_map(const metadata::ConfigMap& configs);

/// Any thread.
class TableConfigSchema final : public metadata::ConfigSchema {
 public:
  /// `broker` outlives the schema.
  explicit TableConfigSchema(const runtime::Snapshot<config::BrokerConfig>& broker) : broker_(broker) {}

  bool is_list(metadata::ConfigResourceType type, const std::string& key) const override;
  std::optional<std::string> default_value(metadata::ConfigResourceType type, const std::string& key) const override;
  metadata::ApiError validate(const metadata::ConfigResource& resource, const metadata::ConfigMap& configs,
                              const metadata::ConfigMap& existing) const override;
  std::vector<metadata::EffectiveConfig> effective_topic_configs(const metadata::ConfigMap& topic,
                                                                 const metadata::ConfigMap& cluster_default,
                                                                 const metadata::ConfigMap& broker) const override;

 private:
  const runtime::Snapshot<config::BrokerConfig>& broker_;
};

}  // namespace dohle::api
