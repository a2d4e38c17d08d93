// Creates topics behind the answer: a client that asked for an unknown topic hears UNKNOWN_TOPIC_OR_PARTITION at once
// and finds the topic when it asks again. Source: kafka.server.AutoTopicCreationManager.
#pragma once

#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "protocol/messages/create_topics.h"
#include "server/config/broker_config.h"
#include "server/metadata/metadata_image.h"
#include "server/runtime/snapshot.h"

namespace dohle::api {

class ControllerHome;

/// Any thread.
class AutoTopicCreator {
 public:
  /// All of them outlive the creator.
  AutoTopicCreator(ControllerHome& controller, const runtime::Snapshot<config::BrokerConfig>& config,
                   const runtime::Snapshot<metadata::MetadataImage>& image)
      : controller_(controller), config_(config), image_(image) {}

  /// Creates those of the topics that are not being created already, with the broker's defaults, or with the settings
  /// of an internal topic. Names are valid.
  void create(std::vector<std::string> topics);

 private:
  protocol::CreateTopicsRequest::CreatableTopic settings_of(const std::string& topic);
  std::int16_t clipped_replication_factor(const std::string& topic, std::int16_t wanted);

  ControllerHome& controller_;
  const runtime::Snapshot<config::BrokerConfig>& config_;
  const runtime::Snapshot<metadata::MetadataImage>& image_;
  std::mutex mutex_;
  std::unordered_set<std::string> in_flight_;
};

}  // namespace dohle::api
