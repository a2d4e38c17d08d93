// A node without a network, for the swap tests: formats a directory, goes through the start, changes topics, stops.
//
//   metadata_swap_tool DIRECTORY CONTROLLER_PORT BROKER_PORT (clean|kill) [create:NAME:PARTITIONS | delete:NAME]...
//   metadata_swap_tool DIRECTORY CONTROLLER_PORT BROKER_PORT describe
//
// Prints one line `topic NAME ID PARTITIONS LEADER-OF-0 ISR-SIZE-OF-0 LEADER-EPOCH-OF-0` for each topic at the end.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "server/metadata/broker_lifecycle.h"
#include "server/metadata/meta_properties.h"
#include "server/metadata/quorum_node.h"
#include "server/metadata/storage_format.h"
#include "server/metadata/supported_features.h"

namespace {

using namespace dohle;

/// Takes every configuration as it is: the tool sets none.
class NoSchema final : public metadata::ConfigSchema {
 public:
  bool is_list(metadata::ConfigResourceType, const std::string&) const override { return false; }
  std::optional<std::string> default_value(metadata::ConfigResourceType, const std::string&) const override {
    return std::nullopt;
  }
  metadata::ApiError validate(const metadata::ConfigResource&, const metadata::ConfigMap&,
                              const metadata::ConfigMap&) const override {
    return {};
  }
  std::vector<metadata::EffectiveConfig> effective_topic_configs(const metadata::ConfigMap&, const metadata::ConfigMap&,
                                                                 const metadata::ConfigMap&) const override {
    return {};
  }
};

template <typename T>
T need(runtime::Result<T> result) {
  if (!result) {
    fmt::print(stderr, "{}\n", result.error().message);
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

void need_ok(const metadata::ApiError& error) {
  if (!error.failed()) return;
  fmt::print(stderr, "error {}: {}\n", static_cast<int>(error.code), error.message.value_or(""));
  std::exit(1);
}

void describe(const metadata::MetadataImage& image) {
  for (const auto& topic : image.topics->sorted_by_name()) {
    const auto& first = topic->partitions.at(0);
    fmt::print("topic {} {} {} {} {} {}\n", topic->name, topic->id.to_string(), topic->partitions.size(), first.leader,
               first.isr.size(), first.leader_epoch);
  }
}

std::int64_t read_clean_epoch(runtime::Directory& directory) {
  if (!need(directory.exists(".kafka_cleanshutdown"))) return -1;
  const std::string text = need(directory.read_file(".kafka_cleanshutdown"));
  need(directory.remove(".kafka_cleanshutdown"));
  return std::atoll(text.substr(text.find("brokerEpoch") + 13).c_str());
}

void change(metadata::QuorumNode& node, const metadata::Controller& controller, const std::string& step) {
  const std::string name = step.substr(step.find(':') + 1, step.rfind(':') - step.find(':') - 1);
  if (step.starts_with("create:")) {
    protocol::CreateTopicsRequest request;
    protocol::CreateTopicsRequest::CreatableTopic topic;
    topic.name = name;
    topic.num_partitions = std::atoi(step.substr(step.rfind(':') + 1).c_str());
    topic.replication_factor = -1;
    request.topics.push_back(topic);
    auto result = controller.create_topics(*node.image(), request);
    need_ok(result.error);
    need_ok({static_cast<protocol::ErrorCode>(result.response.topics.at(0).error_code),
             result.response.topics.at(0).error_message});
    need(node.commit(std::move(result.records)));
  } else {
    protocol::DeleteTopicsRequest request;
    request.topic_names.push_back(step.substr(step.find(':') + 1));
    auto result = controller.delete_topics(*node.image(), request, 5);
    need_ok(result.error);
    need(node.commit(std::move(result.records)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const std::string mode = argv[4];
  auto& clock = runtime::system_clock();
  auto directory = need(runtime::open_directory(argv[1], true));
  metadata::Endpoint controller_endpoint{"CONTROLLER", "127.0.0.1", static_cast<std::uint16_t>(std::atoi(argv[2])), 0};
  metadata::Endpoint broker_endpoint{"PLAINTEXT", "127.0.0.1", static_cast<std::uint16_t>(std::atoi(argv[3])), 0};

  auto properties = need(metadata::read_meta_properties(*directory));
  if (!properties) {
    metadata::FormatOptions format;
    format.cluster_id = metadata::random_cluster_id();
    format.controller_endpoint = controller_endpoint;
    need(metadata::format_directory(*directory, true, format, clock.wall_ms()));
    properties = need(metadata::read_meta_properties(*directory));
  }
  metadata::QuorumNodeOptions options;
  options.cluster_id = *properties->cluster_id;
  options.directory_id = *properties->directory_id;
  options.controller_endpoints = {controller_endpoint};
  auto node = need(metadata::QuorumNode::open(directory, options, clock));
  if (mode == "describe") {
    describe(*node->image());
    return 0;
  }
  const NoSchema schema;
  const metadata::Controller controller({}, schema);
  need(node->activate());
  metadata::BrokerLifecycle lifecycle(*node, controller);
  metadata::BrokerRegistrationRequest registration;
  registration.broker_id = 1;
  registration.cluster_id = *properties->cluster_id;
  registration.incarnation_id = codec::Uuid::random();
  registration.endpoints = {broker_endpoint};
  registration.features = metadata::supported_features();
  registration.log_directories = {*properties->directory_id};
  registration.previous_broker_epoch = read_clean_epoch(*directory);
  need(lifecycle.register_broker(registration));
  need(lifecycle.unfence());
  for (int i = 5; i < argc; ++i) {
    if (std::string(argv[i]) == "snapshot") {
      need(node->write_snapshot());
    } else {
      change(*node, controller, argv[i]);
    }
  }
  describe(*node->image());
  if (mode == "clean") {
    need(lifecycle.stop());
    need(directory->replace_file(".kafka_cleanshutdown",
                                 fmt::format(R"({{"version":0,"brokerEpoch":{}}})", lifecycle.epoch())));
  }
  return 0;
}
