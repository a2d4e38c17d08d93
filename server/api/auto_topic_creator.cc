#include "server/api/auto_topic_creator.h"

#include "protocol/error_code.h"
#include "protocol/messages/create_topics.h"
#include "server/api/controller_home.h"
#include "server/api/services.h"
#include "server/runtime/log_line.h"

namespace dohle::api {

namespace {

constexpr const char* logger = "org.apache.kafka.server.DefaultAutoTopicCreationManager";

void set_config(protocol::CreateTopicsRequest::CreatableTopic& topic, std::string name, std::string value) {
  auto& config = topic.configs.emplace_back();
  config.name = std::move(name);
  config.value = std::move(value);
}

}  // namespace

std::int16_t AutoTopicCreator::clipped_replication_factor(const std::string& topic, std::int16_t wanted) {
  const auto image = image_.current();
  std::int16_t alive = 0;
  for (const auto& [id, broker] : image->cluster->brokers) alive += broker.fenced ? 0 : 1;
  if (wanted <= alive || alive == 0) return wanted;
  runtime::log_line(runtime::LogLevel::warn, logger,
                    "The replication factor of " + topic + " is clipped from " + std::to_string(wanted) + " to the " +
                        std::to_string(alive) + " brokers that are alive.");
  return alive;
}

protocol::CreateTopicsRequest::CreatableTopic AutoTopicCreator::settings_of(const std::string& name) {
  const auto config = config_.current();
  protocol::CreateTopicsRequest::CreatableTopic topic;
  topic.name = name;
  if (name == "__consumer_offsets") {
    topic.num_partitions = config->offsets_topic_num_partitions;
    topic.replication_factor = clipped_replication_factor(name, config->offsets_topic_replication_factor);
    set_config(topic, "cleanup.policy", "compact");
    set_config(topic, "compression.type", "producer");
    set_config(topic, "segment.bytes", std::to_string(config->offsets_topic_segment_bytes));
  } else if (name == "__transaction_state") {
    topic.num_partitions = config->transaction_state_log_num_partitions;
    topic.replication_factor = clipped_replication_factor(name, config->transaction_state_log_replication_factor);
    const auto min_isr = std::min<std::int32_t>(config->transaction_state_log_min_isr, topic.replication_factor);
    set_config(topic, "cleanup.policy", "compact");
    set_config(topic, "compression.type", "uncompressed");
    set_config(topic, "min.insync.replicas", std::to_string(min_isr));
    set_config(topic, "segment.bytes", std::to_string(config->transaction_state_log_segment_bytes));
    set_config(topic, "unclean.leader.election.enable", "false");
  } else {
    const bool has_count = config->values.is_set("num.partitions");
    const bool has_factor = config->values.is_set("default.replication.factor");
    topic.num_partitions = has_count ? config->num_partitions : -1;
    topic.replication_factor = static_cast<std::int16_t>(has_factor ? config->default_replication_factor : -1);
  }
  return topic;
}

void AutoTopicCreator::create(std::vector<std::string> topics) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(topics, [this](const std::string& name) { return !in_flight_.insert(name).second; });
  }
  if (topics.empty()) return;

  protocol::CreateTopicsRequest request;
  for (const auto& name : topics) request.topics.push_back(settings_of(name));
  controller_.post<protocol::CreateTopicsResponse>(
      [request = std::move(request)](const metadata::Controller& controller, const metadata::MetadataImage& image) {
        return controller.create_topics(image, request);
      },
      [this, topics](const metadata::ControllerResult<protocol::CreateTopicsResponse>& result) {
        for (const auto& topic : result.response.topics) {
          const auto error = static_cast<protocol::ErrorCode>(topic.error_code);
          if (error == protocol::ErrorCode::none || error == protocol::ErrorCode::topic_already_exists) continue;
          runtime::log_line(runtime::LogLevel::warn, logger,
                            "Auto topic creation failed for " + topic.name + " with error '" +
                                std::string(protocol::name(error)) + "': " + topic.error_message.value_or("") + ".");
        }
        const std::lock_guard lock(mutex_);
        for (const auto& name : topics) in_flight_.erase(name);
      });
}

}  // namespace dohle::api
