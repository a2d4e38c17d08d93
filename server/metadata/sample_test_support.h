// For tests: the directories in testdata/, which Apache Kafka 4.4.0 wrote, on a fake disk.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "server/metadata/controller.h"
#include "server/metadata/quorum_node.h"
#include "server/metadata/supported_features.h"
#include "server/runtime/file.h"
#include "server/testing/fake_clock.h"
#include "server/testing/fake_disk.h"

namespace dohle::metadata {

inline std::filesystem::path sample_path(const std::string& name) {
  std::filesystem::path base = std::filesystem::path(__FILE__).parent_path() / "testdata";
  return base / name;
}

inline std::string read_sample(const std::string& name) {
  std::ifstream file(sample_path(name), std::ios::binary);
  EXPECT_TRUE(file.good()) << sample_path(name);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

inline const char* sample_log = "__cluster_metadata-0/00000000000000000000.log";
inline const char* sample_bootstrap = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";

/// Everything is synced.
inline void write_file(runtime::Directory& directory, const std::string& name, const std::string& content) {
  ASSERT_TRUE(directory.replace_file(name, content).has_value());
}

inline void copy_sample(const std::string& sample, runtime::Directory& directory) {
  const auto log = directory.subdirectory("__cluster_metadata-0", true);
  ASSERT_TRUE(log.has_value());
  for (const auto& entry : std::filesystem::directory_iterator(sample_path(sample))) {
    const std::string name = entry.path().filename();
    if (entry.is_regular_file()) write_file(directory, name, read_sample(sample + "/" + name));
  }
  for (const auto& entry : std::filesystem::directory_iterator(sample_path(sample) / "__cluster_metadata-0")) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".txt")) continue;
    write_file(**log, name, read_sample(sample + "/__cluster_metadata-0/" + name));
  }
  ASSERT_TRUE(directory.sync().has_value());
}

/// Knows three keys, and Kafka's words for what is wrong with them.
class SampleSchema final : public ConfigSchema {
 public:
  bool is_list(ConfigResourceType, const std::string& key) const override { return key == "cleanup.policy"; }
  std::optional<std::string> default_value(ConfigResourceType, const std::string& key) const override {
    return key == "cleanup.policy" ? std::optional<std::string>("delete") : std::nullopt;
  }
  ApiError validate(const ConfigResource& resource, const ConfigMap& configs, const ConfigMap&) const override {
    if (resource.type == ConfigResourceType::topic && configs.contains("no.such")) {
      return {protocol::ErrorCode::invalid_config, "Unknown topic config name: no.such"};
    }
    return {};
  }
  std::vector<EffectiveConfig> effective_topic_configs(const ConfigMap& topic, const ConfigMap&,
                                                       const ConfigMap&) const override {
    std::vector<EffectiveConfig> configs;
    for (const auto& [name, value] : topic) configs.push_back({name, value, false, 1, false});
    return configs;
  }
};

inline const SampleSchema sample_schema;

/// The listener of the samples' server.properties.
inline QuorumNodeOptions sample_options(const codec::Uuid& directory_id, bool dynamic_quorum = true) {
  QuorumNodeOptions options;
  options.cluster_id = "MkU3OEVBNTcwNTJENDM2Qk";
  options.directory_id = directory_id;
  options.controller_endpoints = {{"CONTROLLER", "127.0.0.1", 25193, 0}};
  if (!dynamic_quorum) options.static_voters[1] = options.controller_endpoints.front();
  return options;
}

/// An image with brokers 1..n, unfenced, each with one directory, at the newest feature levels.
inline MetadataImage image_with_brokers(std::int32_t count) {
  MetadataImage image;
  auto features = std::make_shared<FeaturesImage>();
  features->metadata_version = metadata_version_latest;
  features->levels["eligible.leader.replicas.version"] = 1;
  image.features = std::move(features);
  auto cluster = std::make_shared<ClusterImage>();
  for (std::int32_t id = 1; id <= count; ++id) {
    BrokerRegistration broker;
    broker.id = id;
    broker.epoch = 10 * id;
    broker.fenced = false;
    broker.incarnation_id = codec::Uuid::reserved(static_cast<std::uint8_t>(200 + id));
    broker.features = supported_features();
    broker.directories = {codec::Uuid::reserved(static_cast<std::uint8_t>(100 + id))};
    cluster->brokers[id] = std::move(broker);
  }
  image.cluster = std::move(cluster);
  return image;
}

}  // namespace dohle::metadata
